"""The library: what is stored, its versions, and taking it out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from smallprint.errors import QueryError
from smallprint.http.desk import Desk
from smallprint.library import Entry, Version
from smallprint.web.guarded import guarded_router
from smallprint.web.openings import Openings, Stored, changes_path, stored_path
from smallprint.web.pages import Pages, web_address


@dataclass(frozen=True, slots=True)
class Shelf:
    """One service as the page lists it, newest version first."""

    id: str
    path: str
    entry: Entry
    versions: Sequence[Version]
    online: bool


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:
    routes = guarded_router(pages)
    assistant = desk.assistant

    @routes.get("/library")
    async def library(request: Request, removed: str = "", fetched: str = "") -> Response:
        shelves = await desk.reads.run(_shelves, desk)
        names = {shelf.entry.name for shelf in shelves}
        return pages.show(
            request,
            "library.html",
            shelves=shelves,
            removed=removed if removed not in names else "",
            fetched=fetched if fetched in names else "",
            path_of=stored_path,
            changes_of=changes_path,
        )

    @routes.post("/library")
    async def change(request: Request) -> Response:
        form = await desk.forms.form(request)
        name, do = str(form.get("name", "")), form.get("do")  # as the page wrote it
        told = ""
        if do == "remove":
            told = f"?removed={quote(await desk.reads.run(assistant.remove, name), safe='')}"
            openings.put_all_away(name)
        elif do == "restore":
            await desk.reads.run(assistant.restore)
        elif do == "forget":
            await desk.reads.run(assistant.forget, name)
        elif do == "refresh":
            told = f"?fetched={quote((await desk.fetches.run(assistant.refresh, name)).name, safe='')}"
        else:
            raise QueryError("The library can remove, restore, forget and refresh.")
        return RedirectResponse(f"/library{told}", 303)

    return routes


def _shelves(desk: Desk) -> list[Shelf]:
    shelves = []
    for entry in desk.assistant.list():
        versions = desk.assistant.versions(entry.name) if entry.versions > 1 else ()
        online = web_address(entry.source) is not None
        shelves.append(Shelf(shelf_id(entry.name), stored_path(entry.name), entry, versions[::-1], online))
    return shelves


def shelf_id(name: str) -> str:
    return f"p{Stored(name, 0).handle}"
