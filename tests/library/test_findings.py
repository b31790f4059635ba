"""What the reader found is kept with its text, fits that text only, and goes with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from library_helpers import at, holding, policy, raw

from smallprint.library import Annotation, Cache, Findings, Keeper, Library, ShelfKeeper, schema
from smallprint.library.findings import from_bytes, from_json, to_bytes, to_json
from smallprint.records import Facets, Practice

URL = "https://acme.com/privacy"
SECRET = b"quokka-7319"
PRACTICES = (
    Practice(0, "third", 0.75, (("Purpose", "Marketing"),), ("does",), (2,)),
    Practice(1, "other", 0.5),
)


def shelf(home: Path) -> Keeper:
    with Library.open(at(home)) as library:
        return ShelfKeeper(at(home), library.add(policy(), "Acme").version)


def cache(home: Path) -> Keeper:
    Cache(at(home)).read(URL, policy)
    keeper = Cache(at(home)).keeper(URL)
    assert keeper
    return keeper


both = pytest.mark.parametrize("keeper_in", [shelf, cache])


@both
def test_what_is_kept_comes_back_and_adds_up(tmp_path: Path, keeper_in: Callable[[Path], Keeper]) -> None:
    keeper = keeper_in(tmp_path)
    assert keeper.load() is None
    keeper.keep(Findings("one", practices=PRACTICES))
    keeper.keep(Findings("one", vectors=b"\n\0\xff"))
    assert keeper.load() == Findings("one", PRACTICES, b"\n\0\xff")


@both
def test_findings_of_another_reader_replace_all(tmp_path: Path, keeper_in: Callable[[Path], Keeper]) -> None:
    keeper = keeper_in(tmp_path)
    keeper.keep(Findings("one", PRACTICES, b"12"))
    keeper.keep(Findings("two", vectors=b"34"))
    assert keeper.load() == Findings("two", None, b"34")


@both
def test_forgetting_leaves_no_byte_of_them(tmp_path: Path, keeper_in: Callable[[Path], Keeper]) -> None:
    keeper = keeper_in(tmp_path)
    keeper.keep(Findings("one", vectors=SECRET * 2_000))
    assert holding(tmp_path, SECRET.decode())
    with Library.open(at(tmp_path)) as library:
        library.add(policy(), "Acme")
        library.forget("Acme")
    assert holding(tmp_path, SECRET.decode()) == []
    keeper.keep(Findings("one", vectors=SECRET * 2_000))
    assert keeper.load() is None
    assert holding(tmp_path, SECRET.decode()) == []


def test_pasted_text_and_a_cache_that_is_off_keep_nothing(tmp_path: Path) -> None:
    assert Cache(at(tmp_path)).keeper("-") is None
    assert Cache(at(tmp_path, cache_minutes=0)).keeper(URL) is None


@pytest.mark.parametrize(
    "damage", [b"", b"{}\n", b"[]", b"\xff", b'{"fingerprint": "a", "practices": "7", "vectors": 1}']
)
def test_a_damaged_file_counts_as_none(tmp_path: Path, damage: bytes) -> None:
    keeper = cache(tmp_path)
    keeper.keep(Findings("one"))
    (path,) = (tmp_path / "cache").glob("*.found")
    path.write_bytes(damage)
    assert keeper.load() is None


def test_damaged_rows_count_as_none(tmp_path: Path) -> None:
    keeper = shelf(tmp_path)
    keeper.keep(Findings("one", PRACTICES))
    with raw(tmp_path) as db:
        db.execute("UPDATE findings SET practices = '7'")
    assert keeper.load() is None


def test_practices_and_findings_survive_writing() -> None:
    assert from_json(to_json(PRACTICES)) == PRACTICES
    for findings in (Findings("a"), Findings("a", (), b""), Findings("a", PRACTICES, b"\n\n")):
        assert from_bytes(to_bytes(findings)) == findings


def test_an_annotation_brings_its_findings(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        version = library.add(policy(), "Acme").version
        assert library.findings(version) is None
        library.annotate(version, Annotation(Facets(), "m", Findings("one", PRACTICES)))
        assert library.findings(version) == Findings("one", PRACTICES)


def test_a_library_of_the_version_before_learns_to_keep_findings(tmp_path: Path) -> None:
    with closing(sqlite3.connect(at(tmp_path).database, isolation_level=None)) as db:
        schema.migrate(db, schema.MIGRATIONS[:2])
        db.execute("INSERT INTO services VALUES (1, 'Acme', 'acme', NULL, 's', '2020', NULL, NULL)")
        db.execute(
            "INSERT INTO versions VALUES (7, 1, 'd', '2020-01-01T00:00:00Z', 3, 's', NULL, 'Acme', 'text/plain', "
            "'en', 0.9, '[]', '[[\"p\",0,0,9]]', 'We do not.')"
        )
    with Library.open(at(tmp_path)) as library:
        assert library.text("Acme").version == 7
        library.keep_findings(7, Findings("one", vectors=b"1"))
        assert library.findings(7) == Findings("one", None, b"1")
