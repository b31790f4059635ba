"""What goes wrong around the file becomes one plain line, and no exception of SQLite's gets out."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from library_helpers import at, policy, raw

from smallprint.errors import LibraryBusy, LibraryDamaged, LibraryError
from smallprint.library import Library, database


def refuses(home: Path) -> LibraryError:
    with pytest.raises(LibraryError) as caught:
        Library.open(at(home))
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    at(tmp_path).database.write_bytes(b"Dear diary, " * 500)
    error = refuses(tmp_path)
    assert isinstance(error, LibraryDamaged)
    assert "is not a Smallprint library" in str(error)


def test_a_file_with_a_hole(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        for n in range(20):
            library.add(policy(f"{n} " * 3000), str(n))
    whole = at(tmp_path).database.read_bytes()
    at(tmp_path).database.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    with pytest.raises(LibraryDamaged, match="is damaged"), Library.open(at(tmp_path)) as library:
        library.list()


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    at(tmp_path).database.mkdir()
    assert "can't be written" in str(refuses(tmp_path))


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert "can't be used" in str(refuses(tmp_path / "home"))
    assert "can't be used" in str(refuses(tmp_path / "home" / "below"))


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        library.add(policy("Small."), "Acme")
        pages = library._db.execute("PRAGMA page_count").fetchone()[0]
        library._db.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(LibraryError, match="disk is full"):
            library.add(policy("Big. " * 50_000), "Bolt")
        assert [entry.name for entry in library.list()] == ["Acme"]
        library.add(policy("Small too."), "Acme")
        assert len(library.versions("Acme")) == 2


def test_a_library_that_cannot_be_written(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        library._db.execute("PRAGMA query_only = ON")
        with pytest.raises(LibraryError, match="can't be written: check its permissions"):
            library.add(policy(), "Acme")
        assert library.list() == ()


def test_a_writer_that_holds_on_too_long(tmp_path: Path) -> None:
    with Library.open(at(tmp_path), busy_seconds=0.05) as library, raw(tmp_path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LibraryBusy, match="try again"):
            library.add(policy(), "Acme")
        assert library.list() == ()  # reading goes on
        other.execute("ROLLBACK")
        assert library.add(policy(), "Acme").new


def test_opening_waits_no_longer_than_told(tmp_path: Path) -> None:
    with raw(tmp_path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LibraryBusy):
            Library.open(at(tmp_path), busy_seconds=0.05)


def test_opening_tries_again_where_sqlite_gives_up_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it does when processes make a library together: 9 of 240 openings failed without this."""
    real, failures = database._connect, iter([LibraryBusy("no"), LibraryBusy("no")])

    def flaky(path: Path, busy_seconds: float) -> sqlite3.Connection:
        for failure in failures:
            raise failure
        return real(path, busy_seconds)

    monkeypatch.setattr(database, "_connect", flaky)
    with Library.open(at(tmp_path)) as library:
        assert library.add(policy(), "Acme").new


def test_a_closed_library_says_so_in_its_own_words(tmp_path: Path) -> None:
    library = Library.open(at(tmp_path))
    library.close()
    library.close()
    with pytest.raises(LibraryError, match="closed"):
        library.list()


def test_nothing_is_stored_where_adding_fails_halfway(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        with raw(tmp_path) as db:
            db.execute("CREATE TRIGGER no BEFORE INSERT ON pending BEGIN SELECT raise(ABORT, 'no'); END")
        with pytest.raises(LibraryError):
            library.add(policy(), "Acme")
        with raw(tmp_path) as db:
            assert db.execute("SELECT count(*) FROM services").fetchone() == (0,)
            assert db.execute("SELECT count(*) FROM versions").fetchone() == (0,)


def test_commits_are_synced_and_the_log_is_wal(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        told = {p: library._db.execute(f"PRAGMA {p}").fetchone()[0] for p in ("journal_mode", "synchronous")}
        assert told == {"journal_mode": "wal", "synchronous": 2}
