"""A Policy as flat values and as JSON: the library's columns and the cache's files hold the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from smallprint.records import Block, BlockKind, Facets, Policy, plain

COLUMNS: Final = ("source", "url", "title", "media", "language", "p_policy", "notes", "blocks", "text")
# Initials, because a policy has hundreds of blocks.
_KINDS: Final = {kind.value[0]: kind for kind in BlockKind}


def to_row(policy: Policy) -> dict[str, str | float | None]:
    """One scalar for each of COLUMNS. Lone surrogates, which UTF-8 can't hold, become question marks."""
    return {
        "source": storable(policy.source),
        "url": None if policy.url is None else storable(policy.url),
        "title": storable(policy.title),
        "media": policy.media,
        "language": policy.language,
        "p_policy": policy.p_policy,
        "notes": _dense([storable(note) for note in policy.notes]),
        "blocks": _dense([(b.kind.value[0], b.level, b.start, b.end) for b in policy.blocks]),
        "text": policy.text,
    }


def from_row(row: Mapping[str, Any]) -> Policy:
    """The Policy again; ValueError where the values do not make one."""
    try:
        blocks = tuple(Block(_KINDS[kind], *numbers) for kind, *numbers in json.loads(row["blocks"]))
        values = {name: row[name] for name in COLUMNS}
        if any(not 0 <= b.start <= b.end <= len(values["text"]) for b in blocks):
            raise ValueError("a block lies outside the text")
        return Policy(**values | {"blocks": blocks, "notes": tuple(json.loads(row["notes"]))})
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a stored policy: {error!r}") from error


def to_json(policy: Policy) -> str:
    return _dense(to_row(policy))


def from_json(text: str) -> Policy:
    """The Policy that `to_json` wrote; ValueError for anything else."""
    return from_row(json.loads(text))


def facets_to_json(facets: Facets) -> str:
    return _dense(plain(facets))


def facets_from_json(text: str) -> Facets:
    """The Facets again. Fields that came later have their defaults, fields that went are passed over."""
    try:
        values = json.loads(text)
        known: dict[str, Any] = {f.name: values[f.name] for f in fields(Facets) if f.name in values}
        known |= {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
        return Facets(**known)
    except TypeError as error:
        raise ValueError(f"not stored facets: {error!r}") from error


def storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _dense(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
