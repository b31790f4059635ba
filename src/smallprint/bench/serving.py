"""`bench serve`: a real server of its own process, asked by one person and then by fifty at once.

Seconds to the first byte, after a first round that fills caches; megabytes and processor seconds of the server
process. The latter tell what an answer costs where other programs take the cores. The row `health` is what any request
costs. SMALLPRINT_BENCH_SECONDS says how long the fifty ask (60).
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.bench.samples import sample_questions, sample_services

ASKERS: Final = 50
SECONDS: Final = 60
ROUNDS: Final = 20
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)")


def run(data: DataDir, system: str | None = None) -> Report:
    """Takes no data: it asks about the samples."""
    del data, system
    seconds = float(os.environ.get("SMALLPRINT_BENCH_SECONDS", SECONDS))
    questions = _questions()
    with _server() as (port, process):
        one = _Asker(port)
        for question in questions[::5]:  # three to each sample: the fifty meet a server at work
            one.ask(question)
        began = _processor(process)
        answer = _median(lambda n: one.ask(questions[n % len(questions)]))
        alone = {
            "answer_seconds": answer,
            "answer_processor_seconds": (_processor(process) - began) / ROUNDS,
            "overview_seconds": _median(lambda _: one.get("/api/v1/policies/Plazaly")),
        }
        page = one.page("/library/Plazaly")
        if page is not None:
            alone["page_seconds"] = _median(lambda _: one.get(page))
        health = _median(lambda _: one.get("/api/v1/health"))
        before = _megabytes(process)
        crowd = _crowd(port, questions, seconds, lambda: _megabytes(process))
    times = sorted(crowd.times)
    together = {
        "answers": float(len(times)),
        "errors": float(crowd.errors),
        "p50_seconds": times[len(times) // 2],
        "p95_seconds": times[int(len(times) * 0.95)],
        "answers_per_second": len(times) / seconds,
        "megabytes_before": before,
        "megabytes_half_way": crowd.half_way,
        "megabytes_after": crowd.after,
    }
    rows = {"smallprint": alone, f"{ASKERS} askers": together, "health": {"answer_seconds": health}}
    return Report("serve", {}, len(times), rows, notes=(f"{ASKERS} askers for {seconds:g} seconds.",))


class _Asker:
    """One person with one connection."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, body: bytes) -> float:
        return self._time("POST", "/api/v1/questions", body)

    def get(self, path: str) -> float:
        return self._time("GET", path)

    def page(self, path: str) -> str | None:
        """Where a page is, after redirects; None where there is none."""
        for _ in range(3):
            self._connection.request("GET", path)
            response = self._connection.getresponse()
            response.read()
            if response.status not in (302, 303, 307):
                return path if response.status == 200 else None
            path = response.headers["location"]
        return None

    def _time(self, method: str, path: str, body: bytes | None = None) -> float:
        began = time.perf_counter()
        self._connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = self._connection.getresponse()
        first = time.perf_counter() - began
        response.read()
        if response.status != 200:
            raise OSError(f"{method} {path}: {response.status}")
        return first


@dataclass
class _Crowd:
    times: list[float] = field(default_factory=list)
    errors: int = 0
    half_way: float = 0.0
    after: float = 0.0


def _crowd(port: int, questions: list[bytes], seconds: float, memory: Callable[[], float]) -> _Crowd:
    crowd, until = _Crowd(), time.perf_counter() + seconds

    def ask(number: int) -> None:
        asker = _Asker(port)
        for question in islice(cycle(questions), number * 7, None):
            if time.perf_counter() >= until:
                return
            try:
                crowd.times.append(asker.ask(question))
            except OSError:
                crowd.errors += 1
                asker = _Asker(port)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(ASKERS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 2)
    crowd.half_way = memory()
    for thread in threads:
        thread.join()
    crowd.after = memory()
    return crowd


@contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """Port and process id of a server with the samples in a home of its own."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "smallprint.cli", "serve", "--port", "0", "--demo"],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "SMALLPRINT_HOME": folder},
        )
        assert process.stderr is not None
        try:
            found = next(filter(None, map(_ADDRESS.search, process.stderr)))
            threading.Thread(target=process.stderr.read, daemon=True).start()  # its log, lest the pipe fill up
            yield int(found[1]), process.pid
        finally:
            process.terminate()
            process.wait()


def _questions() -> list[bytes]:
    services = sample_services()
    return [
        json.dumps({"source": {"policy": services[row["sample"]]}, "question": row["question"]}).encode()
        for row in sample_questions()
    ]


def _median(what: Callable[[int], float]) -> float:
    return statistics.median(what(number) for number in range(ROUNDS))


def _processor(process: int) -> float:
    """Seconds that a process has had of the cores."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(process: int) -> float:
    """What a process holds in memory now."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return int(status["VmRSS"].split()[0]) / 1024
