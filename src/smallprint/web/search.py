"""Search: facets left, results right, everything in the address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from smallprint.errors import QueryError
from smallprint.http.desk import Desk
from smallprint.index.export import as_csv, as_jsonl
from smallprint.index.labels import label
from smallprint.index.protocol import RANGE_FACETS, STANCE, FacetValue
from smallprint.index.searching import Found, describe
from smallprint.web.choices import PER_PAGE, PLACES, RANGES, SORTS, STANCES, TITLES, Choices
from smallprint.web.guarded import guarded_router, is_swap
from smallprint.web.openings import Openings, stored_path
from smallprint.web.pages import Pages

_FILES: Final = {"csv": (as_csv, "text/csv; charset=utf-8"), "jsonl": (as_jsonl, "application/jsonl; charset=utf-8")}


@dataclass(frozen=True, slots=True)
class Value:
    key: str
    name: str
    count: int
    share: float
    selected: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """`values` to tick; a range has `bars` (name, count, height) instead, and two ends to fill in."""

    key: str
    title: str
    values: tuple[Value, ...] = ()
    bars: tuple[tuple[str, int, float], ...] = ()
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class Wider:
    """One way to find something after all."""

    text: str
    url: str


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:  # noqa: ARG001
    routes = guarded_router(pages)
    assistant = desk.assistant

    @routes.get("/search")
    async def search(request: Request) -> Response:
        choices = Choices.of(request.query_params)
        context: dict[str, Any] = {"choices": choices, "sorts": SORTS, "places": PLACES}
        try:
            found = await desk.reads.run(lambda: assistant.search(choices.request()))
        except QueryError as error:
            if is_swap(request):
                return Response(headers={"HX-Redirect": choices.url()})
            return pages.show(request, "search.html", 400, wrong=str(error), found=None, **context)
        return pages.show(
            request,
            "search.html",
            wrong="",
            found=found,
            chips=list(choices.chips()),
            facets=list(_facets(found, choices)),
            wider=list(_wider(found, choices)),
            first=(choices.page - 1) * PER_PAGE + 1,
            path_of=stored_path,
            stances=STANCES,
            **context,
        )

    @routes.get("/search/export.{form}")
    async def export(request: Request, form: str) -> Response:
        if form not in _FILES:
            raise QueryError("Results can be had as .csv and .jsonl.")
        write, media = _FILES[form]
        asked = Choices.of(request.query_params).without().request()

        def begin() -> Iterator[str]:
            page = assistant.search(replace(asked, offset=0, limit=1, facets=(), snippets=False)).page
            about = {**describe(asked), "total": page.total, "fingerprint": page.fingerprint}
            lines = write(assistant.search_all(asked), about)
            return chain(tuple(islice(lines, 3)), lines)  # what can't be exported fails here, not half-way

        headers = {"Content-Disposition": f'attachment; filename="smallprint-search.{form}"'}
        return StreamingResponse(await desk.reads.run(begin), headers=headers, media_type=media)

    return routes


def _facets(found: Found, choices: Choices) -> Iterator[Facet]:
    counted: Mapping[str, tuple[FacetValue, ...]] = found.page.facets
    for name, title in TITLES.items():
        if name in RANGES:
            low, high = choices.one(f"{name}_from"), choices.one(f"{name}_to")
            bars = _bars(name, counted.get(name, ()))
            if low or high or sum(1 for _, count, _ in bars if count) > 1:
                yield Facet(name, title, bars=bars, low=low, high=high)
        elif values := _values(name, counted.get(name, ()), choices.many(name)):
            yield Facet(name, title, values)


def _values(name: str, counted: Iterable[FacetValue], chosen: tuple[str, ...]) -> tuple[Value, ...]:
    """A facet with one value that nobody chose tells nothing."""
    values = [
        Value(
            v.value,
            STANCES.get(v.value, v.value) if name == STANCE else label(name, v.value),
            v.count,
            v.share,
            v.value in chosen,
        )
        for v in counted
        if v.count or v.value in chosen
    ]
    return tuple(values) if len(values) > 1 or any(v.selected for v in values) else ()


def _bars(name: str, counted: tuple[FacetValue, ...]) -> tuple[tuple[str, int, float], ...]:
    most = max((v.count for v in counted), default=0) or 1
    factor = 1 / RANGES[name]
    starts = [f"{low * factor:g}" for low in RANGE_FACETS[name]]
    named = [f"{low} to {high}" for low, high in pairwise(starts)] + [f"{starts[-1]} and more"]
    return tuple((text, v.count, v.count / most) for text, v in zip(named, counted, strict=False))


def _wider(found: Found, choices: Choices) -> Iterator[Wider]:
    for hint in found.hints:
        what = "sentence" if choices.sentences else "policy"
        many = f"{hint.total:,} {what if hint.total == 1 else what.replace('policy', 'policie') + 's'}"
        if hint.kind == "filter":
            name = TITLES.get(hint.name, hint.name)
            yield Wider(
                f"Without {'' if hint.name == 'all' else 'the filter '}{name}: {many}", choices.widened(hint.name).url()
            )
        elif hint.name in choices.one("q"):
            rest = " ".join(choices.one("q").replace(hint.name, " ", 1).split())
            yield Wider(f"Without “{hint.name}”: {many}", choices.including("q", rest).url())
