"""How fast and how large: indexing beside a bare load, result pages beside SQLite's full-text search."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from smallprint.bench import search_data
from smallprint.bench.data import DataDir
from smallprint.bench.search_queries import QUERIES
from smallprint.bench.search_rivals import BATCH, FACETS, Fts5, bare_load
from smallprint.index import embedded
from smallprint.index.document import IndexDocument, sentences_of
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.language import parse
from smallprint.index.protocol import Request
from smallprint.ingest import markdown
from smallprint.ingest.assemble import assemble
from smallprint.records import Policy
from smallprint.segment import segment

SIZES: Final = {"3k": 3_000, "10k": 10_000, "30k": 30_000}
RATE_SAMPLE: Final = 6_000  # policies for the indexing rates: they must fit into memory
SENTENCE_SAMPLE: Final = 500
ROUNDS: Final = 3
Rows = dict[str, dict[str, float]]


def rates(data: DataDir) -> Rows:
    """Policies a second, and a second of processor time; each way of loading in turn, so that a busy machine
    slows them alike."""
    sample = list(islice(search_data.documents(data), RATE_SAMPLE))
    bare, ours = [], []
    for _ in range(ROUNDS):
        bare.append(_timed(lambda folder: _bare(folder, sample)))
        ours.append(_timed(lambda folder: EmbeddedIndex(folder).rebuild(sample)))
    few = sample[:SENTENCE_SAMPLE]
    sentences = _timed(lambda folder: EmbeddedIndex(folder).rebuild(map(_with_sentences, few)))
    fastest, bare_fastest = best(ours), best(bare)
    return {
        "smallprint": {
            "policies_per_second": len(sample) / fastest.wall,
            "policies_per_cpu_second": len(sample) / fastest.cpu,
            "rate_of_bare_load": bare_fastest.wall / fastest.wall,
            "cpu_rate_of_bare_load": bare_fastest.cpu / fastest.cpu,
            "policies_per_cpu_second_with_sentences": len(few) / sentences.cpu,
        },
        "tantivy-bare": {
            "policies_per_second": len(sample) / bare_fastest.wall,
            "policies_per_cpu_second": len(sample) / bare_fastest.cpu,
        },
    }


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the clock and of the processor: on a busy machine only the latter can be compared."""

    wall: float
    cpu: float


def best(times: list[Took]) -> Took:
    return Took(min(t.wall for t in times), min(t.cpu for t in times))


def _bare(folder: Path, sample: list[IndexDocument]) -> None:
    bare_load(folder, ((d.id, d.text) for d in sample), embedded.LARGE_HEAP, embedded.bulk_threads())


def _with_sentences(one: IndexDocument) -> IndexDocument:
    """Segmenting included: what the index costs where sentences can be searched too."""
    text, blocks = assemble(markdown.extract(one.text).pieces)
    policy = Policy(one.id, one.title, text, blocks, "text/markdown")
    return replace(one, sentences=sentences_of(segment(policy)))


def pages(documents: Iterable[IndexDocument], name: str) -> Rows:
    """p50 and p95 of a result page (five facets, ten snippets), the engines in turn; bytes a policy."""
    with temporary() as folder:
        index = EmbeddedIndex(folder / "index")
        rival = Fts5(folder / "fts5.sqlite3")
        number = _load_both(index, rival, documents)
        clocks = _interleaved(index, rival)
        sizes = {"smallprint": _bytes(folder / "index"), "sqlite-fts5": _bytes(folder / "fts5.sqlite3")}
        rival.close()
    return {
        system: {
            f"p50_ms_{name}": 1_000 * median(took.wall for took in clock),
            f"p95_ms_{name}": 1_000 * quantiles([took.wall for took in clock], n=20)[-1],
            f"cpu_p50_ms_{name}": 1_000 * median(took.cpu for took in clock),
            f"cpu_p95_ms_{name}": 1_000 * quantiles([took.cpu for took in clock], n=20)[-1],
            f"bytes_per_policy_{name}": sizes[system] / number,
        }
        for system, clock in clocks.items()
    }


def _load_both(index: EmbeddedIndex, rival: Fts5, documents: Iterable[IndexDocument]) -> int:
    """One pass over the documents feeds both. The index is built in one go, as an ingest of that size would: sixty
    updates of 5,000 each look every document up in all that is there and merge it again and again."""

    def passing() -> Iterator[IndexDocument]:
        coming = iter(documents)
        while batch := list(islice(coming, BATCH)):
            rival.load(batch)
            yield from batch

    return index.rebuild(passing())


def _interleaved(index: EmbeddedIndex, rival: Fts5) -> dict[str, list[Took]]:
    clocks: dict[str, list[Took]] = {"smallprint": [], "sqlite-fts5": []}
    queries = [query for queries in QUERIES.values() for query in queries]
    for turn in range(ROUNDS + 1):
        for query in queries:
            request = Request(parse(query), facets=FACETS)
            ours = took(lambda request=request: index.search(request))  # type: ignore[misc]
            words = query.replace("-", " ").split()
            theirs = took(lambda words=words: rival.page(words))  # type: ignore[misc]
            if turn:  # the first round warms both
                clocks["smallprint"].append(ours)
                clocks["sqlite-fts5"].append(theirs)
    return clocks


def took(do: Callable[[], object]) -> Took:
    wall, cpu = time.perf_counter(), time.process_time()
    do()
    return Took(time.perf_counter() - wall, time.process_time() - cpu)


def _timed(load: Callable[[Path], object]) -> Took:
    with temporary() as folder:
        return took(lambda: load(folder))


def _bytes(path: Path) -> int:
    return sum(f.stat().st_size for f in path.rglob("*") if f.is_file()) if path.is_dir() else path.stat().st_size


@contextmanager
def temporary() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="smallprint-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
