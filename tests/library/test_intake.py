from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from library_helpers import at, holding, policy, raw

from smallprint.library import Annotation, Arrival, Library, Refusal, Taken
from smallprint.records import Facets


def arrival(n: int, *, name: str | None = None, host: str = "", text: str = "") -> Arrival:
    url = f"https://{host}/privacy" if host else None
    return Arrival(
        key=bytes([n]),
        policy=policy(text or f"Text {n}.", url=url),
        annotation=Annotation(Facets(sector="it"), "m"),
        signature=b"",
        name=name or f"Service {n}",
        page=f"Menu. Text {n}.",
    )


BAD = Refusal(b"bad", "corpus.jsonl:7", "EmptyDocument", "It is empty.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(at(tmp_path)) as library:
        yield library


def test_what_arrives_is_stored_with_all_that_was_read(library: Library) -> None:
    taken = library.intake("c").take([arrival(1), arrival(2), BAD])
    assert taken == Taken(stored=2, refused=1)
    (shelved,) = library.shelved([1])
    assert (shelved.name, shelved.page) == ("Service 1", "Menu. Text 1.")
    assert shelved.annotation == Annotation(Facets(sector="it"), "m")


def test_done_documents_are_known(library: Library) -> None:
    intake = library.intake("c")
    intake.take([arrival(1), BAD])
    assert intake.known([b"\1", b"\2", b"bad"]) == {b"\1", b"bad"}
    assert intake.known([bytes([n % 256, n // 256]) for n in range(2000)]) == set()


def test_what_was_bad_is_tried_again_by_the_next_run(library: Library) -> None:
    first = library.intake("c")
    first.take([arrival(1), BAD])
    first.finish()
    again = library.intake("c")
    assert again.known([b"\1", b"bad"]) == {b"\1"}
    again.take([BAD])
    assert (library.problems(first.run), library.problems(again.run)) == ((), (BAD,))


def test_a_run_goes_on_until_it_is_finished(library: Library) -> None:
    first = library.intake("c")
    assert not first.resumed
    again, other = library.intake("c"), library.intake("d")
    assert (again.run, again.resumed, other.resumed) == (first.run, True, False)
    again.finish()
    assert not library.intake("c").resumed


def test_problems_are_those_of_the_run(library: Library) -> None:
    first = library.intake("c")
    first.take([BAD])
    first.finish()
    assert library.problems(first.run) == (BAD,)
    assert library.problems(library.intake("c").run) == ()


def test_a_batch_is_stored_whole_or_not_at_all(library: Library) -> None:
    broken = Arrival(**{f: getattr(arrival(2), f) for f in Arrival.__slots__} | {"key": object()})
    with pytest.raises(Exception, match=r"."):
        library.intake("c").take([arrival(1), broken])
    assert library.list() == ()
    assert library.intake("c").known([b"\1"]) == set()


def test_the_same_text_again_is_unchanged(library: Library) -> None:
    intake = library.intake("c")
    intake.take([arrival(1, name="A", text="Same.")])
    assert intake.take([arrival(2, name="A", text="Same.")]) == Taken(unchanged=1)


def test_one_name_on_two_domains_is_two_services(library: Library) -> None:
    rows = [arrival(1, name="Acme", host="acme.com"), arrival(2, name="Acme", host="acme.org")]
    library.intake("c").take([*rows, arrival(3, name="Acme", host="help.acme.com")])
    assert {e.name: e.versions for e in library.list()} == {"Acme": 2, "Acme (acme.org)": 1}


@pytest.mark.parametrize("name", ["", "—", None])
def test_without_a_usable_name_title_or_domain_serve(library: Library, name: str | None) -> None:
    one = arrival(1, host="acme.com")
    library.intake("c").take([Arrival(one.key, one.policy, one.annotation, b"", name)])
    assert library.list()[0].name == "acme.com"


def test_a_forgotten_document_is_unknown_again_and_leaves_no_byte(library: Library, tmp_path: Path) -> None:
    intake = library.intake("c")
    intake.take([arrival(1, text="quokka."), arrival(2)])
    library.forget("Service 1")
    assert intake.known([b"\1", b"\2"]) == {b"\2"}
    assert holding(tmp_path, "quokka") == []


def test_forgetting_all_forgets_runs_and_their_problems(library: Library, tmp_path: Path) -> None:
    library.intake("quokka-corpus").take([arrival(1), BAD])
    library.forget_all()
    assert holding(tmp_path, "quokka-corpus") == []
    assert holding(tmp_path, "corpus.jsonl:7") == []
    with raw(tmp_path) as db:
        assert db.execute("SELECT count(*) FROM documents").fetchone() == (0,)
