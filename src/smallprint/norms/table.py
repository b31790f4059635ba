"""The norms as a table: for each trait how many say yes, no, leave a choice or say both, with the interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from smallprint.norms.figures import STANCES, Group, Norms
from smallprint.norms.statistics import Share
from smallprint.norms.traits import traits
from smallprint.records import plain


@dataclass(frozen=True, slots=True)
class Line:
    """`counts` are by stance, in the order yes, no, choice, mixed; `said` is how many say anything."""

    trait: str
    title: str
    name: str
    counts: tuple[int, ...]
    said: Share


def lines(group: Group) -> Iterator[Line]:
    """The most usual first, group by group."""
    order = {key: n for n, key in enumerate(dict.fromkeys(trait.group for trait in traits().values()))}
    found = [
        Line(key, trait.title, trait.name, group.said.get(key, (0,) * len(STANCES)), group.saying(key))
        for key, trait in traits().items()
    ]
    yield from sorted(found, key=lambda line: (order[line.trait.split("/")[0]], -line.said.count))


def as_json(norms: Norms, sector: str) -> dict[str, Any]:
    group = norms.groups[sector]
    return {
        "corpus": norms.corpus,
        "model": norms.model,
        "own": norms.own,
        "sector": sector,
        "policies": group.policies,
        "sectors": {name: other.policies for name, other in norms.groups.items()},
        "traits": [
            {
                "trait": line.trait,
                "title": line.title,
                "name": line.name,
                **{str(stance): count for stance, count in zip(STANCES, line.counts, strict=True)},
                "said": plain(line.said),
            }
            for line in lines(group)
        ],
        "mentions": {key: plain(group.mentioning(*key.split("/"))) for key in group.mentions},
        "vagueness": plain(group.vagueness),
        "grade": plain(group.grade),
        "vague": {key: plain(spread) for key, spread in group.vague.items()},
    }
