"""Where the best sentences answer, and what they say: each for itself, and the first few together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smallprint.answer.score import Scored, passage_of
from smallprint.models.marker import Mark, Marker, Said
from smallprint.records import Question

# On the held-out fifth of `asked` the F1 of what is shown is .545 with five, eight or ten at most: as many as may be
# needed where a policy says a thing in many places, and not more than a person reads.
MOST_SHOWN = 8
HELD_BACK = 12
TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Marked:
    """`marks` belong to the best sentences in their order, as many as can be shown or held back; `together` is what the
    first of them say, read as one passage in the policy's order."""

    marks: tuple[Mark, ...]
    together: Said


NOTHING = Marked((), Said(1.0, {}))


def marked(question: Question, scored: Sequence[Scored], marker: Marker) -> Marked:
    if not scored:
        return NOTHING
    marks = marker.mark(question.text, [passage_of(s.sentence) for s in scored[: MOST_SHOWN + HELD_BACK]])
    first = sorted((s.sentence for s in scored[:TOGETHER]), key=lambda sentence: sentence.id)
    return Marked(tuple(marks), marker.said(question.text, [sentence.text for sentence in first]))
