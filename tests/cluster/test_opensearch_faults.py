"""Nodes that die as by a power cut, on three separate processes: nothing acknowledged is lost, nothing doubled."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from smallprint.bench.opensearch_nodes import Nodes
from smallprint.errors import IndexUnavailable
from smallprint.index.document import IndexDocument, IndexSentence
from smallprint.index.follow import follow, open_index
from smallprint.index.language import parse
from smallprint.index.protocol import Index, Request, Unit
from smallprint.index.stance import SentenceStance
from smallprint.ingest.assemble import assemble
from smallprint.library import Library
from smallprint.records import BlockKind, Piece, Policy
from smallprint.settings import Settings

NODES = 3
POLICIES = 300
_NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def whole(nodes: Nodes) -> Iterator[None]:
    """Before and after each test."""
    nodes.wait(NODES, "green")
    yield
    for node in nodes.ports():
        if not nodes.runs(node):
            nodes.start(node)
    nodes.wait(NODES, "green")


@pytest.fixture
def index(nodes: Nodes, settings: Settings) -> Iterator[Index]:
    name = f"faults-{next(_NUMBERS)}"
    yield open_index(Settings(home=settings.home, index=nodes.index(name, "?shards=2&timeout=20")))
    nodes.forget(name)


def some(number: int, word: str = "zebra") -> Iterator[IndexDocument]:
    for n in range(number):
        text = f"We keep {word} number {n}."
        sentences = (IndexSentence(0, text, SentenceStance.DOES),)
        yield IndexDocument(id=f"{word}{n}", text=text, sentences=sentences)


def killing(documents: Iterator[IndexDocument], nodes: Nodes, node: int) -> Iterator[IndexDocument]:
    """The node dies in the middle of the load."""
    for n, one in enumerate(documents):
        if n == POLICIES // 2:
            nodes.kill(node)
        yield one


def total(index: Index, query: str, unit: Unit = Unit.POLICY) -> int:
    return index.search(Request(parse(query), unit=unit, facets=(), snippets=False)).total


def victim(nodes: Nodes, which: str) -> int:
    manager = nodes.manager()
    return manager if which == "manager" else next(node for node in nodes.ports() if node != manager)


def test_the_manager_dies_while_policies_are_loaded(nodes: Nodes, index: Index) -> None:
    index.rebuild(some(5, "lion"))
    assert index.upsert(killing(some(POLICIES), nodes, victim(nodes, "manager"))) == POLICIES
    assert total(index, "zebra") == POLICIES
    assert total(index, "zebra", Unit.SENTENCE) == POLICIES
    assert total(index, "*") == POLICIES + 5


def test_another_dies_while_the_index_is_rebuilt_and_comes_back(nodes: Nodes, index: Index) -> None:
    index.rebuild(some(5, "lion"))
    node = victim(nodes, "another")
    assert index.rebuild(killing(some(POLICIES), nodes, node)) == POLICIES
    assert (total(index, "zebra"), total(index, "lion")) == (POLICIES, 0)
    nodes.start(node)
    nodes.wait(NODES, "green")
    assert index.upsert(some(10)) == 10
    nodes.kill(victim(nodes, "another"))  # a copy that came back must be as good as the one it was made from
    assert (total(index, "zebra"), total(index, "zebra", Unit.SENTENCE)) == (POLICIES, POLICIES)


@pytest.mark.parametrize("which", ["manager", "another"])
def test_a_node_dies_while_people_search(nodes: Nodes, index: Index, which: str) -> None:
    index.rebuild(some(POLICIES))
    seen: list[int | str] = []
    done = threading.Event()

    def search() -> None:
        while not done.is_set():
            try:
                seen.append(total(index, "zebra"))
            except IndexUnavailable as error:
                seen.append(str(error))

    people = [threading.Thread(target=search) for _ in range(2)]
    for person in people:
        person.start()
    time.sleep(1)
    nodes.kill(victim(nodes, which))
    before = len(seen)
    deadline = time.monotonic() + 60
    while len(seen) < before + 20 and time.monotonic() < deadline:
        time.sleep(0.1)
    done.set()
    for person in people:
        person.join()
    assert len(seen) >= before + 20
    assert {one for one in seen if isinstance(one, int)} == {POLICIES}
    assert all("again" in one for one in seen if isinstance(one, str))
    assert seen[-1] == POLICIES


def policy(word: str) -> Policy:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, f"We keep {word}.")])
    source = f"https://{word}.example/privacy"
    return Policy(source=source, title=word, text=text, blocks=blocks, media="text/plain", url=source)


def test_all_nodes_gone_and_the_loader_picks_up_where_it_was(nodes: Nodes, index: Index, settings: Settings) -> None:
    with Library.open(settings) as library:
        library.add(policy("zebras"), "Zebra")
        assert follow(library, index, settings) == 1
        for node in nodes.ports():
            nodes.kill(node)
        began = time.monotonic()
        with pytest.raises(IndexUnavailable, match=r"^OpenSearch at [^\n]+ can't be reached[^\n]+Try again[^\n]+$"):
            total(index, "zebra")
        assert time.monotonic() - began < 30
        library.add(policy("lions"), "Lion")
        with pytest.raises(IndexUnavailable, match="Try again"):
            follow(library, index, settings)
        assert len(library.pending(10)) == 1
        for node in nodes.ports():
            nodes.start(node)
        nodes.wait(NODES)
        assert follow(library, index, settings) == 1
        assert library.pending(10) == ()
    assert (total(index, "zebra"), total(index, "lion"), total(index, "*")) == (1, 1, 2)
