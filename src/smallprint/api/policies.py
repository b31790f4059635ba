"""Stored policies: list, read, add, refresh, remove."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import APIRouter, Query, Request
from starlette.responses import PlainTextResponse, Response

from smallprint.api.names import Name
from smallprint.api.reply import PROBLEMS, UNCHANGED, as_json, tagged
from smallprint.errors import QueryError
from smallprint.http.desk import Desk
from smallprint.library import Entry, Version
from smallprint.records import Overview, Practice, plain

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

Sourced = TypeVar("Sourced", Entry, Version, Overview)
VersionId = Annotated[int | None, Query(ge=1, le=2**53, description="An earlier version, by its id.")]


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

    return routes


def restoring(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/restore", tags=["policies"], responses=PROBLEMS)

    @routes.post("", responses={200: {"model": Restored}})
    async def restore_policy() -> Response:
        """Bring back the policy that was removed last."""
        return as_json(plain(Restored(await desk.reads.run(desk.assistant.restore))))

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
