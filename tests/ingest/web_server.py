"""A web server on loopback that can misbehave, and a network that goes nowhere else."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import httpcore

PUBLIC = "93.184.215.14"  # never dialled: SpyNetwork leads everything to loopback

Route = bytes | Callable[[socket.socket, threading.Event], None]


def reply(
    body: bytes = b"", status: str = "200 OK", content_type: str = "text/html; charset=utf-8", **headers: str
) -> bytes:
    """A whole response with a right length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(location: str, status: str = "302 Found") -> bytes:
    return reply(status=status, Location=location)


class LoopbackServer:
    def __init__(self, routes: Mapping[str, Route], tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[bytes] = []
        self._routes = routes
        self._tls = tls
        self._stop = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.01)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def paths(self) -> list[str]:
        return [request.split()[1].decode() for request in self.requests]

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self._listener.close()

    def _serve(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                connection, _ = self._listener.accept()
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(2)
                    self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        if self._tls:
            connection = self._tls.wrap_socket(connection, server_side=True)
        with connection:
            request = b""
            while b"\r\n\r\n" not in request:
                chunk = connection.recv(65536)
                if not chunk:
                    return
                request += chunk
            self.requests.append(request)
            route = self._routes.get(self.paths[-1], reply(status="404 Not Found"))
            if isinstance(route, bytes):
                connection.sendall(route)
            else:
                route(connection, self._stop)


@contextlib.contextmanager
def serving(routes: Mapping[str, Route], tls: ssl.SSLContext | None = None) -> Iterator[LoopbackServer]:
    server = LoopbackServer(routes, tls)
    try:
        yield server
    finally:
        server.close()


class SpyNetwork(httpcore.NetworkBackend):
    """Notes what would be dialled and connects to a port on loopback instead, or to nothing at all."""

    def __init__(self, port: int | None = None) -> None:
        self.dialled: list[tuple[str, int]] = []
        self._port = port

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        self.dialled.append((host, port))
        if self._port is None:
            raise httpcore.ConnectError("nothing may be dialled here")
        return httpcore.SyncBackend().connect_tcp("127.0.0.1", self._port, timeout)


class Names:
    """A resolver with a fixed book of names; a list of lists gives another answer each time."""

    def __init__(self, book: Mapping[str, Sequence[Sequence[str]]] | None = None, *default: str) -> None:
        self.asked: list[str] = []
        self._book = {host: list(answers) for host, answers in (book or {}).items()}
        self._default = default

    def __call__(self, host: str, port: int) -> Sequence[str]:  # noqa: ARG002
        self.asked.append(host)
        answers = self._book.get(host)
        if answers:
            return answers.pop(0) if len(answers) > 1 else answers[0]
        if self._default:
            return self._default
        raise socket.gaierror(socket.EAI_NONAME, "unknown")
