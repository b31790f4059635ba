"""How long a person waits: a cold `smallprint ask`, and reading a policy of 4,000 words, beside a rival.

Seconds, not fractions: the one bench that measures time at the command line. Medians of several runs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.ingest.source import read_source
from smallprint.segment import segment
from smallprint.settings import Settings

RUNS = 7
WORDS = 4_000


def run(data: DataDir, system: str | None = None) -> Report:
    """Takes no data: it measures on the samples."""
    del data, system
    with tempfile.TemporaryDirectory() as folder:
        page = _long_page(Path(folder))
        settings = Settings(home=Path(folder) / "home", cache_minutes=0)
        ours = {
            "cold_ask_seconds": _median(lambda: _cold_ask(Path(folder))),
            "ingest_seconds": _median(lambda: segment(read_source(str(page), settings))),
        }
        python = {"cold_ask_seconds": _median(lambda: _python("pass"))}
        rival = {"ingest_seconds": _median(lambda: _trafilatura(page.read_text("utf-8")))}
    rows = {"smallprint": ours, "bare python": python, "trafilatura": rival}
    return Report("startup", {}, RUNS, rows, notes=(f"ingest: a page of {WORDS:,} words, after a first read.",))


def _median(what: Callable[[], object]) -> float:
    what()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        what()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _cold_ask(home: Path) -> None:
    """A new process and no cache, as after a restart of the machine but for the disk's own memory."""
    with as_file(files("smallprint.samples").joinpath("plazaly.html")) as sample:
        code = (
            f"import os, sys; os.environ.update(SMALLPRINT_HOME={str(home / 'cold')!r}, SMALLPRINT_CACHE_MINUTES='0');"
            f"sys.argv = ['smallprint', 'ask', {str(sample)!r}, 'do you sell my data?'];"
            "from smallprint.cli import main; main()"
        )
        _python(code)


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def _long_page(folder: Path) -> Path:
    """The samples' policies one after another until there are enough words."""
    names = ("northwind-bank.html", "stillwren.html", "larkhaven.html")
    settings = Settings(home=folder)
    parts: list[str] = []
    for name in names:
        with as_file(files("smallprint.samples").joinpath(name)) as sample:
            parts += read_source(str(sample), settings).text.split("\n\n")
    body, words = "", 0
    for part in parts:
        body += f"<p>{part}</p>\n" if len(part) > 60 else f"<h2>{part}</h2>\n"
        words += len(part.split())
        if words >= WORDS:
            break
    page = folder / "long.html"
    page.write_text(f"<html><title>Privacy policy</title><body><main>{body}</main></body></html>", "utf-8")
    return page


def _trafilatura(markup: str) -> None:
    import trafilatura

    trafilatura.extract(markup)
