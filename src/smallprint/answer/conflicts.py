"""Contradictions among the sentences that answer a question, shown as pairs with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from smallprint.answer.features import is_yes_no
from smallprint.answer.opposition import contradiction
from smallprint.answer.quote import denies
from smallprint.answer.relation import shipped
from smallprint.records import Answer, Conflict, Evidence, Stance, Verdict

# Sentences looked at: those that the answer shows or holds back, as far as they may well bear on the question. With
# eight there are 28 pairs, a few milliseconds. Below this score sentences seldom answer what was asked.
LOOKED_AT = 8
LEAST_SCORE = 0.3
SHOWN = 3


def with_conflicts(answer: Answer) -> Answer:
    """The same answer, or one that says both where its sentences contradict each other."""
    if not answer.verdict.is_answer:
        return answer
    found = conflicts_among((*answer.evidence, *answer.more))
    if not found:
        return answer
    held = [e for e in answer.more if any(e in (c.first, c.second) for c in found)]
    return replace(
        answer,
        verdict=Verdict.CONFLICTING,
        stance=Stance.MIXED if is_yes_no(answer.question.text) else Stance.NA,
        summary=summary(found[0]),
        stance_confidence=None,
        conflicts=found,
        evidence=(*answer.evidence, *held),
        more=tuple(e for e in answer.more if e not in held),
    )


def conflicts_among(evidence: Sequence[Evidence]) -> tuple[Conflict, ...]:
    """Best first; the denial is the first of a pair. A sentence stands in one pair at most."""
    looked_at = [e for e in evidence[:LOOKED_AT] if e.score >= LEAST_SCORE]
    found: list[Conflict] = []
    taken: set[int] = set()
    for first, second in combinations(looked_at, 2):
        conflict = _conflict(first, second)
        ids = {first.sentence.id, second.sentence.id}
        if conflict and not ids & taken:
            found.append(conflict)
            taken |= ids
    return tuple(found[:SHOWN])


def _conflict(first: Evidence, second: Evidence) -> Conflict | None:
    """An item affirms nothing under words that deny it: “We will not: sell your data”."""
    for denying, affirming in ((first, second), (second, first)):
        opposed = contradiction(denying.sentence.text, affirming.sentence.text, shipped().most_limits)
        if opposed and not denies(affirming.sentence.led_by):
            return Conflict(denying, affirming, opposed.reason)
    return None


def summary(conflict: Conflict) -> str:
    """One line made of the policy's own words."""
    denies, affirms = (e.sentence.text.strip(" .") for e in (conflict.first, conflict.second))
    return f"It says both: “{denies}”, but also “{affirms}”."
