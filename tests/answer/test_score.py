"""Which of the best sentences are read together, and what that makes of them."""

from __future__ import annotations

from collections.abc import Sequence

from smallprint.answer.score import SETTLED, Scored, Together, logit, read_together, settle
from smallprint.answer.weights import shipped
from smallprint.models.arbiter import TOGETHER, Arbiter, Heard, Worth
from smallprint.models.marker import Mark
from smallprint.models.passage import Passage
from smallprint.models.said import Said
from smallprint.records import BlockKind, Question, Sentence


class Noting(Arbiter):
    """Keeps what it was shown last."""

    shown: tuple[str, ...] = ()

    def hear(self, question: str, passages: Sequence[Passage]) -> Heard:
        self.shown = tuple(p.text for p in passages)
        return super().hear(question, passages)


def scored(number: int, quoted: float) -> Scored:
    sentence = Sentence(number, 0, BlockKind.PARAGRAPH, 0, 0, f"We keep number {number}.", ())
    return Scored(sentence, {}, logit(quoted), quoted, quoted, Mark((0, 2), Said(0.1, {})))


def shown(*best: Scored) -> tuple[str, ...]:
    arbiter = Noting.load()
    assert isinstance(arbiter, Noting)
    read_together(Question("do you keep it?"), best, arbiter)
    return arbiter.shown


def test_the_best_are_read_in_the_policys_order() -> None:
    assert shown(scored(7, 0.9), scored(2, 0.5)) == ("We keep number 2.", "We keep number 7.")


def test_no_more_than_fit_are_read() -> None:
    assert len(shown(*(scored(n, 0.5) for n in range(TOGETHER + 3)))) == TOGETHER


def test_what_is_far_less_likely_is_not_read_beside_the_best() -> None:
    assert shown(scored(1, 0.9), scored(2, 0.01)) == ("We keep number 1.",)
    assert len(shown(scored(1, 0.02), scored(2, 0.01))) == 2, "where nothing is likely, all are read"


def test_a_policy_without_sentences_says_nothing() -> None:
    together = read_together(Question("do you keep it?"), [], Arbiter.load())
    assert together.said.silent == 1.0
    assert settle([], together, shipped()) == []


def test_what_each_is_worth_goes_by_its_sentence() -> None:
    together = read_together(
        Question("do you keep it?"), [scored(7, 0.9), scored(2, 0.5), scored(4, 0.01)], Arbiter.load()
    )
    assert set(together.worth) == {2, 7}


def test_a_sentence_worth_more_beside_the_others_comes_first() -> None:
    best = [scored(1, 0.6), scored(2, 0.5), scored(3, 0.1)]
    together = Together(Said(0.1, {}), {1: Worth(-3.0, -2.0), 2: Worth(3.0, 3.0)})
    settled = settle(best, together, shipped())
    assert settled[0].sentence.id == 2
    assert settled[0].quoted > 0.5 > settled[1].quoted
    assert [s for s in settled if s.sentence.id == 3] == [best[2]], "it was not read and stays as it was"
    assert all(s.helps >= s.quoted for s in settled)


def test_a_sentence_worth_nothing_stays_among_the_first() -> None:
    best = [scored(n, 0.5 - n / 100) for n in range(SETTLED + 5)]
    settled = settle(best, Together(Said(0.1, {}), {0: Worth(-9.0, -9.0)}), shipped())
    assert [s.sentence.id for s in settled] == [*range(1, SETTLED), 0, *range(SETTLED, SETTLED + 5)]
