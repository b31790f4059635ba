"""New policies and new versions: one, told in stages where wanted, or many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from smallprint.api import examples
from smallprint.api.events import MEDIA, Tell, problem_of, stream
from smallprint.api.names import Name
from smallprint.api.reply import PROBLEMS, as_json
from smallprint.api.sources import NewSource, Strict, Url
from smallprint.errors import SmallprintError
from smallprint.http.desk import Desk
from smallprint.http.paths import part_of
from smallprint.library import Stored
from smallprint.records import plain

ServiceName = Annotated[
    str | None, Field(min_length=1, max_length=200, description="The service's name; else the title or the domain.")
]
Force = Annotated[bool, Field(description="Take it even if it does not read like a privacy policy.")]
MOST_AT_ONCE: Final = 100


class NewPolicy(Strict):
    source: NewSource
    name: ServiceName = None
    force: Force = False


class Listed(Strict):
    url: Url
    name: ServiceName = None


class Ingest(Strict):
    sources: Annotated[list[Listed], Field(min_length=1, max_length=MOST_AT_ONCE)]
    force: Force = False


# Of one event, as later versions of OpenAPI have it; `data` is JSON.
_EVENT: Final = {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}
_EVENTS: Final[dict[str, Any]] = {MEDIA: {"schema": _EVENT, "example": examples.EVENT}}


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/policies", tags=["policies"], responses=PROBLEMS)
    assistant = desk.assistant

    @routes.post(
        "",
        status_code=201,
        responses={
            201: {"model": Stored, "description": "Stored as a new version"},
            200: {
                "description": "There already, with the same text; or events, where the request accepts them",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stored"}}, **_EVENTS},
            },
        },
    )
    async def add_policy(request: Request, new: Annotated[NewPolicy, Body(openapi_examples=examples.ADD)]) -> Response:
        """Read a policy and store it. With `Accept: text/event-stream` its stages are told as events: `stage`, then
        `done` with what was stored, or `problem`."""

        def add(progress: Callable[[str], None] = lambda _: None) -> Stored:
            return assistant.add(**new.source.place(assistant), name=new.name, force=new.force, progress=progress)

        if MEDIA in request.headers.get("accept", ""):

            def told(tell: Tell) -> None:
                stored = add(lambda stage: tell("stage", {"stage": stage}))
                tell("done", plain(stored))

            return stream(desk.fetches, told)
        stored = await desk.fetches.run(add)
        headers = {"Location": f"{request.url.path}/{part_of(stored.name)}"}
        return as_json(plain(stored), 201 if stored.new else 200, headers)

    @routes.post("/{name}/refresh", responses={200: {"model": Stored}})
    async def refresh_policy(name: Name) -> Response:
        """Fetch a policy again; a changed text becomes a new version."""

        def again() -> Stored:
            return assistant.refresh(assistant.entry(name, whole=True).name)

        return as_json(plain(await desk.fetches.run(again)))

    return routes


def ingests(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/ingests", tags=["policies"], responses=PROBLEMS)

    @routes.post(
        "",
        response_class=StreamingResponse,
        responses={200: {"description": "Events as it goes on", "content": _EVENTS}},
    )
    async def ingest(many: Annotated[Ingest, Body(openapi_examples=examples.INGEST)]) -> Response:
        """Read and store many policies. For each an event `stored` or `problem`, with its `url`; at the end `done`
        with counts. Closing the connection stops it after the policy at hand."""

        def work(tell: Tell) -> None:
            counts = {"stored": 0, "unchanged": 0, "failed": 0}
            for number, one in enumerate(many.sources, 1):
                place = {"number": number, "of": len(many.sources), "url": one.url}
                tell("reading", place)
                try:
                    stored = desk.assistant.add(one.url, name=one.name, force=many.force)
                except SmallprintError as error:
                    counts["failed"] += 1
                    tell("problem", place | {"problem": problem_of(error)})
                else:
                    counts["stored" if stored.new else "unchanged"] += 1
                    tell("stored", place | {"stored": plain(stored)})
            tell("done", counts)

        return stream(desk.fetches, work)

    return routes
