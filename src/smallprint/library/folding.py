"""Near-duplicates across services: the newest is kept, the others are folded under it and remembered.

A signature is `SLOTS` minimum hashes of two bytes each. Two texts share as large a part of their slots as of
their runs of words, give or take .03. Bands of eight slots are the keys to look up candidates by: of pairs at
the threshold one in ten thousand is overlooked, and pairs below .6 hardly ever have to be compared.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Final

SLOTS: Final = 128
SLOT_BYTES: Final = 2
_BANDS: Final = 16
_BAND_BYTES: Final = SLOTS // _BANDS * SLOT_BYTES

# Share of five-word runs that two texts have in common. Of 1,940 policies of a corpus that held no duplicates one in
# forty has a neighbour above .7, templates that each company filled in for itself; one in 500 above .8, none above .9.
THRESHOLD: Final = 0.9

_CANDIDATES: Final = f"""
    SELECT DISTINCT v.id, v.seen, g.signature
    FROM bands AS b
    JOIN versions AS v ON v.id = b.version
    JOIN services AS s ON s.id = v.service
    JOIN signatures AS g ON g.version = v.id
    WHERE b.band IN ({", ".join("?" * _BANDS)}) AND v.service != ? AND v.id < ? AND s.removed IS NULL
"""
_ANY: Final = 2**63 - 1


def similarity(one: bytes, other: bytes) -> float:
    a, b = memoryview(one).cast("H"), memoryview(other).cast("H")
    return sum(x == y for x, y in zip(a, b, strict=True)) / SLOTS


def fold(db: sqlite3.Connection, version: int, signature: bytes, *, before: int = _ANY) -> bool:
    """Note a new version's signature and fold what it resembles, of versions with an id below `before`; true where it
    is folded itself."""
    note_signature(db, version, signature)
    own = db.execute("SELECT service, seen FROM versions WHERE id = ?", (version,)).fetchone()
    found = db.execute(_CANDIDATES, (*_bands(signature), own["service"], before)).fetchall()
    alike = [row for row in found if similarity(signature, row["signature"]) >= THRESHOLD]
    newest = max(alike, key=lambda row: (row["seen"], row["id"]), default=None)
    if newest is not None and newest["seen"] >= own["seen"]:
        _link(db, version, newest["id"], similarity(signature, newest["signature"]))
        return True
    _keep(db, version, signature)
    for row in alike:
        _fold_kept(db, row["id"], row["signature"], version, signature)
    return False


def fold_under(db: sqlite3.Connection, version: int, kept: int) -> bool:
    """Fold a version under one that is known to stand for it; false where that does not stand for itself."""
    signatures = [signature_of(db, one) for one in (version, kept)]
    if not all(signatures) or not stands(db, kept):
        return False
    _link(db, version, kept, similarity(*signatures))
    return True


def note_signature(db: sqlite3.Connection, version: int, signature: bytes) -> None:
    """For a version that is folded, or not, later."""
    db.execute("INSERT OR REPLACE INTO signatures VALUES (?, ?)", (version, signature))


def signature_of(db: sqlite3.Connection, version: int) -> bytes:
    """Empty where there is none."""
    row = db.execute("SELECT signature FROM signatures WHERE version = ?", (version,)).fetchone()
    return b"" if row is None else bytes(row["signature"])


def stands(db: sqlite3.Connection, version: int) -> bool:
    """Whether new versions are compared with this one."""
    signature = signature_of(db, version)
    look = "SELECT 1 FROM bands WHERE band = ? AND version = ?"
    return bool(signature) and db.execute(look, (_bands(signature)[0], version)).fetchone() is not None


def is_folded(db: sqlite3.Connection, version: int) -> bool:
    return db.execute("SELECT 1 FROM duplicates WHERE version = ?", (version,)).fetchone() is not None


def release(db: sqlite3.Connection, service: int) -> None:
    """The service goes: what was folded under its versions stands for itself again."""
    rows = db.execute(
        "SELECT d.version, g.signature FROM duplicates AS d JOIN signatures AS g ON g.version = d.version "
        "WHERE d.kept IN (SELECT id FROM versions WHERE service = ?)",
        (service,),
    ).fetchall()
    for row in rows:
        _unfold(db, row["version"], row["signature"])


def drop_bands(db: sqlite3.Connection, service: int) -> None:
    """Before the service's rows are deleted: its bands are not deleted by a cascade."""
    rows = db.execute(
        "SELECT version, signature FROM signatures WHERE version IN (SELECT id FROM versions WHERE service = ?)",
        (service,),
    ).fetchall()
    for row in rows:
        _drop(db, row["version"], row["signature"])


def _fold_kept(db: sqlite3.Connection, old: int, old_signature: bytes, new: int, signature: bytes) -> None:
    """A newer text takes the place of a kept one. What lay under that one moves only if it resembles the new
    one too: otherwise a text could drift far from what stands for it, step by step."""
    _drop(db, old, old_signature)
    below = db.execute(
        "SELECT d.version, g.signature FROM duplicates AS d JOIN signatures AS g ON g.version = d.version "
        "WHERE d.kept = ?",
        (old,),
    ).fetchall()
    _link(db, old, new, similarity(old_signature, signature))
    for row in below:
        alike = similarity(row["signature"], signature)
        if alike >= THRESHOLD:
            _link(db, row["version"], new, alike)
        else:
            _unfold(db, row["version"], row["signature"])


def _link(db: sqlite3.Connection, version: int, kept: int, alike: float) -> None:
    db.execute("INSERT OR REPLACE INTO duplicates VALUES (?, ?, ?)", (version, kept, round(alike, 4)))
    db.execute("INSERT OR REPLACE INTO pending (version, op) VALUES (?, 'delete')", (version,))
    # What is shown of the kept one names those below it.
    db.execute("INSERT OR REPLACE INTO pending (version, op) VALUES (?, 'upsert')", (kept,))


def _unfold(db: sqlite3.Connection, version: int, signature: bytes) -> None:
    db.execute("DELETE FROM duplicates WHERE version = ?", (version,))
    _keep(db, version, signature)
    db.execute("INSERT OR REPLACE INTO pending (version, op) VALUES (?, 'upsert')", (version,))


def _keep(db: sqlite3.Connection, version: int, signature: bytes) -> None:
    rows = [(band, version) for band in _bands(signature)]
    db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?)", rows)


def _drop(db: sqlite3.Connection, version: int, signature: bytes) -> None:
    rows = [(band, version) for band in _bands(signature)]
    db.executemany("DELETE FROM bands WHERE band = ? AND version = ?", rows)


def _bands(signature: bytes) -> list[int]:
    """One number for each band, SQLite's signed 64 bits; the band's place is part of it."""
    keys = []
    for place in range(_BANDS):
        part = signature[place * _BAND_BYTES : (place + 1) * _BAND_BYTES]
        digest = hashlib.blake2b(part, digest_size=8, salt=bytes([place])).digest()
        keys.append(int.from_bytes(digest, "big", signed=True))
    return keys
