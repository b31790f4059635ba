"""Questions in plain speech: those that measure are no others than those that were learned from."""

from __future__ import annotations

from train.exclusions import words_of
from train.reader_data import KINDS, plain_questions


def test_no_question_both_teaches_and_measures() -> None:
    learned, measured = ({" ".join(words_of(q.text)) for q in plain_questions(held_out=side)} for side in (False, True))
    assert not learned & measured
    assert min(len(learned), len(measured)) > 290


def test_every_kind_is_taught_and_measured() -> None:
    for held_out in (False, True):
        assert {q.kind for q in plain_questions(held_out=held_out)} == set(range(len(KINDS)))
