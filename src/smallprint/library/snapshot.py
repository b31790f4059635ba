"""The library as Parquet and back: everything but what was removed and what could not be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from smallprint.errors import SnapshotUnusable
from smallprint.library import findings, folding, names, placing, shelving
from smallprint.library.intake import Intake, Transaction
from smallprint.library.parquet import Place, Row, in_order, writing, writing_buckets
from smallprint.library.serial import COLUMNS, storable
from smallprint.library.snapshot_row import SHAPE, SnapshotRow, from_columns, row_key

Progress = Callable[[int], None]
_BATCH: Final = 50  # versions stored in one transaction
_EVERYTHING: Final = f"""
    SELECT v.id, s.name AS service, s.domain, s.source AS service_source, s.last_seen, s.rank, v.digest, v.seen,
           {", ".join(f"v.{column}" for column in COLUMNS)}, p.text AS page, a.model, a.facets,
           f.fingerprint, f.practices, f.vectors, g.signature, d.kept AS kept_version
    FROM versions AS v
    JOIN services AS s ON s.id = v.service
    LEFT JOIN pages AS p ON p.version = v.id
    LEFT JOIN annotations AS a ON a.version = v.id
    LEFT JOIN findings AS f ON f.version = v.id
    LEFT JOIN signatures AS g ON g.version = v.id
    LEFT JOIN duplicates AS d ON d.version = v.id
    WHERE s.removed IS NULL ORDER BY v.id
"""
_NAMED: Final = """
    SELECT s.name, v.digest, v.seen, a.model FROM versions AS v
    JOIN services AS s ON s.id = v.service LEFT JOIN annotations AS a ON a.version = v.id
    WHERE v.id = ? AND s.removed IS NULL
"""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """`stored` versions are new here, `unchanged` were there with the same text, `before` an import that was cut short
    had taken in."""

    stored: int = 0
    unchanged: int = 0
    before: int = 0


def export(transaction: Transaction, path: str, progress: Progress) -> int:
    """Write the library as one file (where the name ends in .parquet) or as a folder of buckets; how many versions.

    One moment of the library, whole or not at all; what was there at `path` is replaced if it is a snapshot.
    """
    place = Place(path)
    _must_be_ours(place)
    to_file = place.name.endswith(".parquet")
    part = place if to_file else place.beside()
    count = 0
    try:
        with (writing if to_file else writing_buckets)(part, SHAPE) as add, transaction("DEFERRED") as db:
            for count, row in enumerate(_rows(db), 1):
                add(row)
                progress(count)
        if not to_file:
            _swap(part, place)
    except BaseException:
        if not to_file:
            part.remove()
        raise
    return count


def take_in(transaction: Transaction, path: str, progress: Progress) -> TakenIn:
    """Store what a snapshot holds. It is read to its end before anything is written; after that a kill costs only work
    in flight, and the same import goes on."""
    place = Place(path)
    if not place.is_file() and not place.files():
        raise SnapshotUnusable(f"There is no snapshot at {place.path}: no Parquet file.")
    for _ in _checked(place):
        pass
    intake = Intake(transaction, f"snapshot {place.path}")
    taken, count = TakenIn(), 0
    rows = _checked(place)
    while batch := list(islice(rows, _BATCH)):
        taken = _store(transaction, intake, batch, taken)
        progress(count := count + len(batch))
    with transaction("IMMEDIATE") as db:
        _settle(db, [(row["key"], row["kept"]) for row in in_order(place, SHAPE, ("number", "key", "kept"))])
    intake.finish()
    return taken


def _rows(db: sqlite3.Connection) -> Iterator[Row]:
    for number, row in enumerate(db.execute(_EVERYTHING)):
        values: dict[str, Any] = dict(row)
        version, kept = values.pop("id"), values.pop("kept_version")
        key = row_key(row["service"], row["digest"], row["seen"], row["model"])
        documents = [k for (k,) in db.execute("SELECT key FROM documents WHERE version = ? ORDER BY key", (version,))]
        standing = None if kept is None else db.execute(_NAMED, (kept,)).fetchone()
        yield values | {
            "number": number,
            "key": key,
            "kept": None if standing is None else row_key(*standing),
            "documents": [one for one in documents if one != key],
        }


def _checked(place: Place) -> Iterator[SnapshotRow]:
    for row in in_order(place, SHAPE):
        try:
            yield from_columns(row)
        except ValueError as error:
            raise SnapshotUnusable(f"{place.path} is damaged at row {row['number']:,}: {error}.") from error


def _must_be_ours(place: Place) -> None:
    """Never replace what somebody else put there."""
    if place.is_folder() and (files := place.files()):
        next(in_order(place / files[0], SHAPE, ("number",)), None)
    elif place.is_folder() and place.files(""):
        raise SnapshotUnusable(f"{place.path} is a folder with other files in it: give a new name.")


def _swap(part: Place, place: Place) -> None:
    old = place.beside()
    if place.is_folder():
        place.move(old)
    part.move(place)
    if old.is_folder():
        old.remove()


def _store(transaction: Transaction, intake: Intake, batch: list[SnapshotRow], taken: TakenIn) -> TakenIn:
    done = intake.known([row.key for row in batch])
    stored = 0
    with transaction("IMMEDIATE") as db:
        fresh = [row for row in batch if row.key not in done]
        for row in fresh:
            version, new = _put(db, row)
            stored += new
            keys = [(key, intake.run, version) for key in (row.key, *row.documents)]
            db.executemany("INSERT OR IGNORE INTO documents (key, run, version) VALUES (?, ?, ?)", keys)
    return TakenIn(taken.stored + stored, taken.unchanged + len(fresh) - stored, taken.before + len(batch) - len(fresh))


def _put(db: sqlite3.Connection, row: SnapshotRow) -> tuple[int, bool]:
    """The version's id, and whether it is new. What is there stays, but practices take the place of none."""
    service = _service(db, row)
    version, new = shelving.put(db, service, row.policy, row.seen)
    if new:
        if row.page:
            shelving.keep_page(db, version, storable(row.page))
        if row.signature:
            folding.note_signature(db, version, row.signature)
    there = None if new else findings.load(db, version)
    if new or (there is None and row.findings is not None):
        if row.annotation is not None:
            shelving.annotate(db, version, row.annotation)
        if row.findings is not None:
            findings.keep(db, version, row.findings)
    return version, new


