"""Questions, one by one and in conversations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Body, Request
from fastapi import Path as PathPart
from pydantic import Field
from starlette.responses import Response

from smallprint.api import examples
from smallprint.api.reply import PROBLEMS, UNCHANGED, as_json, tagged
from smallprint.api.sources import Source, Strict, WebPage
from smallprint.http.desk import Desk
from smallprint.records import Answer, Session, Turn, plain, plain_fields

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

Said = Annotated[str, Field(min_length=1, max_length=2_000)]
SessionId = Annotated[str, PathPart(min_length=1, max_length=100)]


class Ask(Strict):
    source: Source
    question: Said
    force: Annotated[bool, Field(description="Ask even what does not read like a privacy policy.")] = False
    explain: Annotated[bool, Field(description="Tell in `trace` what each stage did.")] = False


class NewSession(Strict):
    source: Source
    force: Annotated[bool, Field(description="Talk even about what does not read like a privacy policy.")] = False
    keep: Annotated[bool, Field(description="Let it outlive a restart of the server, until it expires.")] = False


class Say(Strict):
    said: Annotated[Said, Field(description="A question, a follow-up, “more”, “why?”.")]


@dataclass(frozen=True)
class Asked:
    """The policy that was asked."""

    title: str
    url: str | None
    digest: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class PolicyAnswer(Answer):
    policy: Asked | None = None


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/questions", tags=["questions"], responses=PROBLEMS)
    assistant = desk.assistant

    @routes.post(
        "", responses={200: {"model": PolicyAnswer, "content": {"application/json": {"example": examples.ANSWER}}}}
    )
    async def ask(body: Annotated[Ask, Body(openapi_examples=examples.ASK)]) -> Response:
        """One question without a conversation. Nothing of it is stored or logged."""

        def read() -> OpenPolicy:
            return assistant.read(**body.source.place(assistant), force=body.force)

        if isinstance(body.source, WebPage):
            opened = await desk.fetches.run(read)
            answer = await desk.answers.run(opened.ask, body.question)
        else:
            opened, answer = await desk.answers.run(lambda: (one := read(), one.ask(body.question)))
        policy = opened.policy
        asked = Asked(policy.title, policy.url, policy.digest, policy.notes)
        shown = answer if body.explain else replace(answer, trace=())
        return as_json({"policy": plain(asked), **plain_fields(shown)})

    return routes


def sessions(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix="/sessions", tags=["sessions"], responses=PROBLEMS)
    assistant = desk.assistant

    @routes.post("", status_code=201, responses={201: {"model": Session}})
    async def open_session(
        request: Request, body: Annotated[NewSession, Body(openapi_examples=examples.OPEN)]
    ) -> Response:
        """Begin a conversation about a policy."""

        def begin() -> Session:
            return assistant.open_session(**body.source.place(assistant), force=body.force, keep=body.keep)

        lane = desk.fetches if isinstance(body.source, WebPage) else desk.answers
        session = await lane.run(begin)
        return as_json(plain(session), 201, {"Location": f"{request.url.path}/{session.id}"})

    @routes.get("/{session}", responses={200: {"model": Session}, **UNCHANGED})
    async def show_session(request: Request, session: SessionId) -> Response:
        return tagged(request, plain(await desk.reads.run(assistant.session, session)))

    @routes.delete("/{session}", status_code=204)
    async def close_session(session: SessionId) -> None:
        """Forget a conversation."""

        def close() -> None:
            assistant.session(session)
            assistant.close_session(session)

        await desk.reads.run(close)

    @routes.post("/{session}/turns", responses={200: {"model": Turn}})
    async def say(session: SessionId, body: Annotated[Say, Body(openapi_examples=examples.SAY)]) -> Response:
        """Say something: a question, or what only makes sense after the last one."""
        return as_json(plain(await desk.answers.run(assistant.say, session, body.said)))

    return routes
