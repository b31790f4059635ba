"""`bench scale`: what a policy costs on one machine and on Spark, and what millions of them need.

Rows `local` and `spark`: processor milliseconds a policy for each stage, then the whole way (`smallprint ingest` with
one worker, one executor; all processes together) once the programs have started, and what starting takes. `driver`:
what the one machine that stores has to do. `bytes`: of a policy on disk. `store@N`: storing one when N are there.
`tantivy@N`, `opensearch@N`: searching, engines side by side. `1.4M`, `10M`, `100M`: the plan. `--system` runs one part:
stages, store, search, or 300k, which searches in 300,000 synthetic policies too and takes hours.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from smallprint.bench import scale_stages, scale_store, search_data
from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.bench.scale_plan import OPENSEARCH_BYTES, SIZES, Cost, plan
from smallprint.bench.scale_whole import processor_seconds
from smallprint.bench.search_speed import temporary
from smallprint.corpus.analyse import Options, model_of
from smallprint.corpus.documents import Document
from smallprint.corpus.executor import Job, read_parts
from smallprint.corpus.parts import Parts
from smallprint.corpus.sources import open_corpus
from smallprint.corpus.spark import Spark
from smallprint.errors import ClusterError, DataMissing, SettingsError
from smallprint.index.follow import follow, open_index
from smallprint.library import Library
from smallprint.library.findings import to_json
from smallprint.settings import Settings

SAMPLE: Final = 24  # policies that are read whole
STORED: Final = 200  # policies that are stored and indexed, read without the reader
_CORPUS: Final = 9_000  # policies of the file; it is sorted by where they come from, so samples take every nth
SEARCHED: Final = (31_032,)
SEARCHED_MORE: Final = (31_032, 300_000)
PARTS: Final = ("stages", "store", "search", "300k")
Rows = dict[str, dict[str, float]]


def run(data: DataDir, system: str | None = None) -> Report:
    if system not in (None, *PARTS):
        raise DataMissing(f"There is no part {system!r} here (known: {', '.join(PARTS)}).")
    rows: Rows = {}
    notes: list[str] = []
    if system in (None, "stages"):
        rows |= stages(data)
    if system in (None, "store"):
        rows |= scale_store.growth()
    if system in (None, "search", "300k"):
        found, note = search(data, SEARCHED_MORE if system == "300k" else SEARCHED)
        rows |= found
        notes += note
    if "driver" in rows:
        rows |= {name: plan(cost(rows), policies) for name, policies in SIZES.items()}
    return Report("scale", data.used, SAMPLE, rows, notes=tuple(notes))


def stages(data: DataDir) -> Rows:
    with temporary() as folder:
        settings = Settings(home=folder / "home")
        few = _corpus(folder / "few.jsonl", sample(data, SAMPLE))
        documents = _documents(few, settings)
        here = scale_stages.here(documents, settings)
        with Spark("local[1]") as spark:
            there = scale_stages.on_spark(documents, settings, spark)
        rows = {"local": _milliseconds(here), "spark": _milliseconds(there)}
        for name, row in _whole(folder, few).items():
            rows[name] |= row
        rows["spark"] |= {f"{name}_ratio": v / rows["local"][name] for name, v in list(rows["spark"].items()) if v}
        rows |= driver(_corpus(folder / "more.jsonl", sample(data, STORED)), settings)
        rows["bytes"]["practices"] = _practices_bytes(Settings(home=folder / "local-few"))
        return rows


def driver(corpus: Path, settings: Settings) -> Rows:
    """What is done by one process whatever the cluster is like, and the bytes that come of it."""
    options = Options(force=True, quick=True)
    parts = Parts(str(settings.home / "parts"))
    staged, hand_out = _clocked(lambda: parts.stage(_documents(corpus, settings), "bench", lambda: 0))
    list(read_parts(Job(parts.folder.path, settings, options, model_of(quick=True)), lambda: 0, staged.parts))
    results, collect = _clocked(lambda: [result for some in parts.read() for result in some])
    with Library.open(settings) as library:
        intake = library.intake("bench")
        _, store = _clocked(lambda: [intake.take(results[n : n + 20]) for n in range(0, len(results), 20)])
        _, index = _clocked(lambda: follow(library, open_index(settings), settings))
    number = staged.documents
    spent = {"hand_out": hand_out, "collect": collect, "store": store, "index": index}
    held = {
        "library": settings.database.stat().st_size,
        "index": _bytes(settings.home / "index"),
        "parts": _bytes(settings.home / "parts"),
        "source": corpus.stat().st_size,
    }
    return {
        "driver": {f"{name}_ms": 1_000 * seconds / number for name, seconds in spent.items()},
        "bytes": {name: size / number for name, size in held.items()},
    }


def search(data: DataDir, sizes: tuple[int, ...]) -> tuple[Rows, list[str]]:
    """Engines side by side, where there is a cluster to be had."""
    try:
        compare: Callable[[Path, tuple[int, ...]], Rows] = import_module("smallprint.bench.scale_search").compare
        return compare(data.root, sizes), []
    except (ImportError, ClusterError, DataMissing, SettingsError) as error:
        return {}, [f"Searching was not compared: {error}"]


def sample(data: DataDir, number: int) -> Iterator[dict[str, Any]]:
    yield from islice(islice(search_data.stream(data, search_data.CORPUS[0]), 0, None, _CORPUS // number), number)


def _whole(folder: Path, corpus: Path) -> Rows:
    """Two sizes, so that what starting takes can be told from what a policy takes."""
    first = _corpus(folder / "first.jsonl", [json.loads(corpus.read_text().splitlines()[0])])
    rows: Rows = {}
    for name, options in {"local": ("--workers", "1"), "spark": ("--engine", "spark", "--master", "local[1]")}.items():
        one, all_ = (processor_seconds(c, folder / f"{name}-{c.stem}", *options) for c in (first, corpus))
        each = (all_ - one) / (SAMPLE - 1)
        rows[name] = {"whole_ms": 1_000 * each, "start_seconds": one - each}
    return rows


def cost(rows: Rows) -> Cost:
    """As measured on Spark, and in OpenSearch where it was."""
    engines = [rows.get(f"{engine}@{SEARCHED[0]}") for engine in ("opensearch", "tantivy")]
    heavier = OPENSEARCH_BYTES
    if engines[0] and engines[1]:
        heavier = engines[0]["bytes_per_policy"] / engines[1]["bytes_per_policy"]
    spark, alone, held = rows["spark"], rows["driver"], rows["bytes"]
    return Cost(
        read=sum(spark[f"{stage}_ms"] for stage in scale_stages.STAGES) / 1_000,
        read_quick=sum(spark[f"{stage}_ms"] for stage in scale_stages.STAGES if stage != "reader") / 1_000,
        driver=sum(alone[f"{step}_ms"] for step in ("hand_out", "collect", "store")) / 1_000,
        library=held["library"] + held["practices"],
        index=held["index"] * heavier,
        parts=held["parts"],
    )


def _practices_bytes(settings: Settings) -> float:
    """Of a policy that the reader has read."""
    with Library.open(settings) as library:
        versions = [library.versions(entry.name)[-1].id for entry in library.list()]
        kept = [library.findings(version) for version in versions]
    return sum(len(to_json(found.practices).encode()) for found in kept if found and found.practices) / len(kept)


def _corpus(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _documents(corpus: Path, settings: Settings) -> list[Document]:
    found = open_corpus([str(corpus)], settings).documents(0)
    return [one for one in found if isinstance(one, Document)]


def _milliseconds(costs: scale_stages.Costs) -> dict[str, float]:
    return {f"{stage}_ms": 1_000 * seconds for stage, seconds in costs.items()}


def _clocked(do: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    return do(), time.process_time() - began


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
