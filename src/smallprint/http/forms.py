"""Tokens that tell our own forms from those of other sites.

A visitor gets a random cookie; a form carries its keyed hash. Other sites can neither read the cookie nor make the
hash, and a site on another port of this machine, which may plant a cookie, lacks the key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from starlette.datastructures import FormData, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smallprint.http import problems
from smallprint.http.problems import Refused

FIELD: Final = "form_token"
HEADER: Final = "x-form-token"
_COOKIE: Final = "smallprint_visitor"
_NEW: Final = "smallprint.visitor"
_VISITOR: Final = re.compile(r"[\w-]{43}", re.ASCII)


class Forms:
    """`token(request)` goes into the hidden field `form_token` (or the header `X-Form-Token`) of every form that
    posts; `await form(request)` gives the fields back, or raises `Refused`."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def token(self, request: Request) -> str:
        visitor = _visitor(request)
        if visitor is None:
            visitor = request.scope[_NEW] = secrets.token_urlsafe(32)
        return self._hash(visitor)

    async def form(self, request: Request) -> FormData:
        fields = await request.form()
        given = request.headers.get(HEADER) or fields.get(FIELD)
        self.check(request, given if isinstance(given, str) else "")
        return fields

    def check(self, request: Request, given: str) -> None:
        visitor = _visitor(request)
        if visitor is None or not hmac.compare_digest(given.encode(), self._hash(visitor).encode()):
            raise Refused(problems.BAD_FORM)

    def _hash(self, visitor: str) -> str:
        return hmac.new(self._key, visitor.encode(), hashlib.sha256).hexdigest()


class VisitorCookie:
    """Sets the cookie on the response in which the visitor's first form goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _NEW in scope:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                cookie = f"{_COOKIE}={scope[_NEW]}; Path=/; HttpOnly; SameSite=Lax{secure}"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_cookie)


def _visitor(request: Request) -> str | None:
    given = request.scope.get(_NEW) or request.cookies.get(_COOKIE, "")
    return given if _VISITOR.fullmatch(given) else None
