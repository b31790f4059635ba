"""A corpus read on a Spark cluster: the same library as on one machine, whatever is killed on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus_helpers import policy_text, row, write_rows
from spark_helpers import PATIENCE, SparkCluster, children, kill, spark_cluster, until

from smallprint.bench.opensearch_nodes import Nodes
from smallprint.corpus import run, spark_context
from smallprint.corpus.analyse import Options
from smallprint.corpus.sources import open_corpus
from smallprint.errors import ClusterError
from smallprint.library import Library
from smallprint.settings import Settings

pytest.importorskip("pyspark", reason="Spark's tests need pyspark: pip install 'smallprint[spark]'")
pa = pytest.importorskip("pyarrow", reason="Spark's tests need pyarrow: pip install 'smallprint[spark]'")
try:
    spark_context._check_java()
    WHY = ""
except ClusterError as error:
    WHY = str(error)
pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY)

# Fifty documents, among them all that can happen to one.
ROWS: list[dict[str, Any] | str] = [
    *[row(f"S{n}") for n in range(28)],
    *[row(f"Copy {n}", text=policy_text("Copy", seed=1, sentences=60), date=str(2000 + n * 7 % 10)) for n in range(10)],
    "{",
    row("Soup", text="A recipe for soup. " * 50),
    row("S1"),
    *[row("History", text=policy_text("History", seed=n % 3), date=str(2000 + n)) for n in range(6)],
    row("Page", text="", html=f"<main><h1>Privacy Policy</h1><p>{policy_text('Page')}</p></main>"),
    row("Long", text=policy_text("Long", sentences=300)),
    row("Last"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    with spark_cluster(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert len(ROWS) == 50
    return write_rows(tmp_path_factory.mktemp("corpus") / "c.jsonl", ROWS)


@pytest.fixture(scope="module")
def local(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that one machine makes of the corpus."""
    home = tmp_path_factory.mktemp("local")
    settings = Settings(home=home)
    with Library.open(settings) as library:
        run.ingest(open_corpus([str(corpus)], settings), library, settings, workers=2, options=Options())
    return home


