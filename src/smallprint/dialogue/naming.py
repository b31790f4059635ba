"""Which policy is meant by a name: whole, in part or misspelt; never a guess between two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from smallprint.dialogue.intent import words

# Of names that start alike, "Northwind Bank" and "Northwest Bank" are .86 alike, so that fits are asked about; with a
# letter wrong, left out or too many a name of six letters is at least .83 like itself.
ALIKE = 0.8
SHORTEST_ALIKE = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """A wish for another policy: how it was called, whether words like "now" led to it, and whether it can have been
    no question."""

    name: str
    plainly: bool
    opened: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """The policies that may be meant; `sure` if it can only be the first."""

    names: tuple[str, ...]
    sure: bool


def wanted(said: str) -> Wanted | None:
    """What may be the name of a policy in what was said: "now Northwind Bank", or the bare name. None for more words
    than names have."""
    text = said.strip(" \t\n?!.,…").replace("’", "'")
    match = re.match(rf"(?:(?:ok|okay|so|and|please)\s+)*(?:{_any_of(words()['switch'])})\b\s*", text, re.IGNORECASE)
    name = _bare(text[match.end() :] if match else text)
    if not name or len(name.split()) > 8:
        return None
    opening = match[0].strip().lower() if match else ""
    return Wanted(name, opening in words()["only a switch"], opened=match is not None)


def fitting(wanted: Wanted, names: Iterable[str]) -> Fit:
    """By the best way that fits any: the whole name, its beginning, nearly the same letters, or words of it."""
    known = list(dict.fromkeys(names))
    key = _key(wanted.name)
    for fits, sure, needed in (
        (_same, True, True),
        (_begins, True, True),
        (_alike, wanted.opened, True),
        (_holds, wanted.plainly, wanted.opened),
    ):
        found = tuple(sorted(one for one in known if fits(key, _key(one)))) if needed else ()
        if found:
            return Fit(found, sure and len(found) == 1)
    return Fit((), False)


def closest(name: str, names: Sequence[str], most: int = 3) -> tuple[str, ...]:
    """Names to offer where none fits."""
    key = _key(name)
    return tuple(sorted(names, key=lambda one: -SequenceMatcher(None, key, _key(one)).ratio())[:most])


def _same(key: str, name: str) -> bool:
    return key == name


def _begins(key: str, name: str) -> bool:
    return name.startswith(f"{key} ")


def _holds(key: str, name: str) -> bool:
    return len(key) >= SHORTEST_ALIKE and set(key.split()) <= set(name.split())


def _alike(key: str, name: str) -> bool:
    """Of the whole name, or of as many of its first words."""
    start = " ".join(name.split()[: len(key.split())])
    return len(key) >= SHORTEST_ALIKE and max(_ratio(key, name), _ratio(key, start)) >= ALIKE


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _key(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold().replace("'s", "")))


def _bare(text: str) -> str:
    """Without the words that people put around a name."""
    around = _any_of(words()["around names"])
    return re.sub(
        rf"^(?:(?:{around})\s+)+|(?:\s*(?<![A-Za-z])(?:{around}))+$", "", text.strip(" ,"), flags=re.IGNORECASE
    )


def _any_of(listed: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(listed, key=len, reverse=True))
