"""What the decision looks at: the question's own kind and what the best sentences are worth."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from smallprint.answer.score import Scored, logit
from smallprint.models.said import STANCES, Said
from smallprint.records import Question

QUESTION_KINDS = ("in_policies", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")
_YES_NO = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|may|might|has|have|am)(?:n['’]?t)?\s+"
    r"(?:i|u|you|ya|they|it|we|my|your|the|this|that|there|any|anyone|someone|people|\w+)\b",
    re.IGNORECASE,
)
# "When I write to you, do you keep it?" and "what about my contacts, do they get them?" ask something else than when
# and what.
_OPEN = re.compile(
    r"\b(?:what(?! about\b)|which|who|whom|whose|where|why|how"
    r"|when(?= (?:do|does|did|is|are|was|were|will|would|can|could|shall|should|must|has|have|exactly)\b|\W*$)"
    r"|(?:(?<=until )|(?<=since )|(?<=from ))when)\b",
    re.IGNORECASE,
)
# "How long", "who" and "when" have an answer of a few words; "why", "how" and "what happens" want to be told.
_FEW_WORDS = re.compile(
    r"who|whom|whose|which|(?:when|where)(?!.*, (?:how|why)\b)|how (?:long|much|many|often|old|soon|far)\b"
    r"|what(?! (?:if|about|means|procedure)\b)(?!.*\b(?:happen\w*|becomes?|doing|do with)\b)"
    r"(?! (?:do|does|did|will|would) \w+ do\b)",
    re.IGNORECASE,
)
FIRST = 5


def kind_features(question: Question, scored: Sequence[Scored], together: Said) -> dict[str, float]:
    words = len(question.text.split())
    kinds = {f"kind_{k}": math.log(max(question.kinds.get(k, 0.0), 1e-4)) for k in QUESTION_KINDS}
    return {
        **kinds,
        "first": scored[0].logit if scored else -8.0,
        "helpful": sum(s.helps for s in scored),
        "quotable": sum(s.quoted for s in scored),
        "coverage": max((s.features["coverage"] for s in scored), default=0.0),
        **_silence(question, scored, together),
        "length": math.log1p(words),
    }


def _silence(question: Question, scored: Sequence[Scored], together: Said) -> dict[str, float]:
    """That the best sentences do not answer, read together and the likeliest of them alone; open questions, which more
    sentences answer, have a measure of their own."""
    asks = float(is_open(question.text))
    joint = logit(together.silent)
    return {
        "silent": joint,
        "silent_open": asks * joint,
        "least_silent": min((logit(s.mark.said.silent) for s in scored[:FIRST]), default=logit(1.0)),
        "open": asks,
    }


def stance_features(question: Question, together: Said) -> dict[str, float]:
    """What the best sentences say together, and whether a yes or a no could answer at all. What each of them says adds
    nothing to that."""
    said = {stance: together.stance.get(stance, 0.0) for stance in STANCES}
    return said | {"open": float(is_open(question.text)), "yes_no": float(is_yes_no(question.text))}


def right_features(scored: Sequence[Scored], together: Said) -> dict[str, float]:
    """What both readers make of the first sentence, and the marker of the best together."""
    return {"first": scored[0].logit if scored else -8.0, "silent": logit(together.silent)}


def is_open(text: str) -> bool:
    """Whether a yes or a no would not answer it: "how long do you keep it?", but not "location sharing" """
    asks = _OPEN.search(text)
    return asks is not None and not is_yes_no(text)


def is_yes_no(text: str) -> bool:
    """Whether a yes or a no would answer it: "do you know where I am?", but not "how long do you …"."""
    match = _YES_NO.search(text)
    asks = _OPEN.search(text)
    return match is not None and (asks is None or match.start() < asks.start())


def asks_for_few_words(text: str) -> bool:
    """Whether "two years" or "advertisers" would answer it."""
    asks = _OPEN.search(text)
    return asks is not None and _FEW_WORDS.match(text, asks.start()) is not None
