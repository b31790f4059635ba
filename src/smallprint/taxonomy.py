"""OPP-115: ten categories of practices, their attributes and values, and names that people understand.

The scheme is that of Wilson et al. (2016); `taxonomy.json` holds its names as data sets write them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """`key` is the short name, `name` the scheme's own, `plain` what a person reads."""

    key: str
    name: str
    plain: str
    attributes: tuple[Attribute, ...]


@cache
def _data() -> dict[str, list[dict[str, object]]]:
    loaded: dict[str, list[dict[str, object]]] = json.loads(
        files("smallprint").joinpath("taxonomy.json").read_text("utf-8")
    )
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


def _category(row: dict[str, object]) -> Category:
    attributes = row["attributes"]
    assert isinstance(attributes, list)
    return Category(
        key=str(row["key"]),
        name=str(row["name"]),
        plain=str(row["plain"]),
        attributes=tuple(Attribute(a["name"], tuple(a["values"])) for a in attributes),
    )
