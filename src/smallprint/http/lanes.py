"""Blocking work off the event loop: a few threads, a short queue, and a plain no when it is full."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from smallprint.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")


class Lane:
    """`threads` run, `waiting` more may wait; what comes then is refused (`Busy`).

    Work whose asker has gone is dropped if it waits. If it runs it keeps its place until it ends: a thread cannot
    be stopped, and counting it as gone would let in more than the machine can do.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"smallprint-{name}")
        self._places = threading.Semaphore(threads + waiting)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.wrap_future(self.start(work, *args, **kwargs))

    def start(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if not self._places.acquire(blocking=False):
            raise Busy("There is more to do than this machine can: try again in a moment.")
        try:
            future = self._pool.submit(work, *args, **kwargs)
        except BaseException:
            self._places.release()
            raise
        future.add_done_callback(lambda _: self._places.release())
        return future

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def cores() -> int:
    return os.cpu_count() or 1