def _service(db: sqlite3.Connection, row: SnapshotRow) -> int:
    """The service of that name, made if there is none. Another organisation of that name is told apart by its domain,
    as in a corpus."""
    found = placing.named(db, row.name)
    name = row.name
    if found is not None and not names.may_be_one(found["domain"], row.domain):
        name = f"{row.name} ({row.domain})"
        found = placing.named(db, name)
    if found is not None:
        db.execute(
            "UPDATE services SET last_seen = max(last_seen, ?), rank = coalesce(rank, ?) WHERE id = ?",
            (row.last_seen, row.rank, found["id"]),
        )
        return int(found["id"])
    made = db.execute(
        "INSERT INTO services (name, key, domain, source, last_seen, rank) VALUES (?, ?, ?, ?, ?, ?)",
        (name, names.key(name), row.domain, row.source, row.last_seen, row.rank),
    ).lastrowid
    assert made is not None
    return made


def _settle(db: sqlite3.Connection, rows: list[tuple[bytes, bytes | None]]) -> None:
    """Fold what came as the snapshot says; what stands for itself there is compared with what was here before."""
    of = {key: version for key, version in ((key, _version(db, key)) for key, _ in rows) if version is not None}
    new = {key: v for key, v in of.items() if not folding.is_folded(db, v) and not folding.stands(db, v)}
    first = min(new.values(), default=0)
    under = {key: of[kept] for key, kept in rows if kept is not None and kept in of and key in new}
    for key in sorted(new, key=lambda key: (key in under, new[key])):
        signature = folding.signature_of(db, new[key])
        if signature and not (key in under and folding.fold_under(db, new[key], under[key])):
            folding.fold(db, new[key], signature, before=first)


def _version(db: sqlite3.Connection, key: bytes) -> int | None:
    row = db.execute("SELECT version FROM documents WHERE key = ?", (key,)).fetchone()
    return None if row is None else row["version"]
