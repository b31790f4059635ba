"""Small policies, and a look into the library's file that goes around the library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from smallprint.ingest.assemble import assemble
from smallprint.records import BlockKind, Piece, Policy
from smallprint.settings import Settings


def policy(
    text: str = "We collect your name.",
    *,
    title: str = "",
    url: str | None = None,
    source: str | None = None,
) -> Policy:
    """A heading and one paragraph for each line of `text`."""
    pieces = [Piece(BlockKind.HEADING, "What we do", 1)]
    pieces += [Piece(BlockKind.PARAGRAPH, line) for line in text.splitlines()]
    whole, blocks = assemble(pieces)
    return Policy(source or url or "-", title, whole, blocks, "text/html", url=url, p_policy=0.9)


def at(home: Path, cache_minutes: int = 60) -> Settings:
    return Settings(home=home, cache_minutes=cache_minutes)


@contextmanager
def raw(home: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(at(home).database, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        yield db


def holding(folder: Path, needle: str) -> list[Path]:
    """The files below `folder` with these bytes in them."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in files if needle.encode() in path.read_bytes()]
