"""What the decision looks at: the question's own kind and what the best sentences are worth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from smallprint.answer.score import Scored
from smallprint.models.judge import STANCES
from smallprint.records import Question

QUESTION_KINDS = ("in_policies", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")
_YES_NO = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|may|might|has|have|am)(?:n['’]?t)?\s+"
    r"(?:i|u|you|ya|they|it|we|my|your|the|this|that|there|any|anyone|someone|people|\w+)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(?:what|which|who|whom|whose|where|when|why|how)\b", re.IGNORECASE)
TOP = 3
# Words that turn or limit what a sentence says.
_CUES = {
    "denies": re.compile(
        r"\b(?:not|never|no|nor|neither|none|cannot|without|prohibit\w*|refuse\w*)\b|n['’]t\b", re.IGNORECASE
    ),
    "limits": re.compile(
        r"\b(?:except\w*|unless|however|but|other than|only|limited|certain|depend\w*|in some cases|where required)\b",
        re.IGNORECASE,
    ),
    "offers": re.compile(
        r"\b(?:opt\w*|unsubscrib\w*|choos\w*|choice\w*|consent\w*|permission|settings?|disable|turn off|withdraw|"
        r"if you (?:want|wish|prefer)|you (?:can|may))\b",
        re.IGNORECASE,
    ),
    "hedges": re.compile(r"\b(?:may|might|could|sometimes|from time to time)\b", re.IGNORECASE),
}


def kind_features(question: Question, scored: Sequence[Scored]) -> dict[str, float]:
    best = [s.logit for s in scored[:TOP]] + [-8.0] * (TOP - len(scored[:TOP]))
    words = len(question.text.split())
    kinds = {f"kind_{k}": math.log(max(question.kinds.get(k, 0.0), 1e-4)) for k in QUESTION_KINDS}
    return {
        **kinds,
        "first": best[0],
        "second": best[1],
        "third": best[2],
        "helpful": sum(s.helps for s in scored),
        "quotable": sum(s.quoted for s in scored),
        "closest": max((s.features["cosine"] for s in scored), default=0.0),
        "coverage": max((s.features["coverage"] for s in scored), default=0.0),
        "length": math.log1p(words),
        "one_word": float(words <= 1),
    }


def stance_features(
    question: Question, scored: Sequence[Scored], said_together: Mapping[str, float]
) -> dict[str, float]:
    """The judge's stances of the best sentences together, of the first, and of all weighed by their chances, and the
    turning words in them."""
    joint = {f"together_{s}": math.log(max(said_together.get(s, 0.0), 1e-3)) for s in STANCES}
    first = {f"first_{s}": scored[0].judgement.stance[s] if scored else 0.0 for s in STANCES}
    total = sum(s.quoted for s in scored) or 1.0
    together = {f"all_{s}": sum(x.quoted * x.judgement.stance[s] for x in scored) / total for s in STANCES}
    cues = {}
    for name, pattern in _CUES.items():
        cues[f"first_{name}"] = float(bool(scored and pattern.search(scored[0].sentence.text)))
        cues[f"all_{name}"] = sum(x.quoted * bool(pattern.search(x.sentence.text)) for x in scored) / total
        cues[f"question_{name}"] = float(bool(pattern.search(question.text)))
    best = max((s.quoted for s in scored), default=0.0)
    return {**joint, **first, **together, **cues, "best": best, "yes_no": float(is_yes_no(question.text))}


def right_features(answerable: float, scored: Sequence[Scored]) -> dict[str, float]:
    first = scored[0].logit if scored else -8.0
    second = scored[1].logit if len(scored) > 1 else -8.0
    return {
        "answerable": math.log(max(answerable, 1e-4) / max(1 - answerable, 1e-4)),
        "first": first,
        "gap": first - second,
    }


def is_yes_no(text: str) -> bool:
    """Whether a yes or a no would answer it. "Do you know how long …" is open."""
    match = _YES_NO.search(text)
    asks = _OPEN.search(text)
    return match is not None and (asks is None or match.start() < asks.start())
