"""OpenSearch on loopback, for measuring and for tests: nodes that are processes of their own and can be killed.

`python -m smallprint.bench.opensearch_nodes` fetches what is needed, once, with Maven, into the user's cache folder.
A node needs Java 21 or newer.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from platformdirs import user_cache_path

from smallprint.errors import DataMissing

JAVA: Final = 21
_PLACES: Final = ("/usr/lib/jvm/*", "/usr/java/*", "/opt/java/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")
_PORTS: Final = range(9201, 9290)  # what the runner listens on, or it ends without a word; messages go 100 above
_PATIENCE: Final = 900.0  # seconds for a cluster to come up: minutes where six programs share two cores


def java(least: int = JAVA) -> Path | None:
    """The home of the newest Java that is new enough."""
    named = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    on_path = [Path(found).resolve().parent.parent] if (found := shutil.which("java")) else []
    listed = [home for place in _PLACES for home in Path("/").glob(place.lstrip("/"))]
    versions = {home: _version(home) for home in (*named, *on_path, *listed)}
    able = [home for home, version in versions.items() if version >= least]
    return max(able, key=lambda home: versions[home], default=None)


def _version(home: Path) -> int:
    try:
        lines = (home / "release").read_text("utf-8").splitlines()
    except OSError:
        return 0
    told = next((line for line in lines if line.startswith("JAVA_VERSION=")), "").partition("=")[2].strip('"')
    number = told.split(".")[0]
    return int(number) if number.isdecimal() and (home / "bin" / "java").exists() else 0


def _data(name: str) -> bytes:
    return files("smallprint.bench").joinpath(name).read_bytes()


def library() -> Path:
    """Where the jars lie, or will: another list of them or another program has another folder."""
    mark = hashlib.sha256(_data("opensearch_nodes.xml") + _data("OneNode.java")).hexdigest()[:12]
    return user_cache_path("smallprint", appauthor=False) / f"opensearch-{mark}"


def missing() -> str:
    """What stands in the way of starting a node; empty where nothing does."""
    if java() is None:
        return f"OpenSearch needs Java {JAVA} or newer, and none was found (JAVA_HOME names one)."
    if not library().is_dir():
        return "OpenSearch is not here: `make test-cluster` fetches it."
    return ""


def fetch() -> Path:
    """The folder with the jars; complete or not there at all."""
    home = java()
    if home is None:
        raise DataMissing(missing())
    if library().is_dir():
        return library()
    library().parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix="opensearch-", dir=library().parent))
    try:
        (part / "pom.xml").write_bytes(_data("opensearch_nodes.xml"))
        get = ["mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", f"-DoutputDirectory={part}"]
        _run(get, part)
        with as_file(files("smallprint.bench").joinpath("OneNode.java")) as source:
            _run([str(home / "bin" / "javac"), "-cp", f"{part}/*", "-d", str(part), str(source)], part)
        part.rename(library())
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return library()


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except OSError as error:
        raise DataMissing(f"{command[0]} is needed to fetch OpenSearch: {error.strerror}.") from error
    if done.returncode:
        raise DataMissing(f"{command[0]} failed: {' '.join((done.stdout + done.stderr).split())[-300:]}")


class Nodes:
    """A cluster of `number` nodes with its files in `folder`; numbered from one."""

    def __init__(self, folder: Path, number: int = 3, *, heap: str = "512m", quick: bool = True) -> None:
        self._folder = folder
        self._number = number
        self._options = [f"-Xmx{heap}", "-Xms128m", "-XX:+UseSerialGC", *(["-XX:TieredStopAtLevel=1"] if quick else [])]
        self._port = _free(number)
        self._running: dict[int, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Nodes:
        try:
            for node in range(1, self._number + 1):
                self.start(node)
            self.wait(self._number)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def ports(self) -> dict[int, int]:
        return {node: self._port + node for node in range(1, self._number + 1)}

    def index(self, name: str, options: str = "") -> str:
        """What SMALLPRINT_INDEX would be."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports().values())
        return f"opensearch+http://{hosts}/{name}{options}"

    def start(self, node: int) -> None:
        home = java()
        if home is None:
            raise DataMissing(missing())
        folder = self._folder / str(node)
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            str(home / "bin" / "java"),
            *self._options,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            f"{library()}:{library()}/*",
            "OneNode",
            *map(str, (node, self._number, folder, self.ports()[node])),
        ]
        with (folder / "log").open("ab") as log:
            self._running[node] = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)

    def runs(self, node: int) -> bool:
        return node in self._running

    def kill(self, node: int) -> None:
        """As when the power fails."""
        process = self._running.pop(node)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for node in list(self._running):
            self.kill(node)

    def manager(self) -> int:
        """The node that manages the cluster."""
        told = self.ask("/_cluster/state/nodes,cluster_manager_node?local=true")
        name = told["nodes"][told["cluster_manager_node"]]["name"]
        return int(name.removeprefix("node"))

    def wait(self, number: int, status: str = "yellow") -> None:
        """Until so many nodes have found each other and shards are where they should be."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            for node, process in self._running.items():
                if process.poll() is not None:
                    raise DataMissing(f"Node {node} ended: see {self._folder / str(node) / 'log'}.")
            try:
                health = self.ask(f"/_cluster/health?wait_for_nodes={number}&wait_for_status={status}&timeout=5s")
                if not health["timed_out"]:
                    return
            except (OSError, KeyError):
                time.sleep(0.5)
        raise DataMissing(f"The nodes in {self._folder} did not find each other within {_PATIENCE:g} seconds.")

    def forget(self, name: str) -> None:
        """Drop the indexes of that name."""
        found = list(self.ask(f"/{name}-*/_mapping")) if name else []
        for start in range(0, len(found), 10):
            self.ask("/" + ",".join(found[start : start + 10]), "DELETE")

    def ask(self, path: str, method: str = "GET") -> Any:
        """Any node that answers."""
        last: OSError = ConnectionError("no node runs")
        for node in self._running:
            try:
                return _ask(self.ports()[node], path, method)
            except (OSError, http.client.HTTPException) as error:
                last = ConnectionError(f"node {node}: {error}")
        raise last


def _ask(port: int, path: str, method: str) -> Any:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        line.request(method, path)
        answer = line.getresponse()
        told = json.loads(answer.read())
    finally:
        line.close()
    if answer.status >= 400:
        raise ConnectionError(f"status {answer.status}")
    return told


def _free(number: int) -> int:
    """The port below the first of a row that nobody listens on; any row, as one of another cluster's nodes may be down
    just now."""
    rows = list(range(_PORTS.start - 1, _PORTS.stop - number, number))
    random.shuffle(rows)
    for first in rows:
        if all(_can_listen(port) for port in _used(first, number)):
            return first
    raise DataMissing(f"No {number} ports are free between {_PORTS.start} and {_PORTS.stop}.")


def _used(first: int, number: int) -> Iterator[int]:
    for node in range(1, number + 1):
        yield first + node
        yield first + node + 100


def _can_listen(port: int) -> bool:
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


if __name__ == "__main__":
    try:
        print(fetch())
    except DataMissing as error:
        sys.exit(str(error))
