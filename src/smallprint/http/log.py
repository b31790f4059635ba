"""One line for each request: method, route, status, milliseconds. Never an address, a question or a query."""

from __future__ import annotations

import logging
import time
import traceback
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smallprint.http import problems

LOG: Final = logging.getLogger("smallprint.http")
_OURS: Final = "smallprint"


class Logged:
    """Around all that acts. What nobody caught ends here: the client learns nothing of it, and the log only where
    it happened, as an error's words may hold what was asked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def noting(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            note(error)
            if not status and scope["type"] == "http":
                await problems.refuse(problems.INTERNAL, scope, receive, noting)
        finally:
            took = (time.perf_counter() - began) * 1000
            LOG.info("%s %s %s %.0fms", scope.get("method", "WS"), _route(scope), status or "-", took)


def note(error: Exception) -> None:
    """That something nobody expected has happened: what kind and where, not in which words."""
    LOG.error("%s at %s", type(error).__name__, _place(error))


def _route(scope: Scope) -> str:
    """The template that matched, as /api/v1/policies/{name}; what matched none may hold anything."""
    matched = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return getattr(matched, "path_format", None) or "-"


def _place(error: Exception) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f"/{_OURS}/" in f.filename.replace("\\", "/")]
    frames = frames or list(traceback.extract_tb(error.__traceback__))
    if not frames:
        return "unknown"
    return f"{frames[-1].filename.replace(chr(92), '/').rpartition(f'/{_OURS}/')[2]}:{frames[-1].lineno}"
