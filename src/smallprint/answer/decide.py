"""Choose what to show, how sure to be, and what to say when there is nothing to show."""

from __future__ import annotations

import math
from collections.abc import Sequence

from smallprint.records import Answer, Evidence, Question, Reading, Stance, Step, Verdict

SHOWN_FIRST = 3
# Held back at most: past this many the later ones are noise.
HELD_BACK = 12
# Of the answers given below this confidence fewer than one in ten is right (`asked`, 209 policies).
LEAST_CONFIDENCE = 0.1


def confidence_of_words(coverage: float) -> float:
    """How likely the best sentence is the one people would quote, from the share of the question's words in
    it. Fitted on 3,808 questions of `asked`; where every word is found it still fails one time in four."""
    return 1 / (1 + math.exp(2.55 - 3.52 * coverage))


def decide(
    question: Question,
    reading: Reading,
    ranked: Sequence[Evidence],
    confidence: float,
    trace: tuple[Step, ...] = (),
) -> Answer:
    """`ranked` is best first."""
    if not ranked or confidence < LEAST_CONFIDENCE:
        return _silent(question, reading, ranked, confidence, trace)
    shown, more = tuple(ranked[:SHOWN_FIRST]), tuple(ranked[SHOWN_FIRST : SHOWN_FIRST + HELD_BACK])
    return Answer(
        question=question,
        verdict=Verdict.ANSWERED,
        stance=Stance.NA,
        summary=f"It says: “{shown[0].sentence.text}”",
        confidence=confidence,
        evidence=shown,
        more=more,
        trace=trace,
    )


def _silent(
    question: Question,
    reading: Reading,
    ranked: Sequence[Evidence],
    confidence: float,
    trace: tuple[Step, ...],
) -> Answer:
    steps = ["Ask it with other words; the policy may use its own."]
    if ranked and ranked[0].sentence.headings:
        steps.append(f"The section that comes closest is “{ranked[0].sentence.headings[-1]}”.")
    steps.append(f"Ask the company itself; {reading.policy.title or 'the policy'} should name a contact.")
    return Answer(
        question=question,
        verdict=Verdict.SILENT,
        stance=Stance.NA,
        summary="It doesn't say, or not in words that match yours.",
        confidence=1 - confidence,
        more=tuple(ranked[:HELD_BACK]),
        next=tuple(steps),
        trace=trace,
    )
