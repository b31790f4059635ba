"""What expires is let go of in time, though nobody may come to ask for it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Sweeper:
    """Sweeps under `lock` as many seconds from now as `due` says, and again while it says any."""

    def __init__(self, lock: threading.Lock, sweep: Callable[[], object], due: Callable[[], float | None]) -> None:
        self._lock = lock
        self._sweep = sweep
        self._due = due
        self._timer: threading.Timer | None = None

    def set(self) -> None:
        """To be called with the lock held, when there is more to sweep than before."""
        if self._timer is None and (seconds := self._due()) is not None:
            self._timer = threading.Timer(seconds, self._run)
            self._timer.daemon = True
            self._timer.start()

    def _run(self) -> None:
        with self._lock:
            self._timer = None
            self._sweep()
            self.set()
