"""A run over a corpus on Spark: the same documents, the same stage function, the same library as in one machine's run.

    driver: documents → parts     executors: parts → results (Parquet)     driver: results, in order → library

SQLite has one writer, and folding near-duplicates needs one order: the driver stores. Kill the driver or an executor
anywhere; what is finished is not read again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from itertools import count, islice
from typing import Any, Final

from smallprint.corpus.analyse import Options, model_of
from smallprint.corpus.documents import key_of
from smallprint.corpus.executor import Job, read_parts
from smallprint.corpus.parts import Parts, Staged
from smallprint.corpus.run import Outcome, Progress, Tally, new_documents, outcome, readable, store
from smallprint.corpus.sources import Corpus
from smallprint.corpus.spark_context import attempt, context, plain_errors
from smallprint.library import Intake, Library
from smallprint.settings import Settings

_LOOK_SECONDS: Final = 0.5
_TOLD_EVERY: Final = 200
Watch = Callable[[Progress], None]


class Spark:
    """A cluster, from `with` to its end. `master` is what Spark calls so: local[*], spark://…, yarn, k8s://…; `conf`
    adds Spark's own settings to those of its configuration files."""

    def __init__(self, master: str, conf: dict[str, str] | None = None) -> None:
        self.context: Any = context(master, conf or {})

    def __enter__(self) -> Spark:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.stop()

    def each(self, function: Callable[[Iterator[Any]], Iterator[int]], items: list[Any], done: Watch, what: str) -> int:
        """The sum of what `function` gives, each item a task of its own; `done` sees it grow."""
        told = self.context.accumulator(0)
        with plain_errors(), _watched(lambda: told.value, done, what):
            tasks = self.context.parallelize(items, len(items))
            return int(tasks.mapPartitions(partial(_counted, function, told)).sum())


def ingest(
    corpus: Corpus,
    library: Library,
    settings: Settings,
    spark: Spark,
    *,
    folder: str | None = None,
    options: Options | None = None,
    limit: int | None = None,
    progress: Watch = lambda _: None,
) -> Outcome:
    """As `run.ingest`, read by the cluster. `folder` is where all its machines can read and write; results stay there.
    Without one it is in the user's folder, which will do where all run on this machine."""
    began, tally = time.monotonic(), Tally()
    intake = library.intake(corpus.name)
    parts = _parts(folder or str(settings.parts), corpus, settings, intake)
    job = _job(parts, settings, options or Options())
    about = f"{intake.run} {limit} {job.options} {job.model}"
    left = parts.staged(about)
    staged = left or _stage(parts, about, corpus, intake, tally, limit, progress)
    reused = _read(spark, job, parts, staged, progress)
    _store(parts, staged, intake, tally, resumed=left is not None, progress=progress)
    parts.clear(keep_results=folder is not None)
    if limit is None:
        intake.finish()
    return outcome(intake, tally, began, reused)


def _parts(folder: str, corpus: Corpus, settings: Settings, intake: Intake) -> Parts:
    """A folder for each run of each library, and for each portion of it where a limit makes it several."""
    run = key_of(corpus.name, str(settings.database.absolute()), intake.run).hex()[:12]
    portions = (Parts(f"{folder.rstrip('/')}/run-{run}-{number}") for number in count(1))
    return next(parts for parts in portions if not parts.are_stored())


def _job(parts: Parts, settings: Settings, options: Options) -> Job:
    """Without the settings that are secret: reading needs none of them."""
    secret: dict[str, Any] = {field.name: field.default for field in fields(settings) if not field.repr}
    return Job(parts.folder.path, replace(settings, **secret), options, model_of(quick=options.quick))


def _stage(
    parts: Parts, about: str, corpus: Corpus, intake: Intake, tally: Tally, limit: int | None, progress: Watch
) -> Staged:
    def told() -> Iterator[Any]:
        new = islice(new_documents(corpus, intake, tally), limit)
        for number, document in enumerate(readable(new, intake, tally), 1):
            yield document
            if number % _TOLD_EVERY == 0:
                progress(Progress(number, tally.position, corpus.size, "Handing out"))

    return parts.stage(told(), about, lambda: tally.before + tally.documents)


def _read(spark: Spark, job: Job, parts: Parts, staged: Staged, progress: Watch) -> int:
    """Read what is not read yet; how many documents were."""
    left = parts.unfinished(staged)
    before = staged.documents - sum(part.documents for part in left)

    def watch(so_far: Progress) -> None:
        done = before + so_far.documents
        progress(replace(so_far, documents=done, position=done, size=staged.documents))

    if left:
        spark.each(partial(read_parts, job, attempt), left, watch, "Reading")
    return before


def _store(parts: Parts, staged: Staged, intake: Intake, tally: Tally, *, resumed: bool, progress: Watch) -> None:
    """In the order of the corpus, and what is stored already only once: so it comes to the same library as a run on
    one machine."""
    if resumed:
        tally.before += staged.before
    done = 0
    for results in parts.read():
        known = intake.known([result.key for result in results])
        fresh = list({result.key: result for result in results if result.key not in known}.values())
        tally.before += len(results) - len(fresh)
        store(fresh, intake, tally)
        done += len(results)
        progress(Progress(done, done, staged.documents, "Storing"))


def _counted(function: Callable[[Iterator[Any]], Iterator[int]], told: Any, items: Iterator[Any]) -> Iterator[int]:
    for number in function(items):
        told.add(number)
        yield number


@contextmanager
def _watched(value: Callable[[], int], done: Watch, what: str) -> Iterator[None]:
    """Tell how far it is while the main thread waits."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(_LOOK_SECONDS):
            done(Progress(value(), value(), 0, what))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
