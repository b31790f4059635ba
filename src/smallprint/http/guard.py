"""Who may ask: layers of plain ASGI in front of every door. None of them reads a body."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Collection
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smallprint.http import problems

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
LOGIN: Final = "/login"
LOGIN_COOKIE: Final = "smallprint_login"
SHORTEST_TOKEN: Final = 16

# `same-origin` and not `no-referrer`: it tells other sites as little, but with the latter browsers send
# `Origin: null` from our own forms too.
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Takes the cookie of another token back: the browser's next page is the login form.
_VOID_LOGIN: Final = replace(
    problems.UNAUTHORISED,
    headers={**problems.UNAUTHORISED.headers, "Set-Cookie": f"{LOGIN_COOKIE}=; Path=/; Max-Age=0; HttpOnly"},
)


class SafeHeaders:
    """What browsers may do with our pages; nothing is stored along the way unless its handler says so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", "no-store")
                headers.update(_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)


class KnownHost:
    """Refuses names that are not ours: a site whose name was made to lead here (DNS rebinding) gives its own."""

    def __init__(self, app: ASGIApp, *, names: Collection[str], any_address: bool) -> None:
        self._app = app
        self._names = frozenset(name.lower().strip("[]") for name in names)
        self._any_address = any_address  # bound to all: its addresses are not known here, and none can be rebound

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._knows(host_of(scope)):
            await self._app(scope, receive, send)
        else:
            await problems.refuse(problems.WRONG_HOST, scope, receive, send)

    def _knows(self, name: str) -> bool:
        return name in self._names or (self._any_address and _is_address(name))


class SameSite:
    """Refuses what pages of other sites send; on loopback too, where every page that is open could reach us.

    Browsers say where a request comes from, and pages cannot change what they say. Programs say nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        acts = scope["type"] == "websocket" or (scope["type"] == "http" and scope["method"] not in SAFE)
        if acts and not _from_here(Headers(scope=scope)):
            await problems.refuse(problems.CROSS_SITE, scope, receive, send)
        else:
            await self._app(scope, receive, send)


class TokenWanted:
    """Lets in who knows the token: as `Authorization: Bearer …`, or by the cookie that the login form sets.

    Browsers that show nothing are sent to that form; it and `open_paths` need no token. What is wrong is refused, as
    refusals are what is counted: guesses must not get round that by asking for a page.
    """

    def __init__(self, app: ASGIApp, *, token: str, open_paths: Collection[str]) -> None:
        self._app = app
        self._token = token
        self._open = frozenset((LOGIN, *open_paths))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] in self._open or self._knows(Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and _wants_form(Headers(scope=scope)):
            await RedirectResponse(LOGIN, 303)(scope, receive, send)
        elif _login(Headers(scope=scope)):
            await problems.refuse(_VOID_LOGIN, scope, receive, send)
        else:
            await problems.refuse(problems.UNAUTHORISED, scope, receive, send)

    def _knows(self, headers: Headers) -> bool:
        return same(_bearer(headers), self._token) or same(_login(headers), login_cookie(self._token))


def login_cookie(token: str) -> str:
    """What a browser keeps instead of the token; another token makes it void."""
    return hmac.new(token.encode(), b"smallprint login", hashlib.sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """In a time that does not tell how much of it is right."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def host_of(scope: Scope) -> str:
    """The name in the Host header, without its port; empty where there is none, or several."""
    given = Headers(scope=scope).getlist("host")
    return _host(given[0]) if len(given) == 1 else ""


def _host(authority: str) -> str:
    try:
        return urlsplit(f"//{authority}").hostname or ""
    except ValueError:
        return ""


def _wants_form(headers: Headers) -> bool:
    return "text/html" in headers.get("accept", "") and not (_bearer(headers) or _login(headers))


def _bearer(headers: Headers) -> str:
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else ""


def _login(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(LOGIN_COOKIE, "")


def _from_here(headers: Headers) -> bool:
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        return False
    return origin is None or _authority(origin) == headers.get("host", "").lower()


def _authority(origin: str) -> str:
    return origin.lower().partition("://")[2]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
