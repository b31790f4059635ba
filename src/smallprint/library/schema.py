"""The shape of the database: numbered migrations, each applied whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from smallprint.errors import LibraryDamaged


def _load() -> tuple[str, ...]:
    folder = resources.files("smallprint.library") / "migrations"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(f.read_text(encoding="utf-8") for f in files)


# Script n (counted from one) leads from version n - 1 to version n of the schema.
MIGRATIONS: Final = _load()


def check(db: sqlite3.Connection, path: Path, known: int = len(MIGRATIONS)) -> None:
    """Refuse a file that this program must not touch."""
    # One statement, so that a migration by another process can't come between the two answers.
    version, tables = db.execute(
        "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
    ).fetchone()
    if version > known:
        raise LibraryDamaged(
            f"{path} was made by a newer Smallprint (schema {version}; this one knows {known}): update it."
        )
    if version == 0 and tables:
        raise LibraryDamaged(f"{path} is a database of another program, not a Smallprint library.")


def migrate(db: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring the schema up to date. Any number of processes may try at once: each step is applied by one."""
    while _version(db) < len(migrations):
        db.execute("BEGIN EXCLUSIVE")
        try:
            version = _version(db)  # again: another process may have done this step before the lock was ours
            if version < len(migrations):
                for statement in _statements(migrations[version]):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {version + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The script's statements one by one: `executescript` would commit before its first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
