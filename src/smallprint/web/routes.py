"""All pages."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from smallprint.http.desk import Desk
from smallprint.web import about, across, changes, library, reading, search
from smallprint.web.openings import Openings
from smallprint.web.pages import Pages


def router(desk: Desk) -> APIRouter:
    pages = Pages(desk.forms)
    openings = Openings(desk, pages.draw)
    routes = APIRouter(include_in_schema=False)
    for part in (reading, search, across, library, changes, about):
        routes.include_router(part.router(desk, pages, openings))

    @routes.get("/static/{mark}/{name:path}")
    async def static(mark: str, name: str) -> Response:
        return pages.static.response(mark, name)

    return routes
