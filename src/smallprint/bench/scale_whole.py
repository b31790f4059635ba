"""The whole way of a corpus into the library, as a person starts it, and what all its processes take together."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from smallprint.errors import DataMissing

_LOOK_SECONDS: Final = 0.2


def processor_seconds(corpus: Path, home: Path, *options: str) -> float:
    """Of `smallprint ingest` and every process below it, Java's too."""
    if not Path("/proc/self/stat").exists():
        raise DataMissing("What a tree of processes costs can be told on Linux only.")
    command = [sys.executable, "-m", "smallprint.cli", "ingest", str(corpus), "--force", "--json", *options]
    env = {**os.environ, "SMALLPRINT_HOME": str(home)}
    spent: dict[int, float] = {}
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None:
            spent |= _spent(process.pid)
            time.sleep(_LOOK_SECONDS)
        told = process.stderr.read().decode() if process.stderr else ""
    if process.returncode:
        raise DataMissing(f"The run failed: {(told.strip().splitlines() or ['no reason told'])[-1]}")
    return sum(spent.values())


def _spent(pid: int) -> dict[int, float]:
    """Seconds of the processor by process, of this one and those below it."""
    found: dict[int, float] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            found[one] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            for thread in Path(f"/proc/{one}/task").glob("*/children"):
                waiting += map(int, thread.read_text().split())
    return found
