"""Lengths of time in a statement, and which way they went: "90 days" that became "one year"."""

from __future__ import annotations

import re
from enum import Enum

from smallprint.norms.aligning import Difference

_UNITS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.5, "year": 365.0}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_NUMBERS |= {"nine": 9, "ten": 10, "twelve": 12, "fourteen": 14, "eighteen": 18}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90}
_BETWEEN = frozenset(("business", "calendar", "working", "consecutive", "full"))
_KEEPING = re.compile(r"\b(?:keep|kept|retain|retention|stor(?:e|ed|age)|held|hold|delet|eras|remov|purg|expire)", re.I)


class Way(Enum):
    LONGER = "longer"
    SHORTER = "shorter"
    OTHER = "other"
    """Not about how long something is kept: which way is better for people cannot be told."""


def way_of(difference: Difference) -> Way | None:
    """None where no length of time changed."""
    if not difference.old or not difference.new:
        return None
    old, new = (side.statement.words.bare[slice(*side.quoted)] for side in (difference.old, difference.new))
    went, came = days(old), days(new)
    if len(went) != 1 or len(came) != 1 or went == came:
        return None
    if not _KEEPING.search(difference.new.statement.text):
        return Way.OTHER
    return Way.LONGER if max(came) > max(went) else Way.SHORTER


def days(words: tuple[str, ...]) -> set[float]:
    """Every length of time among bare words, in days."""
    found = set()
    for place, word in enumerate(words):
        unit = _UNITS.get(word.removesuffix("s"))
        number = _number([w for w in words[max(0, place - 3) : place] if w not in _BETWEEN])
        if unit and number:
            found.add(unit * number)
    return found


def _number(before: list[str]) -> int:
    """That the last words tell, nought where they tell none."""
    last, tens = (before[-1] if before else ""), (before[-2] if len(before) > 1 else "")
    if last.isdecimal():
        return int(last) if len(last) < len("1000") else 0
    return _TENS.get(last, 0) or (_NUMBERS[last] + _TENS.get(tens, 0) if last in _NUMBERS else 0)
