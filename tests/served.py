"""A real server on loopback, in a thread of the test's own process, and a client that can say anything."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import uvicorn
from starlette.applications import Starlette

from smallprint.server import configured


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """Of a problem, which every refusal must be."""
        assert self.headers["content-type"] == "application/problem+json", self.body
        problem = self.json
        assert problem["status"] == self.status
        return str(problem["type"]).removeprefix("urn:smallprint:problem:")


@dataclass(frozen=True)
class Served:
    port: int

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """`body` is sent as JSON unless it is bytes. Headers are written with underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            named = {"Content-Type": "application/json"} | named
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, named)
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def raw(self, *parts: bytes, pause: float = 0.0) -> bytes:
        """What comes back for these very bytes, up to the end of the connection."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection, suppress(OSError):
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
            while chunk := connection.recv(65536):
                received += chunk
        return received


@contextmanager
def serving(app: Starlette) -> Iterator[Served]:
    server = uvicorn.Server(configured(app))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Served(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
