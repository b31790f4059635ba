from __future__ import annotations

import random

import pytest
from corpus_helpers import policy_text

from smallprint.corpus.minhash import RUN, signature
from smallprint.library.folding import SLOT_BYTES, SLOTS, similarity


def runs(text: str) -> set[tuple[str, ...]]:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return {tuple(words[n : n + RUN]) for n in range(len(words) - RUN + 1)}


def test_a_signature_is_stable_and_of_one_size() -> None:
    assert signature("We collect your name.") == signature("we  COLLECT your name!")
    assert len(signature("We collect your name.")) == SLOTS * SLOT_BYTES
    assert signature("…") == b""
    assert signature("one") != signature("two")


@pytest.mark.parametrize("changed", [0, 3, 10, 30, 120])
def test_similarity_is_that_of_the_runs_of_words(changed: int) -> None:
    words = policy_text("Acme", sentences=100).split()
    dice = random.Random(changed)
    other = list(words)
    for _ in range(changed):
        other[dice.randrange(len(other))] = f"w{dice.random()}"
    a, b = " ".join(words), " ".join(other)
    true = len(runs(a) & runs(b)) / len(runs(a) | runs(b))
    assert similarity(signature(a), signature(b)) == pytest.approx(true, abs=0.13)  # three standard deviations


def test_texts_that_share_nothing_have_no_slot_in_common() -> None:
    one = signature(" ".join(f"a{n}" for n in range(2000)))
    other = signature(" ".join(f"b{n}" for n in range(2000)))
    assert similarity(one, other) <= 0.02
