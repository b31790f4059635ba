"""A program that uses a library and is killed for it. Usage: HOME WHAT [WORD] [KILL_AT]

It says on standard output what it was told is done, line by line. With KILL_AT it kills itself, as `kill -9` would,
at the moment SQLite is about to run a statement with that in it, once the library is open (`make`: even before).
"""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

from library_helpers import at, policy

from smallprint.library import Library


def add_forever(library: Library, word: str) -> None:
    for n in itertools.count():
        made = policy(f"{word} {n} " * 300)
        print(library.add(made, f"Service {n % 7}").digest, flush=True)
        time.sleep(0.002)  # lets the other writer have its turn


def add_thirty(library: Library, word: str) -> None:
    for n in range(30):
        stored = library.add(policy(f"{word} {n} " * 50), f"{word} {n}")
        library.add(policy(f"Common {n}."), f"Common {n}")
        print(stored.digest, flush=True)


def forget_forever(library: Library, word: str) -> None:
    for _ in itertools.count():
        library.add(policy(f"{word} " * 3000), word)
        print("added", flush=True)
        library.forget(word)
        print("forgotten", flush=True)


def kill_at(db: sqlite3.Connection, part: str) -> None:
    db.set_trace_callback(lambda sql: os.kill(os.getpid(), signal.SIGKILL) if part in sql else None)


def kill_from_the_start_at(part: str) -> None:
    real = sqlite3.connect

    def traced(path: Path, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = real(path, **options)
        kill_at(db, part)
        return db

    sqlite3.connect = traced  # type: ignore[assignment]


def main(home: str, what: str, word: str = "word", part: str = "") -> None:
    if part and what == "make":
        kill_from_the_start_at(part)
    with Library.open(at(Path(home))) as library:
        if part:
            kill_at(library._db, part)
        {"add": add_forever, "add30": add_thirty, "forget": forget_forever}[what](library, word)


if __name__ == "__main__":
    main(*sys.argv[1:])
