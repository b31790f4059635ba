"""The rows of one version: its text, what was read from it, and what the index wants to know of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from smallprint.library import findings, placing
from smallprint.library.entries import Annotation, Shelved, Text
from smallprint.library.serial import COLUMNS, facets_from_json, facets_to_json, from_row, to_row
from smallprint.records import Policy

_INSERT: Final = (
    f"INSERT INTO versions (service, digest, seen, words, {', '.join(COLUMNS)}) "
    f"VALUES (:service, :digest, :seen, :words, {', '.join(f':{column}' for column in COLUMNS)})"
)
_SHELVED: Final = f"""
    SELECT v.id, s.name, s.domain, s.rank, v.seen, v.words, {", ".join(f"v.{column}" for column in COLUMNS)},
           p.text AS page, a.facets, a.model,
           v.id = (SELECT id FROM versions WHERE service = s.id ORDER BY seen DESC, id DESC LIMIT 1) AS newest
    FROM versions AS v
    JOIN services AS s ON s.id = v.service
    LEFT JOIN pages AS p ON p.version = v.id
    LEFT JOIN annotations AS a ON a.version = v.id
    WHERE v.id = ? AND s.removed IS NULL AND v.id NOT IN (SELECT version FROM duplicates)
"""
_OTHERS: Final = """
    SELECT DISTINCT s.name FROM duplicates AS d
    JOIN versions AS v ON v.id = d.version
    JOIN services AS s ON s.id = v.service
    WHERE d.kept = ? AND s.removed IS NULL ORDER BY s.key
"""


_WITH_SERVICE: Final = "FROM versions AS v JOIN services AS s ON s.id = v.service WHERE v.id = ?"


def put(db: sqlite3.Connection, service: int, policy: Policy, seen: str | None) -> tuple[int, bool]:
    """A version of the service with this text: its id, and whether it is new. Inside a write transaction."""
    time = placing.time_for(db, service, seen)
    version = placing.same_text_beside(db, service, policy.digest, time)
    new = version is None
    if version is None:
        facts = {"service": service, "digest": policy.digest, "seen": time, "words": policy.words}
        version = db.execute(_INSERT, facts | to_row(policy)).lastrowid
        assert version is not None
        db.execute("INSERT INTO pending (version, op) VALUES (?, 'upsert')", (version,))
    else:
        db.execute("UPDATE versions SET seen = min(seen, ?) WHERE id = ?", (time, version))
    db.execute("UPDATE services SET last_seen = max(last_seen, ?) WHERE id = ?", (time, service))
    return version, new


def annotate(db: sqlite3.Connection, version: int, annotation: Annotation) -> None:
    row = (version, annotation.model, facets_to_json(annotation.facets))
    db.execute("INSERT OR REPLACE INTO annotations (version, model, facets) VALUES (?, ?, ?)", row)
    if annotation.findings is not None:
        findings.keep(db, version, annotation.findings)
    db.execute("INSERT OR REPLACE INTO pending (version, op) VALUES (?, 'upsert')", (version,))


def keep_page(db: sqlite3.Connection, version: int, text: str) -> None:
    db.execute("INSERT OR REPLACE INTO pages (version, text) VALUES (?, ?)", (version, text))


def annotation(row: Mapping[str, str | None]) -> Annotation | None:
    if row["facets"] is None or row["model"] is None:
        return None
    return Annotation(facets_from_json(row["facets"]), row["model"])


def shelved(db: sqlite3.Connection, versions: Iterable[int]) -> list[Shelved]:
    """Those of the versions that the index should hold: neither removed nor folded under another."""
    found = []
    for version in versions:
        row = db.execute(_SHELVED, (version,)).fetchone()
        if row is not None:
            others = tuple(name for (name,) in db.execute(_OTHERS, (version,)))
            found.append(_shelved(row, others))
    return found


def _shelved(row: Any, others: tuple[str, ...]) -> Shelved:
    return Shelved(
        version=row["id"],
        name=row["name"],
        domain=row["domain"],
        seen=row["seen"],
        words=row["words"],
        newest=bool(row["newest"]),
        policy=from_row(row),
        page=row["page"] or "",
        annotation=annotation(row),
        rank=row["rank"],
        others=others,
    )


def texts(db: sqlite3.Connection, versions: Iterable[int]) -> list[Text]:
    query = f"SELECT v.id, s.name, s.domain, {', '.join(f'v.{column}' for column in COLUMNS)} {_WITH_SERVICE}"
    rows = (db.execute(query, (version,)).fetchone() for version in versions)
    return [Text(row["id"], row["name"], row["domain"], from_row(row)) for row in rows if row is not None]


_OUTDATED: Final = "FROM versions AS v LEFT JOIN annotations AS a ON a.version = v.id WHERE a.model IS NOT ?"


def outdated(db: sqlite3.Connection, model: str, after: int, limit: int) -> list[int]:
    """Versions that another model read, or none, beyond the id `after`."""
    rows = db.execute(f"SELECT v.id {_OUTDATED} AND v.id > ? ORDER BY v.id LIMIT ?", (model, after, limit))
    return [version for (version,) in rows]


def outdated_count(db: sqlite3.Connection, model: str) -> int:
    return int(db.execute(f"SELECT count(*) {_OUTDATED}", (model,)).fetchone()[0])


def set_ranks(db: sqlite3.Connection, ranks: Mapping[str, int], of: Sequence[sqlite3.Row]) -> int:
    """Give services the rank of their domain; those whose rank changed are told to the index. How many."""
    changed = 0
    for service in of:
        rank = _rank(service["domain"], ranks)
        if rank != service["rank"]:
            db.execute("UPDATE services SET rank = ? WHERE id = ?", (rank, service["id"]))
            db.execute(
                "INSERT OR REPLACE INTO pending (version, op) SELECT id, 'upsert' FROM versions WHERE service = ?",
                (service["id"],),
            )
            changed += 1
    return changed


def _rank(domain: str | None, ranks: Mapping[str, int]) -> int | None:
    """Of the domain, else of the nearest domain above it: help.acme.com is as popular as acme.com."""
    while domain and "." in domain:
        if domain in ranks:
            return ranks[domain]
        domain = domain.split(".", 1)[1]
    return None
