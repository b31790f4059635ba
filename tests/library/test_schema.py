from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from library_helpers import at, policy, raw

from smallprint.errors import LibraryDamaged
from smallprint.library import Library, schema

LATEST = len(schema.MIGRATIONS)


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        yield db


def tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.parametrize("step", range(1, LATEST + 1))
def test_each_migration_applies_to_the_version_before(db: sqlite3.Connection, step: int) -> None:
    schema.migrate(db, schema.MIGRATIONS[: step - 1])
    assert version(db) == step - 1
    schema.migrate(db, schema.MIGRATIONS[:step])
    assert version(db) == step


def test_the_first_migration_makes_the_tables(db: sqlite3.Connection) -> None:
    schema.migrate(db, schema.MIGRATIONS[:1])
    assert tables(db) >= {"services", "versions", "pending", "erasure"}


def test_migration_files_are_numbered_without_gaps() -> None:
    folder = Path(schema.__file__).parent / "migrations"
    numbers = [int(path.name[:4]) for path in sorted(folder.glob("*.sql"))]
    assert numbers == list(range(1, LATEST + 1))


def test_an_up_to_date_schema_is_left_alone(db: sqlite3.Connection) -> None:
    schema.migrate(db)
    schema.migrate(db)
    assert version(db) == LATEST


def test_a_migration_that_fails_leaves_nothing_behind(db: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(db, ["CREATE TABLE a (x);", "CREATE TABLE b (x);\nINSERT INTO nowhere VALUES (1);"])
    assert tables(db) == {"a"}
    assert version(db) == 1
    assert not db.in_transaction


def test_a_trigger_is_one_statement(db: sqlite3.Connection) -> None:
    script = (
        "CREATE TABLE a (x); -- with a remark; and a semicolon\n"
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET x = 1;\n  UPDATE a SET x = 2;\nEND;\n"
    )
    schema.migrate(db, [script])
    db.execute("INSERT INTO a VALUES (0)")
    assert db.execute("SELECT x FROM a").fetchone() == (2,)


def test_a_newer_library_is_refused_and_left_alone(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        library.add(policy(), "Acme")
    with raw(tmp_path) as db:
        db.execute(f"PRAGMA user_version = {LATEST + 1}")
    before = at(tmp_path).database.read_bytes()
    with pytest.raises(LibraryDamaged, match=rf"newer Smallprint \(schema {LATEST + 1}; this one knows {LATEST}\)"):
        Library.open(at(tmp_path))
    assert at(tmp_path).database.read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    with raw(tmp_path) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    before = at(tmp_path).database.read_bytes()
    with pytest.raises(LibraryDamaged, match="another program"):
        Library.open(at(tmp_path))
    assert at(tmp_path).database.read_bytes() == before
