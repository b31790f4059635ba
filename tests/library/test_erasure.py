"""`forget` leaves no byte: these tests read every file below the home folder."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from library_helpers import at, holding, policy, raw

from smallprint.errors import LibraryBusy, UnknownPolicy
from smallprint.library import Cache, Library
from smallprint.records import Policy

SECRET = "quokka-7319"


def long_policy(word: str) -> Policy:
    """Long enough for overflow pages, with the word on every line."""
    return policy("\n".join(f"{word} line {n} of what we collect." for n in range(400)), title=f"{word} title")


def fill(library: Library, word: str = SECRET) -> None:
    """The secret between others, in several versions, some of them deleted and moved about."""
    for n in range(12):
        library.add(policy(f"Other {n} " * (40 * n + 1)), f"Other {n}")
        library.add(policy(f"{word} short {n}."), f"{word} inc")
    library.add(long_policy(word), f"{word} inc")
    library.remove("Other 3")


def test_the_scan_sees_what_is_there(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        fill(library)
        assert holding(tmp_path, SECRET)
        library.remove(f"{SECRET} inc")
        assert holding(tmp_path, SECRET)
    assert holding(tmp_path, SECRET)


@pytest.mark.parametrize("removed_before", [False, True])
def test_a_forgotten_service_leaves_no_byte(tmp_path: Path, removed_before: bool) -> None:
    with Library.open(at(tmp_path)) as library, Library.open(at(tmp_path)) as other:
        fill(library)
        other.list()
        if removed_before:
            library.remove(f"{SECRET} inc")
        library.forget(f"{SECRET} INC")
        assert holding(tmp_path, SECRET) == []
        assert len(other.list()) == 11
        assert other.get("Other 11").text.endswith("Other 11")
    assert holding(tmp_path, SECRET) == []


def test_what_was_removed_earlier_goes_too(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        fill(library)
        library.remove(f"{SECRET} inc")
        library.forget("Other 5")
        assert holding(tmp_path, SECRET) == []


def test_no_copy_stays_where_rows_were_moved_between_pages(tmp_path: Path) -> None:
    """Zeroing deleted rows misses such copies: without VACUUM this finds some."""
    chance = random.Random(1)
    with Library.open(at(tmp_path)) as library:
        library.add(policy(), "Acme")
        with raw(tmp_path) as db:
            db.execute("BEGIN")
            for n in range(1500):
                removed = "2024-01-01T00:00:00Z" if chance.random() < 0.3 else None
                source = f"{chance.random():.9f} {SECRET if removed else 'other'}" * chance.choice([1, 1, 3, 12])
                columns = "INSERT INTO services (name, key, source, last_seen, removed) VALUES (?, ?, ?, '', ?)"
                db.execute(columns, (str(n), str(n), source, removed))
            db.execute("COMMIT")
        library.forget("Acme")
        assert holding(tmp_path, SECRET) == []


def test_forgetting_erases_the_cache(tmp_path: Path) -> None:
    Cache(at(tmp_path)).read("https://acme.com", lambda: long_policy(SECRET))
    with Library.open(at(tmp_path)) as library:
        library.add(policy(), "Acme")
        library.forget("Acme")
    assert holding(tmp_path, SECRET) == []


@pytest.mark.parametrize("everything", [False, True])
def test_forgetting_erases_what_a_killed_cluster_left(tmp_path: Path, everything: bool) -> None:
    left = at(tmp_path).parts / "run-1/documents/bucket=01/part-00000.parquet"
    with Library.open(at(tmp_path)) as library:
        library.add(policy(), "Acme")
        left.parent.mkdir(parents=True)
        left.write_text(SECRET)
        library.forget_all() if everything else library.forget("Acme")
    assert not holding(tmp_path, SECRET)


def test_forgetting_all_leaves_settings_and_strangers_alone(tmp_path: Path) -> None:
    Cache(at(tmp_path)).read("https://acme.com", lambda: long_policy(SECRET))
    (tmp_path / "index" / "segments").mkdir(parents=True)
    (tmp_path / "index" / "segments" / "one").write_text(SECRET)
    (tmp_path / "settings.toml").write_text("cache_minutes = 5")
    (tmp_path / "thesis.txt").write_text("not ours")
    with Library.open(at(tmp_path)) as library:
        fill(library)
        library.forget_all()
        assert library.list() == ()
        assert holding(tmp_path, SECRET) == []
        assert holding(tmp_path, "Other") == []
        assert library.add(policy(), "Acme").new
    assert sorted(p.name for p in tmp_path.iterdir()) == ["library.sqlite3", "settings.toml", "thesis.txt"]


def test_the_unknown_is_not_forgotten_and_the_cache_stays(tmp_path: Path) -> None:
    Cache(at(tmp_path)).read("https://acme.com", lambda: policy(SECRET))
    with Library.open(at(tmp_path)) as library, pytest.raises(UnknownPolicy):
        library.forget("Nobody")
    assert holding(tmp_path, SECRET)


def test_a_reader_in_the_way_is_named_and_the_rest_follows(tmp_path: Path) -> None:
    with Library.open(at(tmp_path), busy_seconds=0.05) as library, raw(tmp_path) as reader:
        fill(library)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM services").fetchone()
        with pytest.raises(LibraryBusy, match="out of the library, but traces stay"):
            library.forget(f"{SECRET} inc")
        with pytest.raises(UnknownPolicy):
            library.get(f"{SECRET} inc")
        assert holding(tmp_path, SECRET)
        with Library.open(at(tmp_path), busy_seconds=0.05) as meanwhile:
            assert meanwhile.list()
        reader.execute("ROLLBACK")
        with Library.open(at(tmp_path)):
            assert holding(tmp_path, SECRET) == []
    with raw(tmp_path) as db:
        assert db.execute("SELECT count(*) FROM erasure").fetchone() == (0,)
