"""Worker processes with a bounded queue, results in order, that outlive a document that kills one of them."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Final

from smallprint.corpus.analyse import Options, analyse
from smallprint.corpus.documents import Document
from smallprint.library import Arrival, Refusal
from smallprint.settings import Settings

Batch = list[Document]
Results = list[Arrival | Refusal]

# Batches that wait for a worker, for each worker: enough to keep it busy, few enough for memory to stay flat.
_AHEAD: Final = 2
# A document stops itself after `Options.seconds`; code that does not let itself be stopped gets this much longer.
_PATIENCE: Final = 2.0
_STARTING: Final = 60.0  # seconds; a pool that has to import everything on a busy machine


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """`workers` of 0 does the work in this process: for tests, for debugging, for one core."""

    def __init__(self, settings: Settings, options: Options, workers: int) -> None:
        self._settings = settings
        self._options = options
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def analyse(self, batches: Iterable[Batch]) -> Iterator[Results]:
        """The results of each batch, in the order of the batches."""
        if not self._workers:
            yield from (work(batch, self._settings, self._options) for batch in batches)
            return
        try:
            yield from self._in_order(batches)
        finally:
            self._stop()

    def _in_order(self, batches: Iterable[Batch]) -> Iterator[Results]:
        waiting: deque[tuple[Batch, Future[Results]]] = deque()
        for batch in batches:
            waiting.append((batch, self._submit(batch)))
            if len(waiting) > self._workers * (1 + _AHEAD):
                yield self._next(waiting)
        while waiting:
            yield self._next(waiting)

    def _next(self, waiting: deque[tuple[Batch, Future[Results]]]) -> Results:
        batch, future = waiting.popleft()
        try:
            return future.result(timeout=self._limit(len(batch) * (1 + _AHEAD)))
        except (BrokenProcessPool, FutureTimeout):
            self._stop()
            results = [result for document in batch for result in self._alone(document)]
            again = [(later, self._submit(later)) for later, _ in waiting]
            waiting.clear()
            waiting.extend(again)
            return results

    def _alone(self, document: Document) -> Results:
        """One document in a worker of its own: if that dies, this is the one."""
        try:
            return self._submit([document]).result(timeout=self._limit(1))
        except BrokenProcessPool:
            self._stop()
            reason = "The program that read it was killed: it may take too much memory, or break a parser."
        except FutureTimeout:
            self._stop()
            reason = f"It took longer than {self._options.seconds:.3g} seconds to read and could not be stopped."
        return [Refusal(document.key, document.place, "Killed", reason)]

    def _limit(self, documents: int) -> float:
        return documents * self._options.seconds * _PATIENCE + _STARTING

    def _submit(self, batch: Batch) -> Future[Results]:
        if self._pool is None:
            # Never a fork: the parent holds a database connection and threads.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_start)
        try:
            return self._pool.submit(work, batch, self._settings, self._options)
        except BrokenProcessPool:
            self._stop()
            return self._submit(batch)

    def _stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.kill()


def work(batch: Sequence[Document], settings: Settings, options: Options) -> Results:
    return list(analyse(batch, settings, options))


def _start() -> None:
    """In a worker. The terminal's interrupt goes to the parent, which knows what to do; the libraries below use one
    thread each, as there is a worker for every core."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed can't stop its workers, and they would wait for it for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)
