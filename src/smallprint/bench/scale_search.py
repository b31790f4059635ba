"""Search beside search: the embedded engine and an OpenSearch cluster over the same policies, in one run.

Bulk rate, result pages (ranking, five facets, ten snippets) and bytes a policy. The cluster is the one that the
settings name, else three nodes that are started here: on one machine they share its processors with all else, so their
figures say what a cluster costs, not how fast a large one is. Sizes up to that of the corpus take real policies, larger
ones made-up ones of real paragraphs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from smallprint import settings as settings_
from smallprint.bench import opensearch_nodes, search_data
from smallprint.bench.data import DataDir
from smallprint.bench.opensearch_nodes import Nodes
from smallprint.bench.search_queries import QUERIES
from smallprint.bench.search_rivals import FACETS
from smallprint.bench.search_speed import temporary
from smallprint.index.document import IndexDocument
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.language import parse
from smallprint.index.opensearch.address import Address, address
from smallprint.index.opensearch.engine import OpenSearchIndex
from smallprint.index.protocol import Index, Request

CORPUS: Final = 31_032
ROUNDS: Final = 3
_NODES: Final = 3
_NAME: Final = "smallprint-scale"
Rows = dict[str, dict[str, float]]


def compare(data: Path, sizes: tuple[int, ...] = (CORPUS, 300_000)) -> Rows:
    """`tantivy@31032`, `opensearch@31032`, …: each with its measures."""
    rows: Rows = {}
    with temporary() as folder, _cluster(folder) as place:
        for size in sizes:
            rows |= _measured(DataDir(data), size, folder / str(size), place)
    return rows


@contextmanager
def _cluster(folder: Path) -> Iterator[Address]:
    """Always by a name of its own: what is measured replaces what is there."""
    given = settings_.load()
    if given.index:
        yield replace(address(given), name=_NAME)
        return
    opensearch_nodes.fetch()
    with Nodes(folder / "nodes", _NODES, heap="2g", quick=False) as nodes:
        yield address(replace(given, index=nodes.index(_NAME)))


def _measured(data: DataDir, size: int, folder: Path, place: Address) -> Rows:
    embedded = EmbeddedIndex(folder / "index")
    cluster = OpenSearchIndex(place)
    engines: dict[str, Index] = {f"tantivy@{size}": embedded, f"opensearch@{size}": cluster}
    rows: Rows = {}
    for name, index in engines.items():
        began = time.perf_counter()
        number = index.rebuild(_documents(data, size))
        rows[name] = {"policies": number, "policies_per_second": number / (time.perf_counter() - began)}
    for name, times in _pages(engines).items():
        rows[name] |= {"page_p50_ms": 1_000 * median(times), "page_p95_ms": 1_000 * quantiles(times, n=20)[-1]}
    sizes: dict[str, Callable[[], int]] = {
        f"tantivy@{size}": lambda: _bytes(folder),
        f"opensearch@{size}": cluster.bytes,
    }
    for name, measure in sizes.items():
        rows[name]["bytes_per_policy"] = measure() / rows[name]["policies"]
    cluster.rebuild(())
    return rows


def _documents(data: DataDir, size: int) -> Iterator[IndexDocument]:
    return islice(search_data.documents(data), size) if size <= CORPUS else search_data.synthetic(data, size)


def _pages(engines: dict[str, Index]) -> dict[str, list[float]]:
    """Seconds on the clock of each query's page, the engines in turn; the first round warms both."""
    times: dict[str, list[float]] = {name: [] for name in engines}
    queries = [query for queries in QUERIES.values() for query in queries]
    for turn in range(ROUNDS + 1):
        for query in queries:
            for name, index in engines.items():
                began = time.perf_counter()
                index.search(Request(parse(query), facets=FACETS))
                if turn:
                    times[name].append(time.perf_counter() - began)
    return times


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
