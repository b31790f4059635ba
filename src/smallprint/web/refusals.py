"""Problems as pages: what a program gets as JSON, a person's browser gets in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smallprint.http import problems
from smallprint.http.forms import Forms
from smallprint.web import words
from smallprint.web.pages import Pages


class ProblemPages:
    """A layer around all doors: whichever of them refuses, a request that accepts `text/html` gets a page. Scripts
    accept anything (`*/*`) and get JSON."""

    def __init__(self, app: ASGIApp, *, forms: Forms) -> None:
        self._app = app
        self._pages = Pages(forms)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        refusal: Headers | None = None

        async def shown(message: Message) -> None:
            nonlocal refusal
            if message["type"] == "http.response.start":
                headers = Headers(raw=message["headers"])
                refusal = headers if headers.get("content-type") == problems.MEDIA else None
            if refusal is None:
                await send(message)
            elif message["type"] == "http.response.body":  # of a problem all in one
                page = self._page(Request(scope), json.loads(message["body"]), refusal)
                await page(scope, receive, send)

        await self._app(scope, receive, shown)

    def _page(self, request: Request, problem: Mapping[str, Any], refusal: Headers) -> Response:
        told = words.refused(problem["type"].removeprefix(problems.TYPES), problem["title"], problem.get("detail", ""))
        page = self._pages.show(request, "trouble.html", problem["status"], trouble=told, detail="", again="")
        for name, value in refusal.items():
            page.headers.setdefault(name, value)  # when to come back, which methods there are
        return page
