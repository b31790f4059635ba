"""How bytes become requests: uvicorn's own way, with a time limit and our problems where it has neither."""

from __future__ import annotations

import asyncio
import json

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from smallprint.http import problems


class Protocol(H11Protocol):
    """The head of a request must be here `HEAD_SECONDS` after its first byte or the connection's beginning: a client
    that sends a byte a minute would hold its connection for ever. The body has limits of its own (limits.Bounds)."""

    HEAD_SECONDS = 10.0
    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        body = json.dumps(problems.of_status(400).document()).encode()
        headers = [
            (b"content-type", problems.MEDIA.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self._head is None:
            self._head = self.loop.call_later(self.HEAD_SECONDS, self.transport.close)

    def _forget(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None
