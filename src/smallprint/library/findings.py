"""What the reader made of one text, kept beside it: with a version in the library, with a file in the cache.

Findings save time and nothing else: where they can't be kept or don't fit any more, they are made again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from smallprint.records import Practice, plain

_KEEP: Final = """
    INSERT INTO findings (version, fingerprint, practices, vectors) VALUES (?, ?, ?, ?)
    ON CONFLICT (version) DO UPDATE SET
        practices = coalesce(excluded.practices, CASE fingerprint WHEN excluded.fingerprint THEN practices END),
        vectors = coalesce(excluded.vectors, CASE fingerprint WHEN excluded.fingerprint THEN vectors END),
        fingerprint = excluded.fingerprint
"""


@dataclass(frozen=True, slots=True)
class Findings:
    """`fingerprint` names the reader and the exact sentences it read; None is what was not asked for yet.

    `vectors` are half-precision numbers, 384 for each sentence in order, NaN for a sentence that no question needed.
    """

    fingerprint: str
    practices: tuple[Practice, ...] | None = None
    vectors: bytes | None = None


class Keeper(Protocol):
    """Where the findings of one text are kept. What can't be kept is no error."""

    def load(self) -> Findings | None: ...

    def keep(self, findings: Findings) -> None:
        """What is None stays as it was, unless the fingerprint is another."""


def merged(old: Findings | None, new: Findings) -> Findings:
    """As `keep` writes it into the library."""
    if old is None or old.fingerprint != new.fingerprint:
        return new
    practices = old.practices if new.practices is None else new.practices
    return Findings(new.fingerprint, practices, old.vectors if new.vectors is None else new.vectors)


def keep(db: sqlite3.Connection, version: int, findings: Findings) -> None:
    practices = None if findings.practices is None else to_json(findings.practices)
    db.execute(_KEEP, (version, findings.fingerprint, practices, findings.vectors))


def load(db: sqlite3.Connection, version: int) -> Findings | None:
    row = db.execute("SELECT fingerprint, practices, vectors FROM findings WHERE version = ?", (version,)).fetchone()
    return None if row is None else from_row(row)


def from_row(row: Mapping[str, Any]) -> Findings:
    """ValueError where the values make no findings."""
    practices = None if row["practices"] is None else from_json(row["practices"])
    return Findings(row["fingerprint"], practices, row["vectors"])


def to_json(practices: tuple[Practice, ...]) -> str:
    rows = [list(_fields(practice).values()) for practice in practices]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Practice, ...]:
    try:
        return tuple(
            Practice(segment, category, chance, tuple((a, v) for a, v in values), tuple(stance), tuple(sentences))
            for segment, category, chance, values, stance, sentences in json.loads(text)
        )
    except TypeError as error:
        raise ValueError(f"not stored practices: {error!r}") from error


def to_bytes(findings: Findings) -> bytes:
    """For the cache: a line of JSON, then the vectors."""
    practices = None if findings.practices is None else to_json(findings.practices)
    head = {"fingerprint": findings.fingerprint, "practices": practices, "vectors": findings.vectors is not None}
    return json.dumps(head, ensure_ascii=False).encode() + b"\n" + (findings.vectors or b"")


def from_bytes(content: bytes) -> Findings:
    """The Findings that `to_bytes` wrote; ValueError for anything else."""
    head, _, vectors = content.partition(b"\n")
    try:
        row = json.loads(head)
        return from_row(row | {"vectors": vectors if row["vectors"] else None})
    except (KeyError, TypeError) as error:
        raise ValueError(f"not kept findings: {error!r}") from error


def _fields(practice: Practice) -> dict[str, Any]:
    made = plain(practice)
    assert isinstance(made, dict)
    return made
