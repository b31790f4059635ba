"""BM25 rows: expansion, corpus idf, and the cut to three sentences."""

from __future__ import annotations

import math

import pytest

from smallprint.bench.documents import reading_of
from smallprint.bench.published import retrieval

SENTENCES = [
    "We collect your location.",
    "Location helps us find shops near your location.",
    "Nobody else sees your location at night.",
    "Your location is deleted after a week.",
    "Children may not join.",
]
READING = reading_of(
    {
        "doc_id": "d",
        "sentences": SENTENCES,
        "kinds": ["p"] * 5,
        "headings": ["Location", "Location", "Location", "Location", "Age"],
    }
)


def test_segments_end_with_their_heading_and_never_grow_too_long() -> None:
    assert retrieval.segments_of(READING.sentences) == [[0, 1, 2, 3], [4]]
    bare = reading_of({"doc_id": "d", "sentences": [f"Sentence {n}." for n in range(9)]})
    assert [len(segment) for segment in retrieval.segments_of(bare.sentences)] == [7, 2]


def test_the_best_segment_is_cut_to_three_sentences_and_the_rest_is_kept_back() -> None:
    outcome = retrieval.bm25(READING)("where does my location go?")
    assert len(outcome.shown) == 3
    assert len(outcome.more) == 1
    assert {*outcome.shown, *outcome.more} == {0, 1, 2, 3}
    assert outcome.ranking[-1] == 4


def test_nothing_is_shown_where_no_word_is_shared() -> None:
    outcome = retrieval.bm25(READING)("refunds?")
    assert (outcome.shown, outcome.more) == ((), ())
    assert not outcome.verdict.is_answer


def test_a_question_grows_by_ten_words_for_each_word_that_carries_meaning() -> None:
    added = retrieval.expanded("do you track me?").removeprefix("do you track me?").split()
    assert len(added) == retrieval.NEIGHBOURS
    assert "tracking" in added


def test_expansion_finds_what_shares_no_word() -> None:
    policy = reading_of({"doc_id": "d", "sentences": ["Children may not join.", "We run tracking pixels."]})
    assert retrieval.bm25_expanded(policy)("will you track me?").shown[:1] == (1,)
    assert retrieval.bm25(policy)("will you watch us?").shown == ()


def test_rarity_is_counted_over_the_corpus_and_not_over_the_policy() -> None:
    total, containing = retrieval.corpus_counts()
    index = retrieval.CorpusBm25(["location", "location", "location"])
    seen = containing["locat"]
    assert index.idf("locat") == pytest.approx(math.log(1 + (total - seen + 0.5) / (seen + 0.5)))
    assert index.idf("inform") < index.idf("locat") < index.idf("neverheardof")
