"""From the start page to a policy that is read, asked and perhaps kept."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from smallprint import __version__
from smallprint.errors import EmptyDocument, NotAPolicy, UnknownPolicy
from smallprint.http.desk import Desk
from smallprint.http.paths import name_of
from smallprint.library import Version
from smallprint.web import words
from smallprint.web.facts import facts
from smallprint.web.guarded import guarded_router, is_swap, trouble
from smallprint.web.library import shelf_id
from smallprint.web.openings import (
    STAGES,
    Online,
    Opening,
    Openings,
    Pasted,
    Place,
    Sheet,
    Stored,
    changes_path,
    stored_path,
)
from smallprint.web.pages import Pages

# A policy that can be had at once is shown at once, not after a page that says it is coming.
AT_ONCE: Final = 0.04
MOST_SUGGESTED: Final = 5
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_BARE: Final = re.compile(r"(?:[\w-]{1,63}\.)+[^\W\d_]{2,63}(?::\d{1,5})?(?:[/?#]\S*)?")


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:
    routes = guarded_router(pages)
    assistant = desk.assistant

    @routes.get("/")
    async def start(request: Request, url: str = "") -> Response:
        address = url if _ADDRESS.fullmatch(url) else ""
        return pages.show(request, "start.html", samples=samples(), url=address)

    @routes.post("/read")
    async def read(request: Request) -> Response:
        form = await desk.forms.form(request)
        place = await desk.reads.run(_named, desk, form) or await _given(form)
        if place is None:
            raise EmptyDocument("There is nothing to read yet: paste a link or a text, or choose a file.")
        openings.open(place)
        return RedirectResponse(place.link if isinstance(place, Stored) else f"/policy/{place.handle}", 303)

    @routes.get("/policy/{handle}")
    async def policy(request: Request, handle: str) -> Response:
        return await show(request, _found(openings, handle))

    @routes.get("/library/{name:path}")
    async def stored(request: Request, name: str, version: int | None = None) -> Response:
        return await show(request, *await _of_library(name, version))

    @routes.post("/policy/{handle}")
    async def ask(request: Request, handle: str) -> Response:
        return await answer(request, _found(openings, handle))

    @routes.post("/library/{name:path}")
    async def ask_stored(request: Request, name: str, version: int | None = None) -> Response:
        return await answer(request, *await _of_library(name, version))

    @routes.get("/reading/{handle}")
    async def progress(request: Request, handle: str) -> Response:
        opening = openings.find(handle)
        if opening is None or opening.done:
            return Response(headers={"HX-Refresh": "true"})
        return pages.show(request, "stages.html", opening=opening, stages=STAGES)

    @routes.post("/reading/{handle}/cancel")
    async def cancel(request: Request, handle: str) -> Response:
        await desk.forms.form(request)
        openings.put_away(handle)
        return RedirectResponse("/", 303)

    @routes.post("/policy/{handle}/again")
    async def again(request: Request, handle: str) -> Response:
        await desk.forms.form(request)
        opening = _found(openings, handle)
        place = opening.place
        if isinstance(opening.error, NotAPolicy) and not isinstance(place, Stored):
            place = replace(place, force=True)
        openings.open(place)
        return RedirectResponse(f"/policy/{place.handle}", 303)

    @routes.post("/policy/{handle}/keep")
    async def keep(request: Request, handle: str) -> Response:
        form = await desk.forms.form(request)
        place = _found(openings, handle).place
        name = str(form.get("name", "")).strip()[:100] or None
        kept = await desk.answers.run(_keep, desk, place, name)
        return RedirectResponse(stored_path(kept), 303)

    async def show(request: Request, opening: Opening, versions: Sequence[Version] = ()) -> Response:
        if not opening.done:
            await opening.until_read(AT_ONCE)
        if not opening.done:
            return pages.show(request, "reading.html", opening=opening, stages=STAGES)
        _try_again_later(opening)
        if opening.error:
            again = "" if isinstance(opening.place, Stored) else f"/policy/{opening.place.handle}/again"
            return trouble(pages, request, opening.error, again)
        sheet = opening.sheet()
        talk = openings.talk(desk.forms.token(request), opening)
        turns = talk.turns if talk else []
        asked = {turn.said.lower() for turn in turns}
        suggested = [question for question in _suggested(sheet) if question.lower() not in asked]
        return pages.show(
            request,
            "policy.html",
            sheet=sheet,
            facts=facts(sheet.label, sheet.layout.legend, sheet.kin),
            turns=turns,
            talk_about=talk.about if talk else "",
            suggested=suggested[:MOST_SUGGESTED],
            **_context(opening, versions),
        )

    async def answer(request: Request, opening: Opening, versions: Sequence[Version] = ()) -> Response:
        form = await desk.forms.form(request)
        said = str(form.get("said", "")).strip()
        await opening.until_read()
        _try_again_later(opening)
        if opening.failure:
            raise opening.failure
        context = _context(opening, versions)
        if not said:
            return RedirectResponse(context["here_url"], 303)
        visitor = desk.forms.token(request)
        turn = await desk.answers.run(openings.say, visitor, opening, said)
        talk = openings.talk(visitor, opening)
        number = len(talk.turns) if talk else 1
        if not is_swap(request):
            return RedirectResponse(f"{context['here_url']}#turn-{number}", 303)
        about = talk.about if talk else turn.policy
        return pages.show(request, "turn.html", turn=turn, number=number, talk_about=about, **context)

    def _try_again_later(opening: Opening) -> None:
        """What failed of the library is told once; the next visit reads it again."""
        if opening.failure and isinstance(opening.place, Stored):
            openings.put_away(opening.place.handle)

    async def _of_library(name: str, version: int | None) -> tuple[Opening, Sequence[Version]]:
        def find() -> tuple[Opening, Sequence[Version]]:
            called = assistant.entry(name_of(name), whole=True).name
            versions = assistant.versions(called)
            found = versions[-1] if version is None else next((v for v in versions if v.id == version), None)
            if found is None:
                raise UnknownPolicy(f"{called} has no version {version}.")
            place = Stored(called, found.id)
            return openings.find(place.handle) or openings.open(place), versions

        return await desk.reads.run(find)

    return routes


@cache
def samples() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(files("smallprint.samples").joinpath("index.json").read_text("utf-8")))


def _named(desk: Desk, form: FormData) -> Place | None:
    """A sample, or a policy of the library by its name."""
    sample = next((s for s in samples() if s["sample"] == form.get("sample")), None)
    name = str(sample["service"] if sample else form.get("source", "")).strip()
    stored = {entry.name.lower(): entry.name for entry in desk.assistant.list()} if name else {}
    if name.lower() in stored:
        found = stored[name.lower()]
        return Stored(found, desk.assistant.versions(found)[-1].id)
    if sample:
        return Pasted(files("smallprint.samples").joinpath(sample["file"]).read_bytes(), sample["service"])
    return None


async def _given(form: FormData) -> Place | None:
    """A file, an address or a text. Never a path of this machine: whoever asks may sit elsewhere."""
    file = form.get("file")
    if isinstance(file, UploadFile) and (data := await file.read()):
        return Pasted(data, (file.filename or "").rpartition("/")[2][:100])
    text = str(form.get("source") or "").strip()
    if not text:
        return None
    if _ADDRESS.fullmatch(text):
        return Online(text)
    return Online(f"https://{text}") if _BARE.fullmatch(text) else Pasted(text.encode("utf-8", "replace"))


def _found(openings: Openings, handle: str) -> Opening:
    opening = openings.find(handle)
    if opening is None:
        raise UnknownPolicy("What is not stored is put away after a while: give it again.")
    return opening


def _keep(desk: Desk, place: Place, name: str | None) -> str:
    match place:
        case Pasted(data, _, force):
            return desk.assistant.add("-", name=name, force=force, stdin=io.BytesIO(data)).name
        case Online(url, force):
            return desk.assistant.add(url, name=name, force=force).name
        case Stored(stored, _):
            return stored


def _context(opening: Opening, versions: Sequence[Version]) -> dict[str, Any]:
    """What the page and each of its turns say about the policy; `versions` are those of a stored one."""
    place, sheet = opening.place, opening.sheet()
    seen = next((v.seen for v in versions if isinstance(place, Stored) and v.id == place.version), "")
    name = place.name if isinstance(place, Stored) else sheet.overview.title
    policy = sheet.opened.policy
    source = [name, policy.url or "", f"version of {words.day(seen)}" if seen else "", f"sha256 {policy.digest[:16]}"]
    return {
        "name": name,
        "stored": bool(versions),
        "seen": seen,
        "earlier": max(0, len(versions) - 1),
        "shelf_id": shelf_id(name),
        "changes_url": changes_path(name),
        "handle": place.handle,
        "here_url": place.link if isinstance(place, Stored) else f"/policy/{place.handle}",
        "link": place.link,
        "kind_url": _kind_url(place),
        "cited": f"Source: {', '.join(filter(None, source))}. Read with Smallprint {__version__}.",
    }


def _kind_url(place: Place) -> str:
    if isinstance(place, Stored):
        return f"/kind?{urlencode({'policy': place.name, 'version': place.version})}"
    return f"/kind?handle={place.handle}"


def _suggested(sheet: Sheet) -> list[str]:
    """What people ask about the practices that this policy has."""
    present = {line.hue for line in sheet.layout.legend}
    return [words.ALWAYS_ASKED] + [w.question for key, w in words.PRACTICES.items() if key in present and w.question]
