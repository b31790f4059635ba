"""A policy against a list of what a law wants it to tell: each item found, partly found or not found.

A sentence with the item's own words is enough; else, where other words could tell it too, the policy is asked: an
answer it is sure of and from the right practice counts as found, a less sure one as partly found. What is not found
may still be there: this finds sentences, it gives no legal advice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from smallprint import taxonomy
from smallprint.errors import NormsError
from smallprint.records import Answer, BlockKind, Practice, Reading, Sentence

WARNING: Final = (
    "This is no legal advice. It tells which sentences seem to cover each item, not whether they satisfy the law; "
    "what is not found may be there in other words, and some items do not apply to everyone."
)
NAMES: Final = ("gdpr", "ccpa", "coppa")
# Confidence in an answer is the chance that its best sentence is one people would quote.
SURE: Final = 0.6
LIKELY: Final = 0.35

Ask = Callable[[str], Answer]


class State(StrEnum):
    FOUND = "found"
    PARTLY = "partly"
    MISSING = "not found"


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    cue: re.Pattern[str]
    asks: str
    practice: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    title: str
    law: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    name: str
    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class CheckedPart:
    name: str
    state: State
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class CheckedItem:
    title: str
    law: str
    state: State
    parts: tuple[CheckedPart, ...]


@dataclass(frozen=True, slots=True)
class Check:
    against: str
    title: str
    items: tuple[CheckedItem, ...]
    warning: str = WARNING

    def count(self, state: State) -> int:
        return sum(item.state is state for item in self.items)


@cache
def checklist(name: str) -> Checklist:
    if name not in NAMES:
        raise NormsError(f"There is no checklist {name!r} (known: {', '.join(NAMES)}).")
    stored = tomllib.loads(files("smallprint.norms").joinpath(f"checklists/{name}.toml").read_text("utf-8"))
    items = tuple(Item(row["title"], row["law"], tuple(_part(part) for part in row["part"])) for row in stored["item"])
    return Checklist(name, stored["title"], items)


def check(
    reading: Reading,
    practices: Sequence[Practice],
    wanted: Checklist,
    ask: Ask,
    *,
    progress: Callable[[str], None] = lambda _: None,
) -> Check:
    sentences = [s for s in reading.sentences if s.kind is not BlockKind.HEADING]
    categories = {(practice.segment, practice.category) for practice in practices}

    def checked(part: Part) -> CheckedPart:
        hit = _by_words(part, sentences, categories)
        if hit:
            return CheckedPart(part.name, State.FOUND, hit)
        return _by_answer(part, ask(part.asks), categories) if part.asks else CheckedPart(part.name, State.MISSING)

    items = []
    for item in wanted.items:
        progress(item.title)
        parts = tuple(checked(part) for part in item.parts)
        items.append(CheckedItem(item.title, item.law, _together(parts), parts))
    return Check(wanted.name, wanted.title, tuple(items))


def _by_words(part: Part, sentences: Sequence[Sentence], categories: set[tuple[int, str]]) -> Sentence | None:
    """The first sentence with the cue; one from the right practice goes first."""
    found = [s for s in sentences if part.cue.search(f"{s.lead_in} {s.text}" if s.lead_in else s.text)]
    fitting = [s for s in found if (s.segment, part.practice) in categories]
    return next(iter(fitting or found), None)


def _by_answer(part: Part, answer: Answer, categories: set[tuple[int, str]]) -> CheckedPart:
    if not answer.verdict.is_answer or answer.confidence < LIKELY:
        return CheckedPart(part.name, State.MISSING)
    sentence = answer.evidence[0].sentence
    fits = (sentence.segment, part.practice) in categories
    state = State.FOUND if answer.confidence >= SURE and (fits or not part.practice) else State.PARTLY
    return CheckedPart(part.name, state, sentence)


def _together(parts: Sequence[CheckedPart]) -> State:
    states = {part.state for part in parts}
    return states.pop() if len(states) == 1 else State.PARTLY


def _part(row: dict[str, str]) -> Part:
    practice = row.get("practice", "")
    if practice:
        taxonomy.category(practice)
    return Part(row["name"], re.compile(row["cue"], re.IGNORECASE), row.get("asks", ""), practice)
