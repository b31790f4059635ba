"""What changed in practice between two versions of a policy.

Differences are found by their words (`aligning`), described by cues and the reader's opinion (`cues`, `mind`), and
weighed by two small linear models that `train/changes.py` fits: does it matter, and how much. Its kind is told by rule.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from smallprint.answer.weights import Linear, read_linear
from smallprint.errors import ModelError
from smallprint.models.catalogue import seen_key
from smallprint.norms.aligning import QUOTE, Difference, differences
from smallprint.norms.cues import Setting, cues, is_hollow, key_of, prose
from smallprint.norms.kinds import breaks_a_promise, kind_of
from smallprint.norms.mind import Mind
from smallprint.norms.periods import way_of
from smallprint.norms.summing_up import summary
from smallprint.norms.wording import Wording
from smallprint.records import Change, ChangeKind, Revision

WEIGHTS = "change_weights.json"
BROKEN_PROMISE = 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """A difference with its cues; empty where it is a line without prose, which is not even read."""

    difference: Difference
    values: Mapping[str, float]
    category: str


@dataclass(frozen=True, slots=True)
class Weights:
    """`matters`: from `threshold` on a difference is reported; `severity` of those that are."""

    matters: Linear
    severity: Linear
    threshold: float
    seen: frozenset[str]

    def seen_share(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
        """The share of these pairs of versions that the shipped weights learned from."""
        return sum(pair_key(*pair) in self.seen for pair in pairs) / len(pairs) if pairs else 0.0


@cache
def shipped() -> Weights:
    try:
        stored: dict[str, Any] = json.loads(files("smallprint.norms").joinpath(WEIGHTS).read_text("utf-8"))
        matters, severity = (read_linear(stored[name]) for name in ("matters", "severity"))
        return Weights(matters, severity, float(stored["threshold"]), frozenset(stored["seen"]))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError("The weights for changes are missing or damaged; install Smallprint anew.") from error


def pair_key(old: Sequence[str], new: Sequence[str]) -> str:
    return seen_key("\n".join((*old, "→", *new))).hex()


def revision(old: Wording, new: Wording, mind: Mind, weights: Weights) -> Revision:
    """All differences from one version to the next, as changes; whoever knows the days writes them in."""
    found = [to_change(weighed, weights) for weighed in weigh(old, new, mind)]
    matter = tuple(change for change in found if change.kind.matters)
    return Revision("", "", matter, tuple(c for c in found if not c.kind.matters), _moved(old, new))


def weigh(old: Wording, new: Wording, mind: Mind) -> list[Weighed]:
    """The differences with what tells about them; the same words replaced in many places count once."""
    if old.row == new.row:
        return []
    found = differences(old, new, mind.meaning)
    setting = Setting.of(old, new, found)
    once = list({key_of(difference): difference for difference in reversed(found)}.values())[::-1]
    return [_weighed(d, setting, said, mind) for d, said in zip(once, _said(once, mind), strict=True)]


def to_change(weighed: Weighed, weights: Weights) -> Change:
    difference, values = weighed.difference, weighed.values
    chance = weights.matters.chance(values) if values and not is_hollow(difference) else 0.0
    matters = chance >= weights.threshold or way_of(difference) is not None
    kind = kind_of(difference, values) if values and matters else _quiet(weighed)
    severity = severity_of(difference, values, weights) if kind.matters else 0
    old, new = (side.quote if side else "" for side in (difference.old, difference.new))
    return Change(kind, weighed.category, summary(kind, difference), old, new, severity, round(chance, 3))


def severity_of(difference: Difference, values: Mapping[str, float], weights: Weights) -> int:
    """1 to 3; a promise or a limit that went is never a small thing."""
    chances = weights.severity.chances(values)
    likeliest = int(max(chances, key=lambda outcome: chances[outcome]))
    return max(likeliest, BROKEN_PROMISE) if breaks_a_promise(difference) else likeliest


def _said(found: Sequence[Difference], mind: Mind) -> list[Sequence[Mapping[str, float]]]:
    """What the sides of each difference are about, nothing where it is no prose. What came or went was read to find its
    partner; for a clause put otherwise its words will do (five-fold .814 / .735 / .800 / .079 by words, .813 / .744 /
    .793 / .072 read)."""
    told = [d for d in found if _is_prose(d)]
    alone = [d for d in told if len(d.sides) == 1]
    said: dict[int, Sequence[Mapping[str, float]]] = {
        id(d): mind.chances_by_words([side.quote for side in d.sides]) for d in told if len(d.sides) > 1
    }
    read = mind.chances([d.sides[0].quote for d in alone])
    said |= {id(d): [chances] for d, chances in zip(alone, read, strict=True)}
    return [said.get(id(d), ()) for d in found]


def _weighed(d: Difference, setting: Setting, said: Sequence[Mapping[str, float]], mind: Mind) -> Weighed:
    return Weighed(d, cues(d, setting, said), mind.category(said[-1])) if said else Weighed(d, {}, "other")


def _is_prose(difference: Difference) -> bool:
    return any(prose(side.statement.text) for side in difference.sides)


def _quiet(weighed: Weighed) -> ChangeKind:
    """What does not matter is housekeeping, or a sentence put differently."""
    values = weighed.values
    tidied = not values or any(
        values[name] for name in ("spelled", "renamed", "no content", "any contact", "any furniture")
    )
    if tidied or not values["paired"] or values["dates"] >= 0.5:
        return ChangeKind.HOUSEKEEPING
    return ChangeKind.REWORDED


def _moved(old: Wording, new: Wording) -> int:
    """Paragraphs that both versions have, in another order: those that are out of the longest run in order."""
    places = {words.bare: n for n, words in enumerate(old.words) if len(words.bare) >= QUOTE}
    order = [places[words.bare] for words in new.words if words.bare in places]
    tails: list[int] = []
    for place in order:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(set(order)) - len(tails)
