"""The timeline of a stored policy: what changed in practice, version by version; as a page and as a feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote
from xml.etree import ElementTree

from fastapi import APIRouter, Request
from starlette.responses import Response

from smallprint.http.desk import Desk
from smallprint.http.paths import name_of
from smallprint.library import Version
from smallprint.records import Change, ChangeKind, History, Revision
from smallprint.web import words
from smallprint.web.guarded import guarded_router
from smallprint.web.openings import Openings, Stored, changes_path, stored_path
from smallprint.web.pages import Pages

ATOM = "http://www.w3.org/2005/Atom"
KINDS = {
    ChangeKind.ADDED: "New",
    ChangeKind.DROPPED: "Gone",
    ChangeKind.WEAKENED: "Weaker",
    ChangeKind.STRENGTHENED: "Stronger",
    ChangeKind.CHANGED: "Changed",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One revision as the page shows it: what matters most first, and a line on all else."""

    revision: Revision
    path: str
    changes: tuple[Change, ...]
    rest: str


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:  # noqa: ARG001
    routes = guarded_router(pages)
    assistant = desk.assistant

    def look(name: str) -> tuple[History, Sequence[Version]]:
        whole = assistant.entry(name_of(name), whole=True).name
        return assistant.changes(whole), assistant.versions(whole)

    @routes.get("/changes/{name:path}")
    async def timeline(request: Request, name: str) -> Response:
        history, versions = await desk.answers.run(look, name)
        return pages.show(
            request,
            "changes.html",
            name=history.service,
            steps=steps(history, versions),
            versions=history.versions,
            kinds=KINDS,
            stored=stored_path(history.service),
            feed=feed_path(history.service),
        )

    @routes.get("/feed/{name:path}")
    async def feed(request: Request, name: str) -> Response:
        history, versions = await desk.answers.run(look, name)
        base = str(request.base_url).rstrip("/")
        return Response(atom(history, steps(history, versions), base), media_type="application/atom+xml")

    return routes


def feed_path(name: str) -> str:
    return f"/feed/{quote(name, safe='')}"


def steps(history: History, versions: Sequence[Version]) -> list[Step]:
    """Newest first; each leads to the version that it made."""
    ids = [version.id for version in versions[1:]][::-1]
    return [
        Step(
            revision,
            stored_path(history.service, version),
            tuple(sorted(revision.changes, key=lambda change: -change.severity)),
            rest(revision),
        )
        for revision, version in zip(history.revisions, ids, strict=True)
    ]


def rest(revision: Revision) -> str:
    """One line on what changes nothing in practice."""
    kinds = [change.kind for change in revision.quiet]
    reworded, tidied = kinds.count(ChangeKind.REWORDED), kinds.count(ChangeKind.HOUSEKEEPING)
    parts = ((reworded, "reworded"), (tidied, "tidied up"), (revision.moved, "moved"))
    told = ", ".join(f"{number} {what}" for number, what in parts if number)
    if not told:
        return "Nothing else changed." if revision.changes else "Nothing changed that anyone would notice."
    return f"{'Otherwise' if revision.changes else 'Nothing changed in practice'}: {told}."


def atom(history: History, found: Sequence[Step], base: str) -> bytes:
    """RFC 4287: one entry for each revision."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    identity = f"tag:localhost,2025:{Stored(history.service, 0).handle}"
    _put(feed, "id", identity)
    _put(feed, "title", f"What changed in {history.service}’s privacy policy")
    _put(feed, "updated", f"{history.versions[-1]}T00:00:00Z")
    _put(_put(feed, "author"), "name", history.service)
    _put(feed, "link", rel="self", href=base + feed_path(history.service))
    _put(feed, "link", rel="alternate", type="text/html", href=base + changes_path(history.service))
    for number, step in zip(range(len(found), 0, -1), found, strict=True):
        entry = _put(feed, "entry")
        revision = step.revision
        _put(entry, "id", f"{identity}/{number}/{revision.after}")
        _put(entry, "title", f"{words.day(revision.after)}: {_counted(step)}")
        _put(entry, "updated", f"{revision.after}T00:00:00Z")
        _put(entry, "link", rel="alternate", type="text/html", href=base + step.path)
        _put(entry, "content", "\n\n".join([*map(_told, step.changes), step.rest]), type="text")
    content: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return content


def _counted(step: Step) -> str:
    number = len(step.changes)
    return f"{number} change{'' if number == 1 else 's'}" if number else "nothing changed in practice"


def _told(change: Change) -> str:
    quotes = [f"{sign} {quote}" for sign, quote in (("Before:", change.old), ("Now:", change.new)) if quote]
    return "\n".join([KINDS[change.kind], *quotes])


def _put(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
    child.text = text or None
    return child
