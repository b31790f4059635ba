"""Names that hold a slash, as one part of a path."""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.types import ASGIApp, Receive, Scope, Send

_SLASH = "%2F"


class KeptSlashes:
    """Servers undo the percent-encoding of a path before it is taken apart, so that `AC%2FDC` would be two parts.
    This keeps an encoded slash as it is; `name_of` turns it back where a part is taken for a name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = scope.get("raw_path") or b""
        if b"%2f" in raw.lower():
            kept = raw.decode("latin-1").replace("%2f", _SLASH).replace(_SLASH, quote(_SLASH))
            scope["path"] = unquote(kept)
        await self._app(scope, receive, send)


def name_of(part: str) -> str:
    return part.replace(_SLASH, "/")


def part_of(name: str) -> str:
    return quote(name, safe="")
