"""The small parts of the runtime that need no weights."""

from __future__ import annotations

import numpy as np

from smallprint.models.hashed import counts_of, scaled
from smallprint.models.marker import best_span
from smallprint.models.passage import passage
from smallprint.models.reader import join_words
from smallprint.models.text_spans import phrase_spans, word_spans
from smallprint.models.tokenizer import Pieces
from smallprint.models.vectors import WordVectors, hash_of, letter_runs


def _pieces() -> Pieces:
    """[CLS] q [SEP] · "Data: we sell it" · [SEP], one piece for each word of the passage."""
    spans = [(0, 0), (0, 0), (0, 0), (0, 4), (6, 8), (9, 13), (14, 16), (0, 0)]
    return Pieces(ids=list(range(8)), types=[0, 0, 0, 1, 1, 1, 1, 1], spans=spans)


def test_the_best_span_stays_inside_the_sentence() -> None:
    logits = np.zeros((8, 2), dtype=np.float32)
    logits[3, 0] = 9
    logits[5, 0] = 5
    logits[6, 1] = 5
    shown = passage("we sell it", heading="Data")
    assert shown.sentence[slice(*best_span(logits, _pieces(), shown))] == "sell it"


def test_a_sentence_cut_away_is_marked_whole() -> None:
    shown = passage("we sell it", heading="Data")
    pieces = Pieces(ids=[0, 1], types=[0, 1], spans=[(0, 0), (0, 0)])
    assert best_span(np.zeros((2, 2), dtype=np.float32), pieces, shown) == (0, 10)


def test_characters_are_covered_by_pieces_of_the_passage_only() -> None:
    assert _pieces().over(6, 10) == (4, 5)
    assert _pieces().over(0, 16) == (3, 6), "special pieces cover nothing"
    assert _pieces().over(20, 30) is None


def test_pieces_are_joined_to_words() -> None:
    chances = np.array([0, 0.2, 0.9, 0.1, 0], dtype=np.float32)
    words = join_words("maybe so", [(0, 0), (0, 3), (3, 5), (6, 8), (0, 0)], chances)
    assert [(w.start, w.end, round(w.chance, 1)) for w in words] == [(0, 5, 0.9), (6, 8, 0.1)]


def test_phrases_are_found_as_whole_words_in_any_case() -> None:
    text = "May we? Dismay. As we may see fit."
    assert [text[a:b] for a, b in phrase_spans(text, ["may", " "])] == ["May", "may"]


def test_word_spans_keep_apostrophes_and_hyphens() -> None:
    text = "It's third-party data."
    assert [text[a:b] for a, b in word_spans(text)] == ["It's", "third-party", "data"]


def test_hashed_counts_are_the_same_in_every_process() -> None:
    assert counts_of("we sell, we sell", 97) == counts_of("We sell we SELL", 97)
    assert sum(w * w for w in scaled({1: 3.0, 2: 4.0}).values()) == 1.0


def test_letter_runs_and_their_hash() -> None:
    assert letter_runs("ab") == ["<ab", "<ab>", "ab>"]
    assert hash_of("") == 2166136261
    assert hash_of("a") == 0xE40C292C


def _toy_vectors() -> WordVectors:
    return WordVectors(
        {
            "words": np.frombuffer(b"lamp\nlight\nchair", dtype=np.uint8),
            "vectors": np.array([[100, 10], [90, 20], [-5, 80]], dtype=np.int8),
            "vector_scales": np.ones((3, 1), dtype=np.float16),
            "buckets": np.array([[1, 1], [1, 2], [2, 1]], dtype=np.int8),
            "bucket_scales": np.ones((3, 1), dtype=np.float16),
            "clusters": np.array([0, 0, 1], dtype=np.int16),
        }
    )


def test_nearest_words_leave_the_word_itself_out() -> None:
    near = _toy_vectors().nearest("Lamp", 2)
    assert [n.word for n in near] == ["light", "chair"]
    assert near[0].cosine > near[1].cosine


def test_unknown_words_have_a_vector_and_a_cluster() -> None:
    vectors = _toy_vectors()
    assert np.isclose(np.linalg.norm(vectors.vector("lampp")), 1)
    assert vectors.cluster("lampp") in (0, 1)
    assert vectors.known_share("lamp lampp") == 0.5
