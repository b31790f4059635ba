"""The connection to the library's file, and SQLite's errors in plain words."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from smallprint.errors import LibraryBusy, LibraryDamaged, LibraryError, LibraryUnusable
from smallprint.library import schema

_RETRY_SECONDS: Final = 0.02


def connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """An up-to-date library at `path`, made where there is none.

    SQLite does not wait its turn while a file changes to WAL or its log is recovered; this does.
    """
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            with plain_errors(path):
                return _connect(path, busy_seconds)
        except LibraryBusy:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        # Making the file ourselves would drop the locks of other threads' connections when we close it; chmod
        # does not. It comes before the first byte, and SQLite gives its log the same mode.
        if path.stat().st_size == 0:
            path.chmod(0o600)
        schema.check(db, path)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
        # FULL syncs the log at every commit; with NORMAL a power cut could take policies reported stored.
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode = WAL")
        schema.migrate(db)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(
    db: sqlite3.Connection, path: Path, kind: Literal["IMMEDIATE", "DEFERRED"]
) -> Iterator[sqlite3.Connection]:
    """All or nothing. Writers start IMMEDIATE: a reader that turned writer could fail without waiting."""
    with plain_errors(path):
        db.execute(f"BEGIN {kind}")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path) from error
    except OSError as error:
        raise LibraryUnusable(f"{path.parent} can't be used: {error.strerror or error}.") from error


def _translate(error: sqlite3.Error, path: Path) -> LibraryError:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # the low byte; the rest says more than people need
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LibraryBusy("Another program is writing to the library: try again in a moment.")
        case sqlite3.SQLITE_NOTADB:
            return LibraryDamaged(f"{path} is not a Smallprint library.")
        case sqlite3.SQLITE_CORRUPT:
            return LibraryDamaged(f"{path} is damaged: restore it from a backup, or move it away to start anew.")
        case sqlite3.SQLITE_FULL:
            return LibraryUnusable(f"The disk is full: nothing was changed in {path}.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return LibraryUnusable(f"{path} can't be written: check its permissions, or set SMALLPRINT_HOME.")
        case _:
            return LibraryUnusable(f"The library at {path} can't do that: {error}.")
