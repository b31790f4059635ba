"""Which of the best sentences are read together."""

from __future__ import annotations

from collections.abc import Sequence

from smallprint.answer.score import Scored, logit, said_together
from smallprint.models.arbiter import TOGETHER, Arbiter
from smallprint.models.marker import Mark
from smallprint.models.passage import Passage
from smallprint.models.said import Said
from smallprint.records import BlockKind, Question, Sentence


class Noting(Arbiter):
    """Keeps what it was shown last."""

    shown: tuple[str, ...] = ()

    def said(self, question: str, passages: Sequence[Passage]) -> Said:
        self.shown = tuple(p.text for p in passages)
        return super().said(question, passages)


def scored(number: int, quoted: float) -> Scored:
    sentence = Sentence(number, 0, BlockKind.PARAGRAPH, 0, 0, f"We keep number {number}.", ())
    return Scored(sentence, {}, logit(quoted), quoted, quoted, Mark((0, 2), Said(0.1, {})))


def shown(*best: Scored) -> tuple[str, ...]:
    arbiter = Noting.load()
    assert isinstance(arbiter, Noting)
    said_together(Question("do you keep it?"), best, arbiter)
    return arbiter.shown


def test_the_best_are_read_in_the_policys_order() -> None:
    assert shown(scored(7, 0.9), scored(2, 0.5)) == ("We keep number 2.", "We keep number 7.")


def test_no_more_than_fit_are_read() -> None:
    assert len(shown(*(scored(n, 0.5) for n in range(TOGETHER + 3)))) == TOGETHER


def test_what_is_far_less_likely_is_not_read_beside_the_best() -> None:
    assert shown(scored(1, 0.9), scored(2, 0.01)) == ("We keep number 1.",)
    assert len(shown(scored(1, 0.02), scored(2, 0.01))) == 2, "where nothing is likely, all are read"


def test_a_policy_without_sentences_says_nothing() -> None:
    assert said_together(Question("do you keep it?"), [], Arbiter.load()).silent == 1.0
