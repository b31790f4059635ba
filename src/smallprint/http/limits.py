"""How much and how long: layers of plain ASGI that bound what one client can take."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smallprint.http import problems

BODY_SECONDS: Final = 15.0
ANSWER_SECONDS: Final = 60.0
WRONG_TOKENS_A_MINUTE: Final = 10
_CLIENTS: Final = 4_096  # remembered at once; the one seen longest ago is forgotten
_BURST_SECONDS: Final = 6.0  # of the allowance that may be used at once


@dataclass(slots=True)
class _Bucket:
    left: float
    since: float


class Buckets:
    """A token bucket for each client."""

    def __init__(self, per_minute: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._clients: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until there is something left; 0 now."""
        left = self._of(client).left
        return 0.0 if left >= 1 else (1 - left) / self._rate

    def take(self, client: str) -> None:
        self._of(client).left -= 1

    def _of(self, client: str) -> _Bucket:
        now = self._clock()
        bucket = self._clients.setdefault(client, _Bucket(self._burst, now))
        bucket.left = min(self._burst, bucket.left + (now - bucket.since) * self._rate)
        bucket.since = now
        self._clients.move_to_end(client)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return bucket


class Rate:
    """So many requests a minute for each client, and far fewer wrong tokens."""

    def __init__(self, app: ASGIApp, *, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._requests = Buckets(per_minute, max(1.0, per_minute * _BURST_SECONDS / 60), clock)
        self._wrong = Buckets(WRONG_TOKENS_A_MINUTE, WRONG_TOKENS_A_MINUTE, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        client = _client(scope)
        wait = max(self._requests.wait(client), self._wrong.wait(client))
        if wait:
            after = {"Retry-After": str(math.ceil(wait))}
            await problems.refuse(replace(problems.TOO_MANY, headers=after), scope, receive, send)
            return
        self._requests.take(client)

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == problems.UNAUTHORISED.status:
                self._wrong.take(client)
            await send(message)

        await self._app(scope, receive, counting)


class Bounds:
    """A request arrives within `body_seconds` and `max_bytes`, and its answer begins within `answer_seconds`.

    Bytes are counted as they come: what a client says of its length is only its word.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        max_bytes: int,
        body_seconds: float = BODY_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._body_seconds = body_seconds
        self._answer_seconds = answer_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        declared = Headers(scope=scope).get("content-length", "0") if scope["type"] == "http" else "0"
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif not declared.isdecimal() or int(declared) > self._max_bytes:
            await problems.refuse(problems.TOO_LARGE, scope, receive, send)
        else:
            await self._bounded(scope, receive, send)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = _Exchange(receive, send, self._max_bytes, self._body_seconds)
        try:
            async with asyncio.timeout(self._answer_seconds) as exchange.limit:
                await self._app(scope, exchange.receive, exchange.send)
        except TimeoutError:
            if not exchange.limit.expired():
                raise
            exchange.problem = exchange.problem or problems.TOO_SLOW
        except Exception:
            if exchange.problem is None:
                raise
        if exchange.problem and not exchange.started:
            await problems.refuse(exchange.problem, scope, receive, send)


class _Exchange:
    """One request and its answer. Once `problem` is set, what the application sends is dropped."""

    def __init__(self, receive: Receive, send: Send, max_bytes: int, body_seconds: float) -> None:
        self._receive = receive
        self._send = send
        self._left = max_bytes
        self._until = asyncio.get_running_loop().time() + body_seconds
        self._arrived = False
        self.limit: asyncio.Timeout
        self.started = False
        self.problem: problems.Problem | None = None

    async def receive(self) -> Message:
        if self._arrived:  # only the news that the client has gone can come now, and that may take any time
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            return self._give_up(problems.SLOW_BODY)
        self._left -= len(message.get("body", b""))
        self._arrived = not message.get("more_body", False)
        return message if self._left >= 0 else self._give_up(problems.TOO_LARGE)

    async def send(self, message: Message) -> None:
        if self.problem is not None and not self.started:
            return
        if message["type"] == "http.response.start":
            self.started = True
            self.limit.reschedule(None)
        await self._send(message)

    def _give_up(self, problem: problems.Problem) -> Message:
        self.problem = problem
        return {"type": "http.disconnect"}


def _client(scope: Scope) -> str:
    """The address; of IPv6 the network, as one household has 2^64 addresses."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else host
