"""What is read from a version is kept beside it, and the way there from the library before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from library_helpers import at, policy, raw

from smallprint.errors import LibraryDamaged
from smallprint.library import Annotation, Library, schema
from smallprint.library.serial import facets_from_json, facets_to_json
from smallprint.records import Facets

FACETS = Facets(sector="it", grade=11.2, vagueness=0.25, tracking=("cookies",), regulations=("gdpr", "ccpa"))
READ = Annotation(FACETS, "model-1")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(at(tmp_path)) as library:
        yield library


def test_a_library_of_the_first_version_keeps_what_it_holds(tmp_path: Path) -> None:
    path = at(tmp_path).database
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        schema.migrate(db, schema.MIGRATIONS[:1])
        db.execute("INSERT INTO services VALUES (1, 'Acme', 'acme', 'acme.com', 'https://acme.com', '2020', NULL)")
        db.execute(
            "INSERT INTO versions VALUES (7, 1, 'd', '2020-01-01T00:00:00Z', 3, 's', NULL, 'Acme', 'text/plain', "
            "'en', 0.9, '[]', '[[\"p\",0,0,9]]', 'We do not.')"
        )
        db.execute("INSERT INTO pending (version, op) VALUES (7, 'upsert')")
    with Library.open(at(tmp_path)) as library:
        assert library.get("Acme").text == "We do not."
        (shelved,) = library.shelved([7])
        assert (shelved.name, shelved.annotation, shelved.rank, shelved.page) == ("Acme", None, None, "")
        assert [p.version for p in library.pending(9)] == [7]
        library.annotate(7, READ)
        assert library.shelved([7])[0].annotation == READ


def test_facets_survive_json() -> None:
    assert facets_from_json(facets_to_json(FACETS)) == FACETS


def test_facets_of_other_times_are_read() -> None:
    assert facets_from_json('{"sector": "it", "gone": 1}') == Facets(sector="it")


@pytest.mark.parametrize("text", ["7", "[", "null"])
def test_what_makes_no_facets_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        facets_from_json(text)


def test_damaged_facets_are_named_as_such(library: Library, tmp_path: Path) -> None:
    version = library.add(policy(), "Acme", annotation=READ).version
    with raw(tmp_path) as db:
        db.execute("UPDATE annotations SET facets = '7'")
    with pytest.raises(LibraryDamaged):
        library.shelved([version])


def test_an_annotation_tells_the_index(library: Library) -> None:
    version = library.add(policy(), "Acme").version
    library.done([p.id for p in library.pending(9)])
    library.annotate(version, READ)
    assert [(p.version, p.op) for p in library.pending(9)] == [(version, "upsert")]


def test_versions_of_another_model_are_outdated(library: Library) -> None:
    first = library.add(policy("One."), "One", annotation=READ).version
    second = library.add(policy("Two."), "Two").version
    assert library.outdated("model-1") == (second,)
    assert library.outdated("model-2") == (first, second)
    assert library.outdated("model-2", after=first) == (second,)
    assert library.outdated("model-2", limit=1) == (first,)


def test_only_the_newest_version_is_called_so(library: Library) -> None:
    old = library.add(policy("Old."), "Acme").version
    new = library.add(policy("New."), "Acme").version
    assert [s.newest for s in library.shelved([old, new])] == [False, True]


def test_what_is_removed_is_not_shelved(library: Library) -> None:
    version = library.add(policy(), "Acme").version
    library.remove("Acme")
    assert library.shelved([version, 999]) == ()


def test_ranks_reach_subdomains_and_tell_the_index(library: Library) -> None:
    for host in ("acme.com", "help.acme.com", "other.org"):
        library.add(policy(f"{host}.", url=f"https://{host}/p"), host)
    library.add(policy("Pasted."), "Pasted")
    library.done([p.id for p in library.pending(9)])
    assert library.set_ranks({"acme.com": 12, "com": 1}) == 2
    assert len(library.pending(9)) == 2
    assert library.set_ranks({"acme.com": 12}) == 0
    assert [s.rank for s in library.shelved([1, 2, 3, 4])] == [12, 12, None, None]
    assert library.set_ranks({}) == 2
