"""Taking turns between processes: a lock that the system lets go of when its holder dies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from smallprint.errors import IndexUnavailable

if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


PATIENCE: Final = 30.0  # seconds that a writer waits for its turn
_RETRY: Final = 0.05


@contextmanager
def turn(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock at `path`; IndexUnavailable where others hold it for longer than `patience` seconds."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as error:
        raise IndexUnavailable(f"{path.parent} can't be written: {error.strerror or error}.") from error
    with file:
        _wait(file, patience)
        yield


def _wait(file: IO[bytes], patience: float) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            return _lock(file)
        except OSError:
            left = deadline - time.monotonic()
            if left <= 0:
                raise IndexUnavailable(
                    "Another program is writing to the search index: what is stored is safe and will be found "
                    "when that is done."
                ) from None
        time.sleep(min(_RETRY, left))
