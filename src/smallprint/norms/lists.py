"""The word lists by which differences are judged."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_NAMES = ("hollow", "plain", "leading", "qualifying", "exceptions", "months")


@dataclass(frozen=True, slots=True)
class Lists:
    hollow: frozenset[str]
    plain: frozenset[str]
    leading: frozenset[str]
    qualifying: frozenset[str]
    exceptions: frozenset[str]
    months: frozenset[str]
    lists: Mapping[str, frozenset[str]]
    follows: re.Pattern[str]


@cache
def lists() -> Lists:
    stored = tomllib.loads(files("smallprint.norms").joinpath("changes.toml").read_text("utf-8"))
    words = {name: frozenset(stored[name].split()) for name in _NAMES}
    named = {name: frozenset(words.split()) for name, words in stored["lists"].items()}
    return Lists(**words, lists=named, follows=re.compile(stored["follows"]["pattern"], re.IGNORECASE))
