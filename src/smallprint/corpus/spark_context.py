"""Starting Spark, and its errors in one line."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from smallprint.errors import ClusterError

_JAVA: Final = 17  # Spark 4 wants it
_LOCAL = re.compile(r"local(?:\[([^\],]+)\])?")
_STANDALONE = re.compile(r"spark://(.+)")
_LOOPBACK = re.compile(r"local\b|spark://(?:localhost|127\.|\[::1\])")
_OURS = re.compile(r"smallprint\.errors\.\w+: (.+)")
_ABORTED = re.compile(r"Job aborted due to stage failure: (.+)")
_REACH_SECONDS: Final = 10.0
# In tasks: the reader takes one core, and there is a task for each.
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def context(master: str, conf: dict[str, str]) -> Any:
    """A SparkContext; one line where Spark, Java or the master is missing."""
    try:
        from pyspark import SparkConf, SparkContext
    except ImportError:
        raise ClusterError("Spark needs more packages: pip install 'smallprint[spark]'.") from None
    _check_java()
    _check_master(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = SparkConf().setAppName("smallprint").setMaster(_with_retries(master))
    settings.setAll([*_defaults(master).items(), *conf.items()])
    with plain_errors():
        return SparkContext.getOrCreate(settings)


def attempt() -> int:
    """Inside a task: how often it failed before."""
    from pyspark import TaskContext

    here = TaskContext.get()
    return int(here.attemptNumber()) if here is not None else 0


@contextmanager
def plain_errors() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise ClusterError(f"Spark gave up: {_why(str(error))}") from error


def _why(told: str) -> str:
    """The one line that matters of a Java stack trace."""
    for pattern in (_OURS, _ABORTED):
        if found := pattern.search(told):
            return found[1].strip()[:300]
    lines = [line.strip() for line in told.splitlines() if line.strip() and not line.startswith("An error occurred")]
    return (lines or ["no reason told."])[0].lstrip(": ")[:300]


def _defaults(master: str) -> dict[str, str]:
    """Its web page is for all who can reach the machine, so it stays off unless a setting turns it on; on this machine
    alone nothing listens beyond loopback."""
    quiet = Path(__file__).with_name("log4j2.properties").as_uri()
    made = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={quiet}",
    }
    made |= {f"spark.executorEnv.{name}": "1" for name in _ONE_THREAD}
    if _LOOPBACK.match(master):
        made |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return made


def _with_retries(master: str) -> str:
    """Spark tries a task once where all is local; a document that kills its reader has to be found there too."""
    found = _LOCAL.fullmatch(master)
    return f"local[{found[1] or 1},4]" if found else master


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    missing = ClusterError(f"Spark needs Java {_JAVA} or newer: install it, or set JAVA_HOME.")
    if java is None:
        raise missing
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True).stderr
    except (OSError, subprocess.SubprocessError) as error:
        raise missing from error
    found = re.search(r'version "(\d+)', told)
    if found and int(found[1]) < _JAVA:
        raise ClusterError(f"Spark needs Java {_JAVA} or newer, and {java} is Java {found[1]}: set JAVA_HOME.")


def _check_master(master: str) -> None:
    """Spark itself tries for a minute and says it in a hundred lines."""
    found = _STANDALONE.fullmatch(master)
    if not found:
        return
    hosts = [host.rpartition(":") for host in found[1].split(",")]
    for host, _, port in hosts:
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECONDS).close()
            return
        except (OSError, ValueError):
            continue
    raise ClusterError(f"No Spark master answers at {master}: is it started, and the address right?")
