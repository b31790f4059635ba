"""A Spark cluster on loopback whose every process can be killed: a master and two workers, one core each."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 900.0  # seconds: a busy machine must not fail a test


@dataclass(frozen=True, slots=True)
class SparkCluster:
    master: str
    workers: tuple[subprocess.Popen[bytes], ...]

    def executors(self) -> list[int]:
        """The processes that workers started for an application."""
        return [pid for worker in self.workers for pid in children(worker.pid) if "ExecutorBackend" in command(pid)]


@contextmanager
def spark_cluster(folder: Path) -> Iterator[SparkCluster]:
    import pyspark

    launcher = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    env = {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.master.rest.enabled=false",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> Path:
        log = folder / f"{arguments[0].rpartition('.')[2]}-{name}.log"
        with log.open("wb") as file:
            common = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
            command = [launcher, *arguments[:1], *common, *arguments[1:]]
            started.append(subprocess.Popen(command, env=env, stdout=file, stderr=file, cwd=folder))
        return log

    try:
        log = start("0", "org.apache.spark.deploy.master.Master")
        master = until(lambda: re.search(r"spark://127\.0\.0\.1:\d+", log.read_text()))[0]
        for number in "12":
            where = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work-{number}")]
            log = start(number, "org.apache.spark.deploy.worker.Worker", *where, master)
            until(partial(_registered, log))
        yield SparkCluster(master, tuple(started[1:]))
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(timeout=PATIENCE)


def _registered(log: Path) -> bool:
    return "Successfully registered with master" in log.read_text()


def until(look: Callable[[], Found | None]) -> Found:
    """What `look` finds, once it finds something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.05)
    raise TimeoutError("nothing came of it")


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def children(pid: int) -> list[int]:
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, thread.read_text().split())
    return found


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
