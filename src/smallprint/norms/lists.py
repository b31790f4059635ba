"""The word lists by which differences are judged."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

_NAMES = ("hollow", "plain", "leading", "qualifying", "exceptions", "months")


@dataclass(frozen=True)
class Lists:
    hollow: frozenset[str]
    plain: frozenset[str]
    leading: frozenset[str]
    qualifying: frozenset[str]
    exceptions: frozenset[str]
    months: frozenset[str]
    lists: Mapping[str, frozenset[str]]
    follows: re.Pattern[str]

    @cached_property
    def listing(self) -> Mapping[str, tuple[str, ...]]:
        """Of each listed word the names of the lists that have it."""
        words = frozenset().union(*self.lists.values())
        return {word: tuple(name for name, listed in self.lists.items() if word in listed) for word in words}


@cache
def lists() -> Lists:
    stored = tomllib.loads(files("smallprint.norms").joinpath("changes.toml").read_text("utf-8"))
    words = {name: frozenset(stored[name].split()) for name in _NAMES}
    named = {name: frozenset(words.split()) for name, words in stored["lists"].items()}
    return Lists(**words, lists=named, follows=re.compile(stored["follows"]["pattern"], re.IGNORECASE))
