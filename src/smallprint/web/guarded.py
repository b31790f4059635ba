"""Errors as pages: a route that turns what went wrong into plain words."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from smallprint.errors import SmallprintError
from smallprint.http import problems
from smallprint.web import words
from smallprint.web.pages import Pages


def guarded_router(pages: Pages) -> APIRouter:
    class Guarded(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def guarded(request: Request) -> Response:
                try:
                    return await handler(request)
                except SmallprintError as error:
                    return trouble(pages, request, error)
                except problems.Refused as refused:
                    told = words.Trouble(refused.problem.title, "")
                    return pages.show(request, _template(request), refused.problem.status, **_context(told))
                finally:
                    await request.close()  # the files of a form

            return guarded

    return APIRouter(route_class=Guarded, include_in_schema=False)


def trouble(pages: Pages, request: Request, error: SmallprintError, again: str = "") -> Response:
    """`again` is where a form may post to try once more."""
    problem = problems.of_error(error)
    told = words.trouble(error)
    return pages.show(request, _template(request), problem.status, **_context(told, problem.detail, again))


def is_swap(request: Request) -> bool:
    """Whether a script asks for a part of the page."""
    return request.headers.get("hx-request") == "true"


def _template(request: Request) -> str:
    return "trouble_turn.html" if is_swap(request) else "trouble.html"


def _context(told: words.Trouble, detail: str = "", again: str = "") -> dict[str, object]:
    return {"trouble": told, "detail": detail, "again": again}
