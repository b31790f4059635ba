"""What a policy mentions by name: tracking technology, self-regulatory bodies, regulations.

A mention is a mention, as in PrivaSeer: "we use no cookies" mentions cookies. What a policy does is for practices.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FACETS = ("tracking", "bodies", "regulations")


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that may be mentioned; `yes` and `no` are its tested examples."""

    facet: str
    key: str
    name: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    yes: tuple[str, ...]
    no: tuple[str, ...]

    def find(self, text: str) -> tuple[int, int] | None:
        """Where it is first mentioned."""
        found = self.pattern.search(text)
        if found is None or (self.unless is not None and self.unless.search(text)):
            return None
        return found.span()


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order of their file."""
    raw = tomllib.loads(source())
    return tuple(
        Rule(
            facet=facet,
            key=key,
            name=rule["name"],
            needs=tuple(rule["needs"]),
            pattern=re.compile(rule["pattern"]),
            unless=re.compile(rule["unless"]) if "unless" in rule else None,
            yes=tuple(rule["yes"]),
            no=tuple(rule["no"]),
        )
        for facet in FACETS
        for key, rule in raw[facet].items()
    )


def source() -> str:
    return files("smallprint.annotate").joinpath("mentions.toml").read_text(encoding="utf-8")


def mentions(text: str) -> dict[str, tuple[str, ...]]:
    """For each facet the keys of what the text mentions, in the order of their file."""
    found: dict[str, list[str]] = {facet: [] for facet in FACETS}
    folded = " ".join(text.lower().split())
    for rule in rules():
        if any(need in folded for need in rule.needs) and rule.find(text):
            found[rule.facet].append(rule.key)
    return {facet: tuple(keys) for facet, keys in found.items()}