class Driver:
    """`smallprint ingest` in a process of its own."""

    def __init__(self, corpus: Path, home: Path, parts: Path, master: str) -> None:
        command = ["ingest", str(corpus), "--engine", "spark", "--master", master, "--parts", str(parts), "--json"]
        memory = ["--conf", "spark.executor.memory=512m"]
        env = {**os.environ, "SMALLPRINT_HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "smallprint.cli", *command, *memory], env=env, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def outcome(self) -> dict[str, Any]:
        said, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        told: dict[str, Any] = json.loads(said)
        return told

    def kill(self) -> None:
        """With the half of it that is Java."""
        if self.process.poll() is None:
            for pid in (self.process.pid, *children(self.process.pid)):
                kill(pid)
        self.process.communicate()


def everything(home: Path, path: Path) -> Any:
    """All that a library holds, field for field, in the order it was stored."""
    from pyarrow import parquet

    with Library.open(Settings(home=home)) as library:
        library.export(str(path))
    return parquet.read_table(path)


def finished(parts: Path) -> dict[str, tuple[int, int]]:
    """The parts that were read, and which files they are."""
    files = sorted(parts.glob("run-*/results/*/part-*.parquet"))
    return {str(file.relative_to(parts)): (file.stat().st_ino, file.stat().st_mtime_ns) for file in files}


def test_an_executor_killed_in_mid_run_costs_nothing(
    cluster: SparkCluster, corpus: Path, local: Path, tmp_path: Path
) -> None:
    with Driver(corpus, tmp_path / "home", tmp_path / "parts", cluster.master) as driver:
        until(lambda: finished(tmp_path / "parts"))
        victims = until(cluster.executors)
        kill(victims[0])
        outcome = driver.outcome()
    assert (outcome["stored"], outcome["refused"], outcome["before"], outcome["reused"]) == (47, 2, 1, 0)
    assert outcome["problems"] == {"BadRow": 1, "NotAPolicy": 1}
    found, wanted = (everything(home, tmp_path / f"{home.name}.parquet") for home in (tmp_path / "home", local))
    assert wanted.num_rows == 47
    assert found.equals(wanted)


def test_a_driver_killed_in_mid_run_reads_nothing_again(
    cluster: SparkCluster, corpus: Path, local: Path, tmp_path: Path
) -> None:
    parts = tmp_path / "parts"
    with Driver(corpus, tmp_path / "home", parts, cluster.master):
        until(lambda: len(finished(parts)) >= 3)
    until(lambda: not cluster.executors())  # they may still finish what they were at
    before = finished(parts)
    staged = json.loads(next(parts.glob("run-*/staged.json")).read_text())["parts"]
    assert 3 <= len(before) < len(staged)
    with Driver(corpus, tmp_path / "home", parts, cluster.master) as driver:
        outcome = driver.outcome()
    after = finished(parts)
    assert len(after) == len(staged)
    assert {name: after[name] for name in before} == before
    done = {"/".join(Path(name).parts[2:]) for name in before}
    assert outcome["reused"] == sum(documents for name, documents, _ in staged if name in done) > 0
    assert (outcome["stored"], outcome["resumed"]) == (47, True)
    assert everything(tmp_path / "home", tmp_path / "a.parquet").equals(everything(local, tmp_path / "b.parquet"))


def test_an_index_is_loaded_from_the_executors_and_a_task_that_died_is_done_again(corpus: Path, tmp_path: Path) -> None:
    """On Spark in one machine, in a process of its own: a context lives as long as its program."""
    code = f"""
import os, signal
from pathlib import Path
from smallprint.corpus import run, spark, spark_index
from smallprint.corpus.analyse import Options
from smallprint.corpus.sources import open_corpus
from smallprint.corpus.spark_context import attempt
from smallprint.index.follow import follow, open_index
from smallprint.index.protocol import Request
from smallprint.library import Library
from smallprint.settings import Settings

def dying(numbers):
    if attempt() == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    yield from numbers

settings = Settings(home=Path({str(tmp_path / "home")!r}))
index = open_index(settings)
with spark.Spark("local[1]") as cluster, Library.open(settings) as library:
    assert spark_index.loader(cluster, settings) is None
    corpus = open_corpus([{str(corpus)!r}], settings)
    run.ingest(corpus, library, settings, workers=0, options=Options(quick=True))
    write = lambda versions: spark_index.write(cluster, settings, versions)
    written = follow(library, index, settings, write=write)
    assert written == index.search(Request(every_version=True)).total > 30, written
    assert not library.pending(1)
    assert cluster.each(dying, [3, 4], lambda _: None, "Counting") == 7
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


def test_an_opensearch_index_is_loaded_in_bulk_from_the_executors(nodes: Nodes, corpus: Path, tmp_path: Path) -> None:
    """The driver's own process writes nothing into it, so what is found came from the executors."""
    env = {**os.environ, "SMALLPRINT_HOME": str(tmp_path / "home"), "SMALLPRINT_INDEX": nodes.index("spark")}
    command = [sys.executable, "-m", "smallprint.cli"]
    read = [*command, "ingest", str(corpus), "--engine", "spark", "--master", "local[2]", "--quick", "--json"]
    done = subprocess.run(read, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stored"] == 47
    assert not (tmp_path / "home/index").exists()
    assert everyone(command, env) == everyone(command, {**env, "SMALLPRINT_INDEX": ""})
    nodes.forget("spark")


def everyone(command: list[str], env: dict[str, str]) -> tuple[int, list[str]]:
    """How many policies a search finds, and the first of them by date."""
    search = [*command, "search", "--json", "--sort", "date", "--limit", "50"]
    done = subprocess.run(search, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["total"] > 30
    return found["total"], [hit["service"] for hit in found["hits"]]
