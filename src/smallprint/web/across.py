"""Beyond one policy: how it stands among its kind, policies side by side, needs, checklists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from smallprint.annotate.sector import NAMES, UNKNOWN
from smallprint.asking import OpenPolicy
from smallprint.errors import QueryError, UnknownPolicy
from smallprint.http.desk import Desk
from smallprint.norms.checklist import NAMES as CHECKLISTS
from smallprint.norms.checklist import State, checklist
from smallprint.norms.compare import Comparison, as_csv
from smallprint.norms.surprise import HEADS, Kind
from smallprint.web.guarded import guarded_router
from smallprint.web.openings import Opening, Openings, Stored, stored_path
from smallprint.web.pages import Pages
from smallprint.words import STANCES

MOST_COMPARED: Final = 4  # columns; more do not fit a screen
MOST_ASKED: Final = 5
_LONGEST: Final = 300
HUES: Final = {Kind.DOES: "yes", Kind.DENIES: "no", Kind.SILENT: "none"}
STATES: Final = {
    State.FOUND: ("Found", "no"),
    State.PARTLY: ("Partly", "choice"),
    State.MISSING: ("Not found", "none"),
}


@dataclass(frozen=True, slots=True)
class Which:
    """The policy that a page is about, as its address names it: a stored one, or one that is open."""

    policy: str = ""
    version: int | None = None
    handle: str = ""

    @classmethod
    def of(cls, request: Request) -> Which:
        given = request.query_params
        version = given.get("version", "")
        return cls(given.get("policy", ""), int(version[:15]) if version.isdecimal() else None, given.get("handle", ""))

    def url(self, path: str, **more: str) -> str:
        own = {"policy": self.policy, "version": str(self.version or ""), "handle": self.handle}
        return f"{path}?{urlencode({name: value for name, value in (own | more).items() if value})}"


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:
    routes = guarded_router(pages)
    assistant = desk.assistant

    async def opened(which: Which) -> Opening:
        """Read, or being read; waits until it is."""
        found = await desk.reads.run(_place, desk, openings, which)
        await found.until_read()
        if found.error:
            raise found.error
        return found

    def shown(opening: Opening, which: Which) -> dict[str, Any]:
        place = opening.place
        here = place.link if isinstance(place, Stored) else f"/policy/{place.handle}"
        name = place.name if isinstance(place, Stored) else opening.sheet().overview.title
        return {"name": name, "here_url": here, "which": which, "checklists": _checklists()}

    @routes.get("/kind")
    async def kind(request: Request) -> Response:
        """What is unusual in a policy, and where it is vague."""
        which, sector = Which.of(request), _sector(request)
        opening = await opened(which)
        one = opening.sheet().opened
        surprised = await desk.answers.run(lambda: assistant.across.surprise(one, sector=sector))
        measured = await desk.answers.run(lambda: assistant.across.ambiguity(one, sector=sector))
        return pages.show(
            request,
            "kind.html",
            kin=surprised.kin,
            found=surprised.found,
            heads=HEADS,
            hues=HUES,
            vague=measured.found,
            sector=sector,
            sectors=_sectors(),
            **shown(opening, which),
        )

    @routes.get("/check")
    async def check(request: Request) -> Response:
        which, against = Which.of(request), request.query_params.get("against", "")
        if against not in CHECKLISTS:
            raise QueryError(f"There are checklists for {', '.join(CHECKLISTS)}.")
        opening = await opened(which)
        one = opening.sheet().opened
        made = await desk.answers.run(lambda: assistant.across.check(one, against))
        counts = [(STATES[state][0], made.count(state)) for state in State]
        return pages.show(request, "check.html", made=made, states=STATES, counts=counts, **shown(opening, which))

    @routes.get("/compare")
    async def compare(request: Request) -> Response:
        names = await desk.reads.run(lambda: [entry.name for entry in assistant.list()])
        chosen, on, asked = _compared(request)
        made = await _comparison(desk, chosen, on, asked) if len(chosen) > 1 else None
        query = urlencode([("with", name) for name in chosen] + [("on", on)] + [("ask", text) for text in asked])
        return pages.show(
            request,
            "compare.html",
            names=names,
            chosen=chosen,
            on=on,
            asked=asked,
            made=made,
            said=STANCES,
            table=f"/compare.csv?{query}",
            path_of=stored_path,
            most=MOST_COMPARED,
        )

    @routes.get("/compare.csv")
    async def table(request: Request) -> Response:
        chosen, on, asked = _compared(request)
        if len(chosen) < 2:
            raise QueryError("Choose two policies or more.")
        made = await _comparison(desk, chosen, on, asked)
        headers = {"Content-Disposition": 'attachment; filename="smallprint-comparison.csv"'}
        return StreamingResponse(as_csv(made), headers=headers, media_type="text/csv; charset=utf-8")

    @routes.get("/find")
    async def find(request: Request) -> Response:
        need, sector = request.query_params.get("need", "").strip()[:_LONGEST], _sector(request)
        context: dict[str, Any] = {"need": need, "sector": sector, "sectors": _sectors(), "path_of": stored_path}
        if not need:
            return pages.show(request, "find.html", finding=None, wrong="", **context)
        try:
            finding = await desk.answers.run(lambda: assistant.across.find(need, sector=sector))
        except QueryError as error:
            return pages.show(request, "find.html", 400, finding=None, wrong=str(error), **context)
        return pages.show(request, "find.html", finding=finding, wrong="", **context)

    return routes


async def _comparison(desk: Desk, chosen: Sequence[str], on: str, asked: Sequence[str]) -> Comparison:
    def read() -> list[tuple[str, OpenPolicy]]:
        return [(name, desk.assistant.stored(desk.assistant.entry(name, whole=True).name)) for name in chosen]

    policies = await desk.reads.run(read)
    return await desk.answers.run(lambda: desk.assistant.across.compare(policies, on=on, questions=asked))


def _compared(request: Request) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    given = request.query_params
    chosen = tuple(dict.fromkeys(name for name in given.getlist("with") if name))[:MOST_COMPARED]
    asked = tuple(text.strip()[:_LONGEST] for text in given.getlist("ask") if text.strip())[:MOST_ASKED]
    return chosen, given.get("on", "").strip()[:_LONGEST], asked


def _place(desk: Desk, openings: Openings, which: Which) -> Opening:
    if not which.policy:
        found = openings.find(which.handle)
        if found is None:
            raise UnknownPolicy("What is not stored is put away after a while: give it again.")
        return found
    name = desk.assistant.entry(which.policy, whole=True).name
    ids = [version.id for version in desk.assistant.versions(name)]
    version = ids[-1] if which.version is None else which.version
    if version not in ids:
        raise UnknownPolicy(f"{name} has no version {version}.")
    return openings.open(Stored(name, version))


def _sector(request: Request) -> str:
    """Of the address; one that there is not is none."""
    given = request.query_params.get("sector", "")
    return given if given in _sectors() else ""


def _sectors() -> dict[str, str]:
    return {key: name for key, name in NAMES.items() if key != UNKNOWN} | {"all": "All policies"}


def _checklists() -> dict[str, str]:
    return {name: checklist(name).title for name in CHECKLISTS}
