"""The index follows the library, through crashes and other writers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import IndexUnavailable, UnknownPolicy
from smallprint.index.document import IndexDocument, document_of
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.follow import follow, open_index, rebuild
from smallprint.index.language import parse
from smallprint.index.protocol import Request, Unit
from smallprint.index.turn import turn
from smallprint.ingest.assemble import assemble
from smallprint.library import Annotation, Library, Shelved
from smallprint.records import BlockKind, Facets, Piece, Policy
from smallprint.settings import Settings


def policy(*lines: str, source: str = "https://acme.example/privacy") -> Policy:
    text, blocks = assemble(Piece(BlockKind.PARAGRAPH, line) for line in lines)
    return Policy(source=source, title="Acme Privacy", text=text, blocks=blocks, media="text/plain", url=source)


def services(settings: Settings, query: str, **choices: object) -> list[str]:
    found = Assistant(settings).search(Request(parse(query), **choices))  # type: ignore[arg-type]
    return [hit.service for hit in found.page.hits]


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    with Library.open(settings) as opened:
        yield opened


def test_what_is_stored_is_found_and_nothing_stays_pending(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    assert services(settings, "zebra") == ["Acme"]
    assert library.pending(10) == ()
    library.add(policy("We keep lions.", source="https://bolt.example"), "Bolt")
    assert services(settings, "lion") == ["Bolt"]
    assert library.pending(10) == ()


def test_sentences_and_facets_come_along(settings: Settings, library: Library) -> None:
    note = Annotation(Facets(sector="medical", regulations=("GDPR",)), "rules-1")
    library.add(policy("We keep zebras. We never sell them."), "Acme", annotation=note)
    page = Assistant(settings).search(Request(parse("sell"), unit=Unit.SENTENCE)).page
    assert [(h.number, str(h.stance)) for h in page.hits] == [(1, "does-not")]
    assert page.hits[0].facets.sector == "medical"


def test_annotating_again_reaches_the_index(settings: Settings, library: Library) -> None:
    stored = library.add(policy("We keep zebras."), "Acme")
    services(settings, "zebra")
    library.annotate(stored.version, Annotation(Facets(sector="travel"), "rules-2"))
    found = Assistant(settings).search(Request(parse("zebra")))
    assert found.page.hits[0].facets.sector == "travel"


def test_only_the_newest_version_is_found_unless_all_are_asked_for(settings: Settings, library: Library) -> None:
    for year in (2019, 2020, 2021):
        library.add(policy(f"We keep zebras since {year}."), "Acme", datetime(year, 1, 1, tzinfo=UTC))
        assert services(settings, "zebra") == ["Acme"]
    assert len(services(settings, "zebra", every_version=True)) == 3
    page = Assistant(settings).search(Request(parse("zebra"), every_version=True)).page
    assert [(v.value, v.count) for v in page.facets["year"]] == [("2019", 1), ("2020", 1), ("2021", 1)]


def test_removed_and_restored(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    assert services(settings, "zebra") == ["Acme"]
    library.remove("Acme")
    assert services(settings, "zebra") == []
    library.restore()
    assert services(settings, "zebra") == ["Acme"]


def test_what_is_forgotten_leaves_the_disk(settings: Settings, library: Library) -> None:
    library.add(policy("We keep quetzalcoatl."), "Acme")
    library.add(policy("We keep lions.", source="https://bolt.example"), "Bolt")
    assert services(settings, "quetzalcoatl") == ["Acme"]
    Assistant(settings).forget("Acme")
    assert services(settings, "lion") == ["Bolt"]
    files = [f.read_bytes() for f in (settings.home / "index").rglob("*") if f.is_file()]
    assert not any(b"quetzalcoatl" in content for content in files)


def test_forgetting_what_there_is_not_asks_for_no_new_index(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    assert services(settings, "zebra") == ["Acme"]
    with pytest.raises(UnknownPolicy):
        Assistant(settings).forget("Acm")
    assert not (settings.home / "index.erase").exists()
    library.remove("Acme")
    Assistant(settings).forget("Acme")  # what was taken out is still there to forget


def test_killed_while_forgetting_the_index_is_made_anew(
    settings: Settings, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add(policy("We keep zebras."), "Acme")
    assert services(settings, "zebra") == ["Acme"]

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Library, "forget", die)
    with pytest.raises(KeyboardInterrupt):
        Assistant(settings).forget("Acme")
    assert (settings.home / "index.erase").exists()


def test_an_empty_library_finds_nothing(settings: Settings) -> None:
    assert services(settings, "zebra") == []


class Dying(EmbeddedIndex):
    """Dies after the index is written and before the library hears of it, or in the middle."""

    def upsert(self, documents: Iterable[IndexDocument]) -> int:
        super().upsert(documents)
        raise KeyboardInterrupt

    def rebuild(self, documents: Iterable[IndexDocument]) -> int:
        next(iter(documents), None)
        raise KeyboardInterrupt


def test_a_follower_that_dies_costs_no_policy(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    dying = Dying(settings.home / "index")
    with pytest.raises(KeyboardInterrupt):
        follow(library, dying, settings)
    assert services(settings, "zebra") == ["Acme"]
    library.add(policy("We keep lions.", source="https://bolt.example"), "Bolt")
    with pytest.raises(KeyboardInterrupt):
        follow(library, dying, settings)
    assert len(library.pending(10)) == 1
    assert services(settings, "lion") == ["Bolt"]
    assert services(settings, "lion OR zebra", limit=5) in (["Bolt", "Acme"], ["Acme", "Bolt"])


def test_rebuild_from_the_library_alone(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    services(settings, "zebra")
    open_index(settings).rebuild([])
    assert services(settings, "zebra") == []
    assert rebuild(library, open_index(settings), settings) == 1
    assert services(settings, "zebra") == ["Acme"]


def test_a_search_does_not_wait_for_another_follower(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    services(settings, "zebra")
    library.add(policy("We keep lions.", source="https://bolt.example"), "Bolt")
    with turn(settings.home / "index.lock"):
        assert services(settings, "zebra") == ["Acme"]
        assert services(settings, "lion") == []
        with pytest.raises(IndexUnavailable):
            follow(library, open_index(settings), settings, patience=0)
    assert services(settings, "lion") == ["Bolt"]


def test_progress_is_told(settings: Settings, library: Library) -> None:
    library.add(policy("We keep zebras."), "Acme")
    told: list[int] = []
    assert Assistant(settings).index_rebuild(progress=told.append) == 1
    assert told == [1]


def test_a_loader_elsewhere_makes_the_same_index(settings: Settings, library: Library) -> None:
    """Also where an older index is gone and nothing is pending, and where the loader dies in the middle."""
    index = open_index(settings)
    batches: list[int] = []

    def write(versions: Iterable[Shelved]) -> int:
        some = list(versions)
        batches.append(len(some))
        if len(batches) == 1:
            index.upsert(map(document_of, some[:1]))
            raise IndexUnavailable("killed")
        return index.upsert(map(document_of, some))

    for name in ("Acme", "Bolt", "Gone"):
        library.add(policy(f"{name} keeps zebras.", source=f"https://{name}.example"), name)
    library.done(pending.id for pending in library.pending(9))
    library.remove("Gone")
    with pytest.raises(IndexUnavailable, match="killed"):
        follow(library, index, settings, write=write)
    assert follow(library, index, settings, write=write) == 2
    assert library.pending(9) == ()
    assert sorted(services(settings, "zebra")) == ["Acme", "Bolt"]
    assert batches == [2, 2]
