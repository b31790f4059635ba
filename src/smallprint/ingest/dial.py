"""Connections that go only where they may: resolve once, check every address, dial exactly what was checked.

A second look-up between check and dialling could give another address (DNS rebinding); there is none here.
TLS still verifies the host's name: httpcore takes that from the web address, not from the dialled one.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import httpcore

from smallprint.errors import HostNotFound, TooSlow
from smallprint.ingest.address import WebAddress, forbidden, is_public, refuse_local_name


class Resolver(Protocol):
    """The network addresses of a host name, best first; OSError where there are none."""

    def __call__(self, host: str, port: int) -> Sequence[str]: ...


def system_resolver(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class Deadline:
    """One end for a whole fetch: a server that drips a byte a second gets no fresh clock for each."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, address: WebAddress) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed(address)
        return left

    def passed(self, address: WebAddress) -> TooSlow:
        return TooSlow(
            f"{address.host} took longer than {self._seconds:g} seconds; try again later.",
            url=str(address),
            retryable=True,
        )


class GuardedBackend(httpcore.NetworkBackend):
    """Resolves, checks and dials for one hop; `network` does the dialling."""

    def __init__(
        self,
        address: WebAddress,
        deadline: Deadline,
        resolver: Resolver,
        network: httpcore.NetworkBackend,
        *,
        allow_private: bool,
    ) -> None:
        self._address = address
        self._deadline = deadline
        self._resolver = resolver
        self._network = network
        self._allow_private = allow_private

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002  the checked address is dialled instead
        port: int,
        timeout: float | None = None,  # noqa: ARG002  the deadline rules
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        *others, last = self._checked()
        for tried, ip in enumerate(others):
            # A dead first address must leave time for the rest, or a broken IPv6 route hides a good IPv4.
            share = self._deadline.left(self._address) / (len(others) + 1 - tried)
            try:
                return self._timed(self._network.connect_tcp(ip, port, share, local_address, socket_options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        left = self._deadline.left(self._address)
        return self._timed(self._network.connect_tcp(last, port, left, local_address, socket_options))

    def _timed(self, stream: httpcore.NetworkStream) -> httpcore.NetworkStream:
        return TimedStream(stream, self._address, self._deadline)

    def _checked(self) -> Sequence[str]:
        """All addresses of the host, at least one; a single forbidden one and none is dialled."""
        if not self._allow_private:
            refuse_local_name(self._address)
        found = [str(self._address.ip)] if self._address.ip else self._resolve()
        if not self._allow_private and not all(_is_public_text(ip) for ip in found):
            raise forbidden(self._address)
        return found

    def _resolve(self) -> Sequence[str]:
        """The resolver's answer within the deadline; getaddrinfo itself knows no time limit."""
        outcome: list[Sequence[str]] = []

        def look_up() -> None:
            try:
                outcome.append(self._resolver(self._address.host, self._address.port))
            except (OSError, UnicodeError):
                outcome.append(())

        thread = threading.Thread(target=look_up, daemon=True, name="resolve")
        thread.start()
        thread.join(self._deadline.left(self._address))
        if not outcome:
            raise self._deadline.passed(self._address)
        if not outcome[0]:
            raise HostNotFound(
                f"No website found under {self._address.host}; check the spelling and your connection.",
                url=str(self._address),
                retryable=True,
            )
        return outcome[0]


class TimedStream(httpcore.NetworkStream):
    """A connection on which each step gets only the time that is left."""

    def __init__(self, stream: httpcore.NetworkStream, address: WebAddress, deadline: Deadline) -> None:
        self._stream = stream
        self._address = address
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, self._deadline.left(self._address))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, self._deadline.left(self._address))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        try:
            left = self._deadline.left(self._address)
            stream = self._stream.start_tls(ssl_context, server_hostname, left)
        except BaseException:
            self._stream.close()
            raise
        return TimedStream(stream, self._address, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _is_public_text(ip: str) -> bool:
    try:
        return is_public(ipaddress.ip_address(ip))
    except ValueError:
        return False
