"""How two sentences of one policy stand to each other: contradiction, qualified, compatible or unrelated.

A contradiction is told by rule: an opposition that nothing limits. The other three are told by a straight line over
what both claim, what limits them, the words they use and how close they are; `train/conflicts.py` fits it.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from smallprint.answer.claims import claims_of, lists, things_in
from smallprint.answer.opposition import contradiction, opposition
from smallprint.answer.weights import Linear, read_linear
from smallprint.errors import ModelError
from smallprint.models.catalogue import seen_key
from smallprint.segment.stems import stem

CONTRADICTION = "contradiction"
RELATIONS = ("qualified", "compatible", "unrelated")
WEIGHTS = "conflict_weights.json"
_WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the headings above it."""

    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Relations:
    """`most_limits`: an opposition with no more limits than this is a contradiction."""

    linear: Linear
    most_limits: int
    seen: frozenset[str]

    def label(self, first: Said, second: Said, cosine: float) -> str:
        both = ((first, second), (second, first))
        if any(contradiction(denying.text, affirming.text, self.most_limits) for denying, affirming in both):
            return CONTRADICTION
        chances = self.chances(first, second, cosine)
        return max(chances, key=lambda relation: chances[relation])

    def chances(self, first: Said, second: Said, cosine: float) -> dict[str, float]:
        """Of the three relations of a pair that is no contradiction; they sum to one."""
        return self.linear.chances(features(first, second, cosine))

    def seen_share(self, pairs: list[tuple[str, str]]) -> float:
        """The share of these pairs that the shipped weights learned from."""
        return sum(pair_key(*pair) in self.seen for pair in pairs) / len(pairs) if pairs else 0.0


@cache
def shipped() -> Relations:
    try:
        stored: dict[str, Any] = json.loads(files("smallprint.answer").joinpath(WEIGHTS).read_text("utf-8"))
        return Relations(read_linear(stored["relation"]), int(stored["most_limits"]), frozenset(stored["seen"]))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError("The weights for contradictions are missing or damaged; install Smallprint anew.") from error


def pair_key(first: str, second: str) -> str:
    return seen_key(f"{first} {second}").hex()


def features(first: Said, second: Said, cosine: float) -> Counter[str]:
    """Named values; what is not named is nought."""
    values: Counter[str] = Counter({"cosine": cosine})
    values.update(_claim_features(first.text, second.text))
    values.update(_limit_features(first.text.lower(), second.text.lower()))
    values.update(_overlap_features(first, second))
    for said in (first, second):
        terms = terms_of(said.text)
        values.update({f"word {term}": 1 / math.sqrt(len(terms)) for term in terms})
    return values


def terms_of(text: str) -> frozenset[str]:
    """Stems and pairs of stems."""
    stems = _stems(text)
    return frozenset((*stems, *(f"{a} {b}" for a, b in pairwise(stems))))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.lower().replace("’", "'"))]


def _claim_features(first: str, second: str) -> dict[str, float]:
    sides = [claims_of(text) for text in (first, second)]
    acts = [{claim.act for claim in side} for side in sides]
    denied = [{claim.act for claim in side if claim.denied and claim.actor != "others"} for side in sides]
    turned = denied[0] & (acts[1] - denied[1]) | denied[1] & (acts[0] - denied[0])
    oppositions = [o for o in (opposition(first, second), opposition(second, first)) if o]
    values = {
        "opposed": max((o.closeness for o in oppositions), default=0.0),
        "acts": _share(acts[0], acts[1]),
        "denies": float(sum(map(bool, denied))),
        "denied_act": float(bool(turned)),
        "others": float(sum(any(claim.actor == "others" for claim in side) for side in sides)),
    }
    for act in set(lists().acts.values()):
        values[f"both {act}"] = float(act in acts[0] & acts[1])
        values[f"turned {act}"] = float(act in turned)
    return values


def _limit_features(first: str, second: str) -> dict[str, float]:
    """For each kind of limit and of data whether one side or both have it."""
    values = {}
    for group, patterns in (("narrows", lists().narrows), ("excuses", lists().excuses), ("data", lists().things)):
        for name, pattern in patterns.items():
            held = bool(pattern.search(first)) + bool(pattern.search(second))
            values[f"one {group} {name}"] = float(held == 1)
            values[f"both {group} {name}"] = float(held == 2)
    return values


def _overlap_features(first: Said, second: Said) -> dict[str, float]:
    words = [{s for s in _stems(said.text) if len(s) > 3} for said in (first, second)]
    headings = [set(_stems(said.heading)) for said in (first, second)]
    return {
        "shared": _share(words[0], words[1]),
        "contained": len(words[0] & words[1]) / max(1, min(map(len, words))),
        "things": _share(set(things_in(first.text.lower())), set(things_in(second.text.lower()))),
        "heading": float(bool(headings[0] & headings[1])),
        "same_heading": float(first.heading == second.heading),
        "length": sum(math.log1p(len(said.text.split())) for said in (first, second)),
    }


def _share(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(1, len(first | second))
