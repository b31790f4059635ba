"""OPP-115: ten categories of practices, their attributes and values, and names that people understand.

The scheme is that of Wilson et al. (2016); `taxonomy.json` holds its names as data sets write them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """What a value is called: `key` in facets, `plain` before people. Some values of the scheme share theirs."""

    key: str
    plain: str


@dataclass(frozen=True, slots=True)
class Category:
    """`key` is the short name, `name` the scheme's own, `plain` what a person reads."""

    key: str
    name: str
    plain: str
    attributes: tuple[Attribute, ...]


@cache
def _data() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(files("smallprint").joinpath("taxonomy.json").read_text("utf-8"))
    return loaded


@cache
def categories() -> tuple[Category, ...]:
    return tuple(_category(row) for row in _data()["categories"])


@cache
def labels() -> tuple[str, ...]:
    """The twelve labels of the benchmark: nine categories, and "Other" split into its three usual kinds."""
    return tuple(str(label) for label in _data()["labels"])


def category(key_or_name: str) -> Category:
    """The category with that key or name; `KeyError` where there is none. The parts of "Other" lead to it."""
    by_name = {key: c for c in categories() for key in (c.key, c.name)}
    return by_name[key_or_name] if key_or_name in by_name or key_or_name not in labels() else by_name["other"]


@cache
def words(attribute: str) -> dict[str, Words]:
    """Value → words, in the order of the file. Values that say nothing ("Unspecified", "Other") mostly have none."""
    return {value: Words(**row) for value, row in _data()["words"][attribute].items()}


def _category(row: dict[str, Any]) -> Category:
    return Category(
        key=row["key"],
        name=row["name"],
        plain=row["plain"],
        attributes=tuple(Attribute(a["name"], tuple(a["values"])) for a in row["attributes"]),
    )
