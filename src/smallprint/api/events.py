"""Long work told as it goes on: server-sent events from a thread."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final

from starlette.responses import StreamingResponse

from smallprint.errors import SmallprintError
from smallprint.http import problems
from smallprint.http.lanes import Lane
from smallprint.http.log import note

MEDIA: Final = "text/event-stream"
_SIGN_OF_LIFE: Final = 15.0  # seconds of silence before a comment shows that the connection lives

Tell = Callable[[str, Any], None]


class Gone(Exception):
    """Nobody listens any more."""


def stream(lane: Lane, work: Callable[[Tell], None]) -> StreamingResponse:
    """Run `work` in the lane and send what it tells. When the listener leaves, its next word stops it."""
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[bytes | None] = asyncio.Queue()
    gone = threading.Event()

    def put(item: bytes | None) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(told.put_nowait, item)

    def tell(event: str, data: Any) -> None:
        if gone.is_set():
            raise Gone
        put(f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace"))

    def run() -> None:
        try:
            work(tell)
        except Gone:
            pass
        except Exception as error:
            with suppress(Gone):
                tell("problem", problem_of(error))
        finally:
            put(None)

    working = lane.start(run)

    async def listen() -> AsyncIterator[bytes]:
        try:
            while (item := await _next(told)) is not None:
                yield item
        finally:
            gone.set()
            working.cancel()

    return StreamingResponse(listen(), media_type=MEDIA)


def problem_of(error: Exception) -> dict[str, Any]:
    if isinstance(error, SmallprintError):
        return problems.of_error(error).document()
    note(error)
    return problems.INTERNAL.document()


async def _next(told: asyncio.Queue[bytes | None]) -> bytes | None:
    try:
        async with asyncio.timeout(_SIGN_OF_LIFE):
            return await told.get()
    except TimeoutError:
        return b": still at it\n\n"
