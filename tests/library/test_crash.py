"""`kill -9` at any moment: what was reported stored is there, what was forgotten is not, and nothing is half done."""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from library_helpers import at, holding, policy, raw

from smallprint.library import Library, schema

WRITER = Path(__file__).with_name("library_writer.py")
SECRET = "quokka-7319"
ROUNDS = 10  # with two writers each


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(home), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finish(writer: subprocess.Popen[str]) -> list[str]:
    """The whole lines that it still said. (`communicate` would miss what `readline` has read ahead.)"""
    with writer:
        assert writer.stdout is not None
        lines = writer.stdout.readlines()
    return [line.strip() for line in lines if line.endswith("\n")]


def run_into_kill(home: Path, *arguments: str) -> list[str]:
    writer = start(home, *arguments)
    too_long = threading.Timer(15, writer.terminate)  # a statement that never came
    too_long.start()
    said = finish(writer)
    too_long.cancel()
    assert writer.returncode == -signal.SIGKILL
    return said


def check(home: Path) -> set[str]:
    """The digests in the library, after looking for anything half done."""
    with Library.open(at(home)) as library:
        assert all(library.get(entry.name).words == entry.words for entry in library.list())
    with raw(home) as db:
        digests = set()
        for digest, text in db.execute("SELECT digest, text FROM versions"):
            assert hashlib.sha256(text.encode()).hexdigest() == digest
            digests.add(digest)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
        empty = "SELECT name FROM services WHERE id NOT IN (SELECT service FROM versions)"
        assert db.execute(empty).fetchall() == []
        untold = "SELECT id FROM versions EXCEPT SELECT version FROM pending WHERE op = 'upsert'"
        assert db.execute(untold).fetchall() == []
        made_up = "SELECT version FROM pending WHERE op = 'upsert' EXCEPT SELECT id FROM versions"
        assert db.execute(made_up).fetchall() == []
    return digests


def test_writers_killed_at_random_lose_nothing_they_reported(tmp_path: Path) -> None:
    chance = random.Random(7)
    reported: set[str] = set()
    for round in range(ROUNDS):
        writers = [start(tmp_path, "add", f"{round}{side}") for side in "ab"]
        for writer in writers:
            assert writer.stdout is not None
            for _ in range(chance.randint(0, 4)):
                reported.add(writer.stdout.readline().strip())
        time.sleep(chance.random() * 0.03)
        for writer in writers:
            writer.kill()
        for writer in writers:
            reported.update(finish(writer))
        assert reported <= check(tmp_path)
    assert len(reported) > ROUNDS


@pytest.mark.parametrize(
    "statement",
    ["PRAGMA journal_mode = WAL", "CREATE TABLE versions", "PRAGMA user_version = 1", "COMMIT"],
)
def test_killed_while_a_library_is_made(tmp_path: Path, statement: str) -> None:
    assert run_into_kill(tmp_path, "make", "word", statement) == []
    assert check(tmp_path) == set()
    with Library.open(at(tmp_path)) as library:
        assert library.add(policy(), "Acme").new


@pytest.mark.parametrize(
    "statement",
    ["INSERT INTO versions", "INSERT INTO pending", "SET last_seen", "COMMIT"],
)
def test_killed_while_adding(tmp_path: Path, statement: str) -> None:
    with Library.open(at(tmp_path)) as library:
        kept = {library.add(policy(), "Acme").digest}
    assert run_into_kill(tmp_path, "add", "word", statement) == []
    assert check(tmp_path) == kept


def test_killed_while_migrating_a_full_library(tmp_path: Path) -> None:
    """A second migration, tried out: the old library is whole, and the step can be taken again."""
    with Library.open(at(tmp_path)) as library:
        kept = {library.add(policy(), "Acme").digest}
    script = "ALTER TABLE services ADD COLUMN extra TEXT;"
    steps = [*schema.MIGRATIONS, script]
    code = (
        "import os, sqlite3, sys\nfrom smallprint.library import schema\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.set_trace_callback(lambda sql: os.kill(os.getpid(), 9) if sql == sys.argv[2] else None)\n"
        "schema.migrate(db, [*schema.MIGRATIONS, sys.argv[3]])"
    )
    for point in (f"PRAGMA user_version = {len(steps)}", "COMMIT"):
        done = subprocess.run([sys.executable, "-c", code, str(at(tmp_path).database), point, script], timeout=20)
        assert done.returncode == -signal.SIGKILL
        assert check(tmp_path) == kept
    with raw(tmp_path) as db:
        schema.migrate(db, steps)
        assert db.execute("PRAGMA user_version").fetchone() == (len(steps),)


@pytest.mark.parametrize(
    ("statement", "forgotten"),
    [
        ("DELETE FROM services", False),
        ("INSERT INTO erasure", False),
        ("VACUUM", True),
        ("PRAGMA wal_checkpoint", True),
        ("DELETE FROM erasure", True),
    ],
)
def test_killed_while_forgetting(tmp_path: Path, statement: str, forgotten: bool) -> None:
    with Library.open(at(tmp_path)) as library:
        kept = library.add(policy("Other. " * 5000), "Other").digest
    assert run_into_kill(tmp_path, "forget", SECRET, statement) == ["added"]
    with Library.open(at(tmp_path)) as library:
        names = [entry.name for entry in library.list()]
        assert names == (["Other"] if forgotten else ["Other", SECRET])
        assert (holding(tmp_path, SECRET) == []) is forgotten
    assert kept in check(tmp_path)


def test_killed_at_random_while_forgetting(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(5):
        writer = start(tmp_path, "forget", SECRET)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(chance.random() * 0.04)
        writer.kill()
        finish(writer)
        check(tmp_path)
        with Library.open(at(tmp_path)) as library:
            assert library.list() or holding(tmp_path, SECRET) == []
