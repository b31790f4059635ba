"""Both engines over the same policies: the same hits in the same order, the same totals and counts.

A thousand policies; SMALLPRINT_CLUSTER_POLICIES=31032 runs it over the whole corpus.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from smallprint.bench import opensearch_nodes, search_data
from smallprint.bench.data import DataDir
from smallprint.bench.opensearch_nodes import Nodes
from smallprint.bench.search_queries import QUERIES
from smallprint.index.document import IndexDocument, IndexSentence
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.follow import open_index
from smallprint.index.language import parse
from smallprint.index.protocol import Filters, Index, Page, Request, Sort, Unit
from smallprint.index.stance import stance_of
from smallprint.settings import Settings

POLICIES = int(os.environ.get("SMALLPRINT_CLUSTER_POLICIES", "1000"))
SPLIT = 50  # policies whose sentences are indexed too
LINES = (Path(__file__).parent / "queries.txt").read_text("utf-8").splitlines()
ALL = [*(query for theme in QUERIES.values() for query in theme), *LINES]
CHOSEN = Filters({"sector": ("finance", "medical")}, {"vagueness": (0.1, 0.35)})


def documents() -> Iterator[IndexDocument]:
    """Line by line: how sentences are split matters to neither engine."""
    data = DataDir(Path(os.environ["SMALLPRINT_DATA"]))
    for number, one in enumerate(islice(search_data.documents(data), POLICIES)):
        lines = enumerate(one.text.split("\n")) if number < SPLIT else ()
        sentences = tuple(IndexSentence(n, line, stance_of(line)) for n, line in lines if line.strip())
        yield replace(one, sentences=sentences, page=f"Home About {one.text}" if number % 3 else "")


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """The nodes of the other tests; for a large run one of its own, as shards matter here and copies don't."""
    if POLICIES <= 1_000:
        yield request.getfixturevalue("nodes")
        return
    opensearch_nodes.fetch()
    with Nodes(tmp_path_factory.mktemp("node"), 1, heap="2g", quick=False) as started:
        yield started


@pytest.fixture(scope="module")
def both(cluster: Nodes, tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Index]:
    if not os.environ.get("SMALLPRINT_DATA"):
        pytest.skip("needs policies: SMALLPRINT_DATA names their folder")
    home = tmp_path_factory.mktemp("parity")
    embedded = EmbeddedIndex(home / "index")
    other = open_index(Settings(home=home, index=cluster.index("parity", "?shards=5")))
    taken = {index.rebuild(documents()) for index in (embedded, other)}
    assert len(taken) == 1
    return embedded, other


def test_there_are_fifty_queries() -> None:
    assert len(set(ALL)) == 50


def plain(page: Page) -> Page:
    """Without scores: 32 bits are rounded differently."""
    return replace(page, hits=tuple(replace(hit, score=0.0) for hit in page.hits))


def compare(both: tuple[Index, Index], request: Request) -> None:
    one, other = (index.search(request) for index in both)
    assert [hit.id for hit in other.hits] == [hit.id for hit in one.hits]
    assert [hit.score for hit in other.hits] == pytest.approx([hit.score for hit in one.hits], rel=1e-5)
    assert plain(other) == plain(one)


@pytest.mark.parametrize("query", ALL)
def test_the_first_ten_the_total_and_all_counts(both: tuple[Index, Index], query: str) -> None:
    compare(both, Request(parse(query)))


@pytest.mark.parametrize("query", ALL[::5])
@pytest.mark.parametrize("sort", Sort)
def test_sorts_and_filters(both: tuple[Index, Index], query: str, sort: Sort) -> None:
    compare(both, Request(parse(query), sort=sort, filters=CHOSEN, offset=3, limit=5))


@pytest.mark.parametrize("query", ALL[::5])
def test_whole_pages(both: tuple[Index, Index], query: str) -> None:
    compare(both, Request(parse(query), within="page", facets=()))


@pytest.mark.parametrize("query", ALL[::5])
def test_sentences(both: tuple[Index, Index], query: str) -> None:
    compare(both, Request(parse(query), unit=Unit.SENTENCE))
