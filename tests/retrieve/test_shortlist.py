from __future__ import annotations

import numpy as np
import pytest

from smallprint.records import BlockKind, Sentence
from smallprint.retrieve import shortlist
from smallprint.retrieve.shortlist import Floats, Places, Retriever, beside, standard


def sentence(number: int, text: str) -> Sentence:
    return Sentence(number, number, BlockKind.PARAGRAPH, 0, len(text), text)


TEXTS = ["We keep mail.", "We share your whereabouts.", "We sell location data.", "Bye."]
VECTORS = np.array([[0, 1], [1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)


def retriever() -> Retriever:
    return Retriever([sentence(n, text) for n, text in enumerate(TEXTS)], VECTORS.__getitem__)


def test_meaning_and_words_add_up() -> None:
    ranked = retriever().rank("location", np.array([1, 0], dtype=np.float32))
    assert [c.sentence.id for c in ranked[:2]] == [2, 1]
    assert ranked[0].coverage == 1
    assert ranked[1].coverage == 0
    assert ranked[1].cosine == 1


def test_equal_scores_keep_the_policys_order() -> None:
    ranked = retriever().rank("zebra", np.array([0, 0], dtype=np.float32))
    assert [c.sentence.id for c in ranked] == [0, 1, 2, 3]


def test_of_a_very_long_policy_only_the_likely_part_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortlist, "MOST_READ", 2)
    read: list[int] = []

    def vectors_of(places: Places) -> Floats:
        read.extend(places.tolist())
        return VECTORS[places]

    sentences = [sentence(n, text) for n, text in enumerate(TEXTS)]
    ranked = Retriever(sentences, vectors_of).rank("sell mail", np.array([1, 0], dtype=np.float32))
    assert sorted(read) == [0, 2] == sorted(c.sentence.id for c in ranked)


def test_what_stands_beside_a_likely_sentence_is_likelier() -> None:
    sentences = [sentence(n, "Word.") for n in range(5)]
    vectors = np.array([[0, 1], [0, 1], [0, 1], [1, 0], [0, 1]], dtype=np.float32)
    ranked = Retriever(sentences, vectors.__getitem__).rank("x", np.array([1, 0], dtype=np.float32))
    assert [c.sentence.id for c in ranked] == [3, 4, 2, 0, 1]


def test_only_what_adjoins_stands_beside() -> None:
    scores = np.array([1, 2, 4], dtype=np.float32)
    assert beside(scores, np.array([3, 4, 5])).tolist() == [2, 5, 2]
    assert beside(scores, np.array([3, 5, 6])).tolist() == [0, 4, 2]


def test_no_sentences_no_candidates() -> None:
    assert Retriever([], VECTORS.__getitem__).rank("x", np.array([1, 0], dtype=np.float32)) == []


def test_standard_scores() -> None:
    assert standard(np.array([1, 1], dtype=np.float32)).tolist() == [0, 0]
    assert standard(np.array([0, 2], dtype=np.float32)).tolist() == [-1, 1]
