"""Where a policy belongs: to which service, and between which of its versions."""

from __future__ import annotations

import difflib
import sqlite3
from typing import Final

from smallprint.errors import UnknownPolicy
from smallprint.library import names
from smallprint.library.entries import moment
from smallprint.library.serial import storable
from smallprint.records import Policy

_SUGGESTIONS: Final = 3


def service_for(db: sqlite3.Connection, policy: Policy, name: str | None) -> sqlite3.Row:
    """The service that this policy is a version of, made if there is none. Inside a write transaction."""
    domain = names.domain(policy)
    source = storable(names.origin(policy.source))
    found, free_name = _choose(db, policy, name, domain, source)
    if found is None:
        cursor = db.execute(
            "INSERT INTO services (name, key, domain, source, last_seen) VALUES (?, ?, ?, ?, '')",
            (free_name, names.key(free_name), domain, source),
        )
        found_id = cursor.lastrowid
    else:
        found_id = found["id"]
        db.execute("UPDATE services SET domain = coalesce(domain, ?) WHERE id = ?", (domain, found_id))
        if names.leads_back(source):
            db.execute("UPDATE services SET source = ? WHERE id = ?", (source, found_id))
    row: sqlite3.Row = db.execute("SELECT * FROM services WHERE id = ?", (found_id,)).fetchone()
    return row


def _choose(
    db: sqlite3.Connection, policy: Policy, name: str | None, domain: str | None, source: str
) -> tuple[sqlite3.Row | None, str]:
    """The service it belongs to, or None and the name that a new one gets."""
    if name is not None:
        chosen = names.given(name)
        return named(db, chosen), chosen
    row = _same_place(db, source, policy.url)
    if row is not None:
        return row, row["name"]
    titled = names.from_title(policy.title, domain)
    base = titled or names.fallback(policy, domain)
    row = named(db, base)
    if row is None:
        return None, base
    # Two pages that say "Acme" are Acme's. Two that name nobody, as files called "policy" or pages on a host
    # for many companies' policies, are two services unless the text is the same.
    if names.may_be_one(row["domain"], domain) if titled else _holds(db, row["id"], policy.digest):
        return row, base
    distinct = f"{base} ({domain if titled else policy.digest[:6]})"
    return named(db, distinct), distinct


def _same_place(db: sqlite3.Connection, source: str, url: str | None) -> sqlite3.Row | None:
    """The service read from there before, whether the address was given or found behind another."""
    if source == names.PASTED:
        return None
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM services WHERE removed IS NULL AND "
        "(source = ? OR id IN (SELECT service FROM versions WHERE url = ?)) ORDER BY id DESC LIMIT 1",
        (source, None if url is None else storable(url)),
    ).fetchone()
    return row


def named(db: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM services WHERE key = ? AND removed IS NULL", (names.key(name),)
    ).fetchone()
    return row


def _holds(db: sqlite3.Connection, service: int, digest: str) -> bool:
    held = "SELECT 1 FROM versions WHERE service = ? AND digest = ?"
    return db.execute(held, (service, digest)).fetchone() is not None


def time_for(db: sqlite3.Connection, service: int, seen: str | None) -> str:
    """When a text was seen. One seen now is the newest, even if the clock was put back meanwhile."""
    if seen is not None:
        return seen
    latest = db.execute("SELECT max(seen) FROM versions WHERE service = ?", (service,)).fetchone()[0]
    return max(moment(), latest or "")


def same_text_beside(db: sqlite3.Connection, service: int, digest: str, seen: str) -> int | None:
    """The version just before or after `seen` if it has this text: then there is nothing to add.

    Only neighbours count. A text that went from A to B and back to A has three versions: history shows the
    return, and the newest version is the text in force.
    """
    before = db.execute(
        "SELECT id, digest FROM versions WHERE service = ? AND seen <= ? ORDER BY seen DESC, id DESC LIMIT 1",
        (service, seen),
    ).fetchone()
    after = db.execute(
        "SELECT id, digest FROM versions WHERE service = ? AND seen > ? ORDER BY seen, id LIMIT 1",
        (service, seen),
    ).fetchone()
    for neighbour in (before, after):
        if neighbour is not None and neighbour["digest"] == digest:
            return int(neighbour["id"])
    return None


def find(db: sqlite3.Connection, name: str, *, whole: bool = False) -> sqlite3.Row:
    """The service of that name, or, unless `whole`, the only one whose name begins like that."""
    exact = named(db, name)
    if exact is not None:
        return exact
    start = names.key(name)
    if start and not whole:
        rows = db.execute(
            "SELECT * FROM services WHERE substr(key, 1, length(?1)) = ?1 AND removed IS NULL ORDER BY key",
            (start,),
        ).fetchall()
        if len(rows) == 1:
            row: sqlite3.Row = rows[0]
            return row
        if rows:
            some = ", ".join(row["name"] for row in rows[:_SUGGESTIONS])
            more = f" and {len(rows) - _SUGGESTIONS} more" if len(rows) > _SUGGESTIONS else ""
            raise UnknownPolicy(f"{name!r} could be {some}{more}: write more of the name.")
    raise unknown(db, name)


def check_held(db: sqlite3.Connection, name: str) -> None:
    """Raises unless there is a service of that whole name, removed or not."""
    if db.execute("SELECT 1 FROM services WHERE key = ?", (names.key(name),)).fetchone() is None:
        raise unknown(db, name)


def unknown(db: sqlite3.Connection, name: str) -> UnknownPolicy:
    """The error that says that there is no such policy, with the closest names."""
    known = dict(db.execute("SELECT key, name FROM services WHERE removed IS NULL").fetchall())
    if not known:
        return UnknownPolicy(f"There is no policy named {name!r}: the library is empty.")
    start = names.key(name)
    close = [k for k in known if start and k.startswith(start)][:_SUGGESTIONS]
    close = close or difflib.get_close_matches(start, known, n=_SUGGESTIONS)
    hint = f" Did you mean {' or '.join(known[k] for k in close)}?" if close else ""
    return UnknownPolicy(f"There is no policy named {name!r} in the library.{hint}")
