"""OpenSearch behind the protocol: the contract, and what only a cluster can get wrong."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from index_contract import ACME, ALL, BOLT, CORA, IndexContract, Make, ids
from test_follow import policy

from smallprint.assistant import Assistant
from smallprint.bench.opensearch_nodes import Nodes
from smallprint.errors import IndexUnavailable
from smallprint.index.document import IndexDocument, IndexSentence
from smallprint.index.follow import open_index
from smallprint.index.language import parse
from smallprint.index.opensearch.engine import OpenSearchIndex
from smallprint.index.protocol import Index, Request, Unit
from smallprint.index.stance import SentenceStance
from smallprint.library import Library
from smallprint.settings import Settings

_NUMBERS = itertools.count()


@pytest.fixture
def name(nodes: Nodes) -> Iterator[str]:
    named = f"test-{next(_NUMBERS)}"
    yield named
    nodes.forget(named)


@pytest.fixture
def make(nodes: Nodes, settings: Settings, name: str) -> Make:
    return lambda: open_index(replace(settings, index=nodes.index(name, "?shards=1")))


class TestOpenSearch(IndexContract):
    kept: tuple[str, str] = ("", "")  # the name of an index of ALL, and the state it was in

    @pytest.fixture
    def make(self, request: pytest.FixtureRequest, nodes: Nodes, settings: Settings) -> Make:
        """Built anew only where the test before wrote to it: that takes seconds."""
        name, state = self.kept

        def make() -> Index:
            return open_index(replace(settings, index=nodes.index(name, "?shards=2")))

        if not name or "index" not in request.fixturenames or make().search(Request()).fingerprint != state:
            nodes.forget(name)
            name = f"contract-{next(_NUMBERS)}"
        return make

    @pytest.fixture
    def index(self, make: Make) -> Index:
        index = make()
        if index.ensure():
            index.rebuild(ALL)
            assert isinstance(index, OpenSearchIndex)
            type(self).kept = (index.name, index.search(Request()).fingerprint)
        return index


def found(index: Index, query: str) -> list[str]:
    return ids(index.search(Request(parse(query), facets=(), snippets=False)))


def sentence_hits(index: Index, query: str) -> list[tuple[str, int | None]]:
    hits = index.search(Request(parse(query), unit=Unit.SENTENCE, facets=())).hits
    return sorted((hit.id, hit.number) for hit in hits)


def test_what_is_indexed_before_any_rebuild_is_found(make: Make) -> None:
    """Several programs may begin at once: they all write into one generation."""
    one, other = make(), make()
    one.upsert([ACME])
    other.upsert([BOLT])
    assert sorted(found(one, "phone")) == ["acme", "bolt"]
    assert not one.ensure()


def test_a_shorter_version_leaves_no_sentence_behind(make: Make) -> None:
    """Also where both come in one call, in one batch or in two."""
    lines = tuple(IndexSentence(n, f"Zebra number {n}.", SentenceStance.DOES) for n in range(3))
    long, short = (IndexDocument(id="z", text="Zebras.", sentences=lines[:n]) for n in (3, 1))
    others = [IndexDocument(id=f"o{n}", text="Lions.") for n in range(150)]
    index = make()
    index.rebuild([long])
    index.upsert([short])
    assert sentence_hits(index, "zebra") == [("z", 0)]
    index.upsert([long, short])
    assert sentence_hits(index, "zebra") == [("z", 0)]
    index.upsert([long, *others, short])
    assert sentence_hits(index, "zebra") == [("z", 0)]
    index.delete(["z"])
    assert sentence_hits(index, "zebra") == []


def test_words_too_long_for_an_index_keep_their_place(make: Make) -> None:
    index = make()
    index.rebuild([IndexDocument(id="gap", text=f"We sell {'x' * 60} photos."), BOLT])
    assert found(index, '"sell photos"') == ["bolt"]
    assert found(index, "sell NEAR/2 photos") == ["bolt", "gap"] or found(index, "sell NEAR/2 photos") == [
        "gap",
        "bolt",
    ]


def test_a_rebuild_leaves_one_generation(make: Make, nodes: Nodes, name: str) -> None:
    index = make()
    for _ in range(3):
        index.rebuild([CORA])
    assert len(nodes.ask(f"/{name}-*/_mapping")) == 2


def test_names_that_begin_alike_are_left_alone(make: Make, nodes: Nodes, settings: Settings, name: str) -> None:
    longer = open_index(replace(settings, index=nodes.index(f"{name}-eu", "?shards=1")))
    longer.rebuild([ACME])
    make().rebuild([BOLT])
    make().rebuild([BOLT])
    assert found(longer, "phone") == ["acme"]


def test_a_reader_that_meets_a_swap_looks_again(make: Make) -> None:
    reader, writer = make(), make()
    writer.rebuild([ACME])
    assert isinstance(reader, OpenSearchIndex)
    old = reader._reading()
    writer.rebuild([BOLT])
    stale = iter([old])
    current = reader._generations.current
    reader._generations.current = lambda: next(stale, None) or current()  # type: ignore[method-assign]
    assert found(reader, "phone") == ["bolt"]


def test_a_swept_index_does_not_come_back_by_itself(make: Make, nodes: Nodes, name: str) -> None:
    index = make()
    index.rebuild([ACME])

    def swept_away() -> object:
        yield BOLT
        index.rebuild([CORA])  # another program, later and done sooner
        yield from (replace(BOLT, id=str(n)) for n in range(150))

    with pytest.raises(IndexUnavailable):
        make().rebuild(swept_away())  # type: ignore[arg-type]
    assert found(index, "*") == ["cora"]
    assert len(nodes.ask(f"/{name}-*/_mapping")) == 2


def test_no_index_is_said_in_one_line(make: Make) -> None:
    with pytest.raises(IndexUnavailable, match="index rebuild"):
        make().search(Request(parse("phone")))


def test_what_is_forgotten_leaves_the_cluster(nodes: Nodes, settings: Settings, name: str) -> None:
    assistant = Assistant(replace(settings, index=nodes.index(name, "?shards=1")))

    def kept() -> int:
        nodes.ask(f"/{name}/_refresh", "POST")
        return int(nodes.ask(f"/{name}*/_count?q=text:quetzalcoatl")["count"])

    with Library.open(settings) as library:
        library.add(policy("We keep quetzalcoatl."), "Acme")
        library.add(policy("We keep lions.", source="https://bolt.example"), "Bolt")
    assert assistant.search(Request(parse("quetzalcoatl"))).page.total == 1
    assert kept() > 0
    assistant.forget("Acme")
    assert kept() == 0
    assert assistant.search(Request(parse("lion"))).page.total == 1
    assistant.forget_all()
    assert nodes.ask(f"/{name}*/_count")["count"] == 0
