"""Beyond one policy: norms, surprises, ambiguity, comparisons, needs, checklists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, Literal

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field
from starlette.responses import Response

from smallprint.annotate.sector import NAMES
from smallprint.api import examples
from smallprint.api.questions import Asked, Said
from smallprint.api.reply import PROBLEMS, UNCHANGED, as_json, tagged
from smallprint.api.sources import Source, Strict, WebPage
from smallprint.http.desk import Desk
from smallprint.norms.ambiguity import Described
from smallprint.norms.checklist import CheckedItem
from smallprint.norms.compare import AskedOfAll, Comparison, Row
from smallprint.norms.figures import ALL, Kin, Spread
from smallprint.norms.find import Finding
from smallprint.norms.statistics import Share
from smallprint.norms.surprise import Surprise
from smallprint.norms.table import as_json as table
from smallprint.records import Answer, plain

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

MOST_POLICIES: Final = 10
MOST_QUESTIONS: Final = 20
SECTORS: Final = (ALL, *NAMES)
Sector = Annotated[
    str, Field(pattern=f"^({'|'.join(SECTORS)})?$", description="A sector's short name, or all; else its own.")
]
Force = Annotated[bool, Field(description="Take even what does not read like a privacy policy.")]


class OfOne(Strict):
    source: Source
    sector: Sector = ""
    force: Force = False


class Compare(Strict):
    sources: Annotated[list[Source], Field(min_length=2, max_length=MOST_POLICIES)]
    on: Annotated[str, Field(max_length=200, description="Keep to this topic.")] = ""
    questions: Annotated[
        list[Said], Field(default_factory=list, max_length=MOST_QUESTIONS, description="Put to all of them.")
    ]
    force: Force = False


class CheckOne(Strict):
    source: Source
    against: Literal["gdpr", "ccpa", "coppa"]
    force: Force = False


@dataclass(frozen=True)
class Against:
    """What was measured against; `too_few_of_its_own` counts the policies of its sector where all stand in for it."""

    sector: str
    policies: int
    too_few_of_its_own: int | None


@dataclass(frozen=True)
class Surprises:
    policy: Asked
    measured_against: Against
    surprises: tuple[Surprise, ...]


@dataclass(frozen=True)
class Vagueness:
    policy: Asked
    measured_against: Against
    share: float
    usual: float
    of: int
    practices: tuple[Described, ...]


@dataclass(frozen=True)
class Compared:
    policies: tuple[Asked, ...]
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    asked: tuple[AskedOfAll, ...]
    on: str


@dataclass(frozen=True)
class Checked:
    policy: Asked
    against: str
    title: str
    items: tuple[CheckedItem, ...]
    warning: str


@dataclass(frozen=True)
class NormLine:
    trait: str
    title: str
    name: str
    yes: int
    no: int
    choice: int
    mixed: int
    said: Share


@dataclass(frozen=True)
class NormTable:
    """How many policies say what; `own` where the figures are of this library."""

    corpus: str
    model: str
    own: bool
    sector: str
    policies: int
    sectors: dict[str, int]
    traits: tuple[NormLine, ...]
    mentions: dict[str, Share]
    vagueness: Spread
    grade: Spread
    vague: dict[str, Spread]


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(tags=["beyond one policy"], responses=PROBLEMS)
    across = desk.assistant.across

    async def opened(source: Source, force: bool) -> OpenPolicy:
        lane = desk.fetches if isinstance(source, WebPage) else desk.answers
        return await lane.run(lambda: desk.assistant.read(**source.place(desk.assistant), force=force))

    @routes.get("/norms", responses={200: {"model": NormTable}, **UNCHANGED})
    async def show_norms(request: Request, sector: Annotated[Sector, Query()] = "") -> Response:
        """How usual each practice is, of a sector or of all policies that were counted."""
        made = await desk.reads.run(across.norms)
        return tagged(request, table(made, sector if sector in made.groups else ALL))

    @routes.get("/find", responses={200: {"model": Finding}})
    async def find(
        need: Annotated[Said, Query(description="What a policy should or should not do.", examples=[examples.NEED])],
        sector: Annotated[Sector, Query()] = "",
        limit: Annotated[int, Query(ge=1, le=50)] = 10,
    ) -> Response:
        """Stored policies that say they do, or do not do, what is needed, each with the sentence that says so. One that
        says nothing is not listed: silence is no promise."""
        chosen = "" if sector == ALL else sector
        finding = await desk.answers.run(lambda: across.find(need, sector=chosen, limit=limit))
        return as_json(plain(finding))

    @routes.post("/surprises", responses={200: {"model": Surprises}})
    async def surprise(body: Annotated[OfOne, Body(openapi_examples=examples.OF_ONE)]) -> Response:
        """What a policy does that few of its kind do, and what it leaves out that most of them say."""
        one = await opened(body.source, body.force)
        made = await desk.answers.run(lambda: across.surprise(one, sector=body.sector))
        return as_json(plain(Surprises(_asked(one), _against(made.kin), made.found)))

    @routes.post("/ambiguities", responses={200: {"model": Vagueness}})
    async def ambiguity(body: Annotated[OfOne, Body(openapi_examples=examples.OF_ONE)]) -> Response:
        """Which practices a policy describes vaguely, with the places of the vague words, against its kind."""
        one = await opened(body.source, body.force)
        made = await desk.answers.run(lambda: across.ambiguity(one, sector=body.sector))
        found = made.found
        told = Vagueness(_asked(one), _against(made.kin), found.share, found.usual, found.of, found.practices)
        return as_json(plain(told))

    @routes.post("/comparisons", responses={200: {"model": Compared}})
    async def compare(body: Annotated[Compare, Body(openapi_examples=examples.COMPARE)]) -> Response:
        """Policies side by side, practice by practice, each cell with its sentence; null is silence, neither a yes nor
        a no."""
        policies = [await opened(source, body.force) for source in body.sources]
        named = [(one.policy.title or f"policy {n}", one) for n, one in enumerate(policies, 1)]
        made = await desk.answers.run(lambda: across.compare(named, on=body.on, questions=body.questions))
        shown = _without_trace(made)
        told = Compared(tuple(map(_asked, policies)), shown.names, shown.rows, shown.asked, shown.on)
        return as_json(plain(told))

    @routes.post("/checks", responses={200: {"model": Checked}})
    async def check(body: Annotated[CheckOne, Body(openapi_examples=examples.CHECK)]) -> Response:
        """A policy against what a law wants it to tell. This is no legal advice."""
        one = await opened(body.source, body.force)
        made = await desk.answers.run(lambda: across.check(one, body.against))
        return as_json(plain(Checked(_asked(one), made.against, made.title, made.items, made.warning)))

    return routes


def _asked(opened: OpenPolicy) -> Asked:
    policy = opened.policy
    return Asked(policy.title, policy.url, policy.digest, policy.notes)


def _against(kin: Kin) -> Against:
    return Against(kin.sector, kin.group.policies, kin.few)


def _without_trace(made: Comparison) -> Comparison:
    def bare(answer: Answer) -> Answer:
        return replace(answer, trace=())

    asked = tuple(replace(one, answers=tuple(map(bare, one.answers))) for one in made.asked)
    return replace(made, asked=asked)
