"""Asking back: a question that may mean several practices gets the meanings to choose from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from smallprint.records import Answer, Choice, Verdict

Categories = Mapping[str, float]
"""The chance of each category of practice, by its key, that a sentence is about it."""

MOST_CHOICES = 3
# When a question got an answer and yet may mean something else. Chosen on 210 questions of the held-out fifth of
# `asked`, where a confidence below .3 would bother 3 % of those who ask plainly; `bench clarify` has what they bring.
LOW_CERTAINTY = 0.3
LOW_CONFIDENCE = 0.2
SPREAD = 0.6


def may_ask_back(answer: Answer) -> bool:
    """Whether there is doubt enough to look at the practices that the best sentences are about."""
    vague = answer.question.certainty < LOW_CERTAINTY and answer.confidence < LOW_CONFIDENCE
    return answer.verdict is Verdict.UNCLEAR or (answer.verdict.is_answer and vague)


def choices(answer: Answer, thing: str, practices: Sequence[Categories]) -> tuple[Choice, ...]:
    """What the question may mean, likeliest first, for the `thing` it is about; none where the best sentences, each
    with its `practices`, agree. A question that is unclear in itself gets the usual meanings at least."""
    likely = _likely(practices)
    if answer.verdict is Verdict.UNCLEAR:
        likely += [key for key in ("first", "third", "dataretention") if key not in likely]
    elif len(likely) < 2:
        return ()
    meanings = _meanings()
    return tuple(
        Choice(meanings[key]["label"], meanings[key]["ask"].format(thing=thing or "my data"))
        for key in likely[:MOST_CHOICES]
    )


def question(choices: Sequence[Choice]) -> str:
    """ "Do you mean how they use it, or whom they share it with?" """
    *labels, last = [choice.label for choice in choices]
    return f"Do you mean {', '.join(labels)}, or {last}?" if labels else f"Do you mean {last}?"


def _likely(practices: Sequence[Categories]) -> list[str]:
    """The practices that the sentences are about, each at least SPREAD as much as the first of them."""
    sums = {key: sum(one.get(key, 0.0) for one in practices) for key in _meanings()}
    most = max(sums.values(), default=0.0)
    return [key for key in sorted(sums, key=lambda key: -sums[key]) if sums[key] >= SPREAD * most > 0]


@cache
def _meanings() -> dict[str, dict[str, str]]:
    loaded: dict[str, dict[str, str]] = json.loads(
        files("smallprint.dialogue").joinpath("clarify.json").read_text("utf-8")
    )
    return loaded
