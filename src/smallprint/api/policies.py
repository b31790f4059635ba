"""Stored policies: list, read, add, refresh, remove."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Query, Request
from fastapi import Path as PathPart
from pydantic import AfterValidator, Field
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from smallprint.api import examples
from smallprint.api.events import MEDIA, Tell, problem_of, stream
from smallprint.api.reply import PROBLEMS, UNCHANGED, as_json, tagged
from smallprint.api.sources import NewSource, Strict, Url
from smallprint.errors import QueryError, SmallprintError
from smallprint.http.desk import Desk
from smallprint.http.paths import name_of, part_of
from smallprint.library import Entry, Stored, Version
from smallprint.records import Overview, Practice, plain

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

Sourced = TypeVar("Sourced", Entry, Version, Overview)
Name = Annotated[
    str,
    PathPart(min_length=1, max_length=200, description="The service's whole name.", examples=["Plazaly"]),
    AfterValidator(name_of),
]
VersionId = Annotated[int | None, Query(ge=1, le=2**53, description="An earlier version, by its id.")]
ServiceName = Annotated[
    str | None, Field(min_length=1, max_length=200, description="The service's name; else the title or the domain.")
]
Force = Annotated[bool, Field(description="Take it even if it does not read like a privacy policy.")]
MOST_AT_ONCE = 100


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


@dataclass(frozen=True)
class PolicyPage:
    """`next` is the cursor of the page that follows, null at the end."""

    items: list[Entry]
    next: str | None


@dataclass(frozen=True)
class StoredOverview:
    name: str
    digest: str
    media: str
    language: str
    overview: Overview


@dataclass(frozen=True)
class Restored:
    name: str


@dataclass(frozen=True)
class Versions:
    items: list[Version]


@dataclass(frozen=True)
class Practices:
    items: list[Practice]


_EVENTS: dict[str, Any] = {MEDIA: {"schema": {"type": "string"}, "example": examples.EVENTS}}


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/policies", tags=["policies"], responses=PROBLEMS)
    assistant = desk.assistant

    def opened(name: str, version: int | None) -> tuple[str, OpenPolicy]:
        whole = assistant.entry(name, whole=True).name
        return whole, assistant.stored(whole, version)

    @routes.get("", responses={200: {"model": PolicyPage}, **UNCHANGED})
    async def list_policies(
        request: Request,
        cursor: Annotated[str | None, Query(max_length=400, description="`next` of the page before.")] = None,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
    ) -> Response:
        """The stored policies by name."""
        entries = await desk.reads.run(assistant.list, after=_after(cursor), limit=limit + 1)
        page = entries[:limit]
        following = _cursor(page[-1].name) if len(entries) > limit else None
        return tagged(request, plain(PolicyPage([_without_path(entry) for entry in page], following)))

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

        def add(progress: Any = lambda _: None) -> Stored:
            return assistant.add(**new.source.place(assistant), name=new.name, force=new.force, progress=progress)

        if MEDIA in request.headers.get("accept", ""):

            def told(tell: Tell) -> None:
                stored = add(lambda stage: tell("stage", {"stage": stage}))
                tell("done", plain(stored))

            return stream(desk.fetches, told)
        stored = await desk.fetches.run(add)
        headers = {"Location": f"{request.url.path}/{part_of(stored.name)}"}
        return as_json(plain(stored), 201 if stored.new else 200, headers)

    @routes.get("/{name}", responses={200: {"model": StoredOverview}, **UNCHANGED})
    async def show_policy(request: Request, name: Name, version: VersionId = None) -> Response:
        """A policy at a glance: outline, length, how hard it is to read."""

        def look() -> StoredOverview:
            whole, one = opened(name, version)
            overview = _without_path(one.overview())
            return StoredOverview(whole, one.policy.digest, one.policy.media, one.policy.language, overview)

        return tagged(request, plain(await desk.reads.run(look)))

    @routes.delete("/{name}", status_code=204)
    async def remove_policy(
        name: Name, forever: Annotated[bool, Query(description="Erase it; else it can be restored.")] = False
    ) -> None:
        """Take a policy out of the library."""
        if forever:
            await desk.fetches.run(assistant.forget, name)
        else:
            await desk.reads.run(assistant.remove, name)

    @routes.get("/{name}/text", response_class=PlainTextResponse)
    async def show_text(name: Name, version: VersionId = None) -> str:
        """The normalised text, which every `start` and `end` counts the characters of."""
        return (await desk.reads.run(opened, name, version))[1].policy.text

    @routes.get("/{name}/versions", responses={200: {"model": Versions}, **UNCHANGED})
    async def list_versions(request: Request, name: Name) -> Response:
        """The versions of a policy, oldest first."""

        def look() -> Versions:
            versions = assistant.versions(assistant.entry(name, whole=True).name)
            return Versions([_without_path(version) for version in versions])

        return tagged(request, plain(await desk.reads.run(look)))

    @routes.get("/{name}/practices", responses={200: {"model": Practices}, **UNCHANGED})
    async def list_practices(request: Request, name: Name, version: VersionId = None) -> Response:
        """What the policy says is done, segment by segment."""
        practices = await desk.answers.run(lambda: opened(name, version)[1].practices())
        return tagged(request, plain(Practices(list(practices))))

    @routes.post("/{name}/refresh", responses={200: {"model": Stored}})
    async def refresh_policy(name: Name) -> Response:
        """Fetch a policy again; a changed text becomes a new version."""

        def again() -> Stored:
            return assistant.refresh(assistant.entry(name, whole=True).name)

        return as_json(plain(await desk.fetches.run(again)))

    return routes


def restoring(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/restore", tags=["policies"], responses=PROBLEMS)

    @routes.post("", responses={200: {"model": Restored}})
    async def restore_policy() -> Response:
        """Bring back the policy that was removed last."""
        return as_json(plain(Restored(await desk.reads.run(desk.assistant.restore))))

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


def _without_path(record: Sourced) -> Sourced:
    """Where a file was added on this machine, others learn its name and not the folders above it."""
    return record if "://" in record.source else replace(record, source=PurePath(record.source).name)


def _cursor(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")


def _after(cursor: str | None) -> str:
    if cursor is None:
        return ""
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        raise QueryError("The cursor is damaged: begin the list again.") from None
