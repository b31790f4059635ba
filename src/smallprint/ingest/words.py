"""The extractors' word lists, from words.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Words:
    """Each list is explained where it stands."""

    links: frozenset[str]
    strong: frozenset[str]
    weak: frozenset[str]
    cookie: frozenset[str]
    banner: frozenset[str]
    frame: frozenset[str]
    roles: frozenset[str]
    link_roles: frozenset[str]
    tags: frozenset[str]
    link_tags: frozenset[str]
    heading: frozenset[str]
    skipped: frozenset[str]
    inline: frozenset[str]
    small: frozenset[str]
    voice: frozenset[str]
    noise: frozenset[str]


@cache
def words() -> Words:
    raw = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return Words(**{name: frozenset(listed) for name, listed in raw.items()})
