"""What a person wants with what they say, where it is no question about the policy. The words are in `said.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from smallprint.records import Choice

_MARKS = ' \t\n?!.,…:;"“”'
INTENTS = ("more", "why", "repeat", "help", "start over", "forget", "policies", "which", "thanks", "yes", "no")


@cache
def words() -> dict[str, Any]:
    """The lists of the data file."""
    loaded: dict[str, Any] = json.loads(files("smallprint.dialogue").joinpath("said.json").read_text("utf-8"))
    return loaded


def intent(said: str) -> str | None:
    """One of INTENTS; None for all else, as questions."""
    return _intents().get(_plain(said)) or _intents().get(_without_politeness(_plain(said)))


def chosen(said: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice that was picked by its number, its place or its words; None where it is not plainly one."""
    plain = _plain(said)
    place = _place(plain)
    if place is not None:
        place = len(choices) if place == -1 else place
        return choices[place - 1] if 1 <= place <= len(choices) else None
    fitting = [choice for choice in choices if plain in (_plain(choice.label), _plain(choice.ask))]
    fitting = fitting or [choice for choice in choices if len(plain) > 3 and plain in _plain(choice.label)]
    return fitting[0] if len(fitting) == 1 else None


def _place(plain: str) -> int | None:
    """ "2", "number two", "the second one" is 2; -1 is the last."""
    match = re.fullmatch(r"(?:(?:the|number|option|choice|no)\s+)*(\w+)(?:\s+(?:one|option|choice))?", plain)
    if match is None:
        return None
    return int(match[1]) if match[1].isdecimal() and len(match[1]) < 3 else words()["ordinals"].get(match[1])


@cache
def _intents() -> dict[str, str]:
    return {_plain(said): name for name in INTENTS for said in words()[name]}


def _plain(said: str) -> str:
    return " ".join(said.lower().replace("’", "'").strip(_MARKS).replace(",", " ").split())


def _without_politeness(plain: str) -> str:
    polite = "|".join(map(re.escape, words()["polite"]))
    return re.sub(rf"^(?:(?:{polite})\s+)+|\s+please$", "", plain)
