"""What changed in a policy: version by version, or between two sources."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field
from starlette.responses import Response

from smallprint.api import examples
from smallprint.api.names import Name
from smallprint.api.reply import PROBLEMS, UNCHANGED, as_json, tagged
from smallprint.api.sources import Source, Strict, WebPage
from smallprint.asking import OpenPolicy
from smallprint.http.desk import Desk
from smallprint.records import History, Revision, plain

Since = Annotated[
    str,
    Query(
        pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$",
        description="Only what changed from then on: a year, a month or a day.",
        examples=["2024", "2024-03-01"],
    ),
]


class Compare(Strict):
    old: Source
    new: Source
    force: Annotated[bool, Field(description="Compare even what does not read like a privacy policy.")] = False


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(tags=["changes"], responses=PROBLEMS)
    assistant = desk.assistant

    @routes.get("/policies/{name}/changes", responses={200: {"model": History}, **UNCHANGED})
    async def list_changes(request: Request, name: Name, since: Since = "") -> Response:
        """How a policy changed from version to version: what was added, dropped, weakened or strengthened, with the
        exact words; what was only reworded or tidied up is in `quiet`."""

        def look() -> History:
            return assistant.changes(assistant.entry(name, whole=True).name, since)

        return tagged(request, plain(await desk.answers.run(look)))

    @routes.post("/changes", responses={200: {"model": Revision}})
    async def compare_versions(body: Annotated[Compare, Body(openapi_examples=examples.CHANGES)]) -> Response:
        """What changed from one text to another. Nothing of it is stored."""

        async def read(source: Source) -> OpenPolicy:
            given: dict[str, Any] = await desk.reads.run(source.place, assistant)
            lane = desk.fetches if isinstance(source, WebPage) else desk.answers
            return await lane.run(lambda: assistant.read(**given, force=body.force))

        old, new = await read(body.old), await read(body.new)
        return as_json(plain(await desk.answers.run(assistant.changes_of, old, new)))

    return routes
