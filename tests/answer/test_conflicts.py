from __future__ import annotations

from dataclasses import replace

import pytest

from smallprint.answer.conflicts import LEAST_SCORE, LOOKED_AT, conflicts_among, with_conflicts
from smallprint.records import Answer, BlockKind, Evidence, Question, Sentence, Stance, Tone, Verdict

NEVER = "We never sell your personal information to anyone."
SELLS = "We sell your personal information to data brokers."
BESIDE = "We keep servers in three countries."


def evidence(number: int, text: str, score: float = 0.8) -> Evidence:
    return Evidence(Sentence(number, 0, BlockKind.PARAGRAPH, 0, len(text), text), (0, len(text)), score)


def answer(*shown: Evidence, more: tuple[Evidence, ...] = (), asked: str = "do you sell my data?") -> Answer:
    return Answer(Question(asked), Verdict.ANSWERED, Stance.NO, "It may say it doesn't.", 0.8, 0.4, shown, more=more)


def test_a_contradiction_is_shown_as_a_pair_with_the_denial_first() -> None:
    got = with_conflicts(answer(evidence(1, SELLS), evidence(2, NEVER)))
    assert (got.verdict, got.stance, got.tone) == (Verdict.CONFLICTING, Stance.MIXED, Tone.PLAIN)
    (conflict,) = got.conflicts
    assert (conflict.first.sentence.text, conflict.second.sentence.text) == (NEVER, SELLS)
    assert "does not sell" in conflict.reason
    assert "never sell" in got.summary
    assert "data brokers" in got.summary


def test_a_side_that_was_held_back_is_brought_forward() -> None:
    got = with_conflicts(answer(evidence(1, NEVER), more=(evidence(2, BESIDE), evidence(3, SELLS))))
    assert [e.sentence.id for e in got.evidence] == [1, 3]
    assert [e.sentence.id for e in got.more] == [2]


def test_an_open_question_keeps_no_stance() -> None:
    got = with_conflicts(answer(evidence(1, NEVER), evidence(2, SELLS), asked="who buys my data?"))
    assert (got.verdict, got.stance) == (Verdict.CONFLICTING, Stance.NA)


def test_an_exception_changes_nothing() -> None:
    whole = answer(evidence(1, NEVER), evidence(2, "We sell your personal information only if the law requires it."))
    assert with_conflicts(whole) is whole


def test_no_answer_has_no_conflicts() -> None:
    silent = replace(answer(more=(evidence(1, NEVER), evidence(2, SELLS))), verdict=Verdict.SILENT, stance=Stance.NA)
    assert with_conflicts(silent) is silent


@pytest.mark.parametrize("far", [evidence(2, SELLS, LEAST_SCORE / 2), None])
def test_sentences_that_hardly_bear_on_the_question_are_not_looked_at(far: Evidence | None) -> None:
    between = [evidence(number, BESIDE) for number in range(10, 10 + LOOKED_AT)]
    looked_at = [evidence(1, NEVER), far] if far else [evidence(1, NEVER), *between, evidence(2, SELLS)]
    assert conflicts_among(looked_at) == ()


def test_a_sentence_stands_in_one_pair_only() -> None:
    again = "We may sell your personal information to partners."
    assert len(conflicts_among([evidence(1, NEVER), evidence(2, SELLS), evidence(3, again)])) == 1


def test_an_item_under_a_denial_contradicts_no_other_denial() -> None:
    listed = evidence(2, "Sell your personal information.")
    assert conflicts_among([evidence(1, NEVER), listed])
    promised = replace(listed.sentence, kind=BlockKind.ITEM, lead_in="We promise that we will not:")
    assert conflicts_among([evidence(1, NEVER), replace(listed, sentence=promised)]) == ()
