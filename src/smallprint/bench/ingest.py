"""`bench ingest`: what a policy of a corpus costs on its way into library and index, beside the reader's own pass.

Rows: `smallprint` is the whole pipeline, `quick` the same without the reader, `reader` the reader's vectors of the same
sentences and nothing else. Processor time counts, the best of three rounds in turn: on a busy machine nothing else can
be compared. `cost_of_reader` is the pipeline's cost by that of the reader's pass. `--system memory` reads the whole
corpus without the reader in one process and tells its resident memory on the way; it takes half an hour of a processor
and runs only when asked.
"""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from smallprint.bench import search_data
from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.bench.search_speed import ROUNDS, Took, best, temporary, took
from smallprint.corpus.analyse import Options
from smallprint.corpus.run import Progress, ingest
from smallprint.corpus.sources import open_corpus
from smallprint.errors import DataMissing
from smallprint.index.follow import follow, open_index
from smallprint.library import Library
from smallprint.models.reader import shipped_reader
from smallprint.segment import segment
from smallprint.settings import Settings

SAMPLE: Final = 24
_EVERY: Final = 97  # the corpus is sorted by where its policies come from
ROWS: Final = ("smallprint", "quick", "reader")
MEMORY: Final = "memory"
MARKS: Final = {"1k": 1_000, "10k": 10_000, "30k": 30_000}


def run(data: DataDir, system: str | None = None) -> Report:
    if system not in (None, MEMORY, *ROWS):
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join((*ROWS, MEMORY))}).")
    if system == MEMORY:
        marked = memory(data)
        return Report("ingest", data.used, max(MARKS.values()), {MEMORY: marked})
    with temporary() as folder:
        corpus = folder / "corpus.jsonl"
        corpus.write_text("".join(json.dumps(row) + "\n" for row in sample(data)), encoding="utf-8")
        shipped_reader()  # loading it is paid once, not for each policy
        _pipeline(corpus, folder / "sentences", Options(force=True, quick=True))
        texts = _sentences(folder / "sentences")
        whole, alone, quick = _fastest(
            lambda home: _pipeline(corpus, home, Options(force=True)),
            lambda _: [shipped_reader().vectors(some) for some in texts],
            lambda home: _pipeline(corpus, home, Options(force=True, quick=True)),
        )
    systems = {
        "smallprint": _rates(whole, len(texts)) | {"cost_of_reader": whole.cpu / alone.cpu},
        "quick": _rates(quick, len(texts)) | {"cost_of_reader": quick.cpu / alone.cpu},
        "reader": _rates(alone, len(texts)),
    }
    wanted = {name: row for name, row in systems.items() if system in (None, name)}
    return Report("ingest", data.used, len(texts), wanted, seen=None)


def _fastest(*ways: Callable[[Path], object]) -> list[Took]:
    """The best of a few rounds of each, in turn, so that a busy machine slows them alike."""
    rounds: list[list[Took]] = []
    for _ in range(ROUNDS):
        with temporary() as folder:
            homes = enumerate(ways)
            rounds.append([took(lambda n=n, way=way: way(folder / str(n))) for n, way in homes])  # type: ignore[misc]
    return [best(list(times)) for times in zip(*rounds, strict=True)]


def memory(data: DataDir) -> dict[str, float]:
    """Resident megabytes when so many documents were read and stored."""
    paths = [str(search_data.noted(data, name)) for name in search_data.CORPUS]
    found: dict[str, float] = {}

    def look(progress: Progress) -> None:
        for name, mark in MARKS.items():
            if name not in found and progress.documents >= mark:
                found[name] = _resident_megabytes()

    with temporary() as home:
        settings = Settings(home=home)
        with Library.open(settings) as library:
            corpus = open_corpus(paths, settings)
            ingest(corpus, library, settings, options=Options(quick=True), workers=0, progress=look)
    return {f"resident_mb_{name}": megabytes for name, megabytes in found.items()}


def _resident_megabytes() -> float:
    """Now, where the system tells; else the most so far."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def sample(data: DataDir) -> Iterator[dict[str, Any]]:
    rows = islice(search_data.stream(data, search_data.CORPUS[0]), 0, None, _EVERY)
    yield from islice(rows, SAMPLE)


def _pipeline(corpus: Path, home: Path, options: Options) -> None:
    settings = Settings(home=home)
    with Library.open(settings) as library:
        ingest(open_corpus([str(corpus)], settings), library, settings, options=options, workers=0)
        follow(library, open_index(settings), settings)


def _sentences(home: Path) -> list[list[str]]:
    """Those of each stored policy."""
    with Library.open(Settings(home=home)) as library:
        stored = [library.get(entry.name) for entry in library.list()]
    return [[sentence.text for sentence in segment(policy).sentences] for policy in stored]


def _rates(spent: Took, policies: int) -> dict[str, float]:
    return {"policies_per_second": policies / spent.wall, "policies_per_cpu_second": policies / spent.cpu}
