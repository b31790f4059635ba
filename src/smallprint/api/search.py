"""Search over the library: pages of hits, counts, whole results."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from smallprint.api.reply import PROBLEMS, UNCHANGED, tagged
from smallprint.http.desk import Desk
from smallprint.index import export as writing
from smallprint.index.protocol import VALUE_FACETS, Hit, Sort, Unit
from smallprint.index.protocol import Request as Wanted
from smallprint.index.searching import Hint, as_json, describe, filters_of, parsed

_NUMBER: Final = r"[0-9]{1,9}(\.[0-9]{1,6})?"
_RANGE: Final = rf"^({_NUMBER}(\.\.({_NUMBER})?)?|\.\.{_NUMBER})$"
_DATE: Final = "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"
_LINES: Final = 500  # sent at a time
_PART: Final = 256 * 1024

Values = Annotated[tuple[Annotated[str, Field(max_length=100)], ...], Field(max_length=20)]
Range = Annotated[str, Field(pattern=_RANGE, examples=["0..0.3"])]
Date = Annotated[str, Field(pattern=_DATE, examples=["2021-05"])]


class Search(BaseModel):
    """Values of one facet are alternatives; facets are joined by AND."""

    model_config = ConfigDict(extra="forbid")

    q: Annotated[
        str,
        Field(
            max_length=1_000,
            description='Words (all must occur), "a phrase", AND OR NOT, ( ), title: url: site:, encrypt*, '
            "sell NEAR/5 data.",
            examples=["health information", '"third parties" AND NOT cookies'],
        ),
    ] = "*"
    sector: Values = ()
    language: Values = ()
    tracking: Values = ()
    body: Values = ()
    regulation: Values = ()
    practice: Values = ()
    data_type: Values = ()
    third_party: Values = ()
    stance: Annotated[tuple[Literal["does", "does-not", "choice"], ...], Field(description="Of sentences only.")] = ()
    vagueness: Range | None = None
    grade: Range | None = None
    words: Range | None = None
    since: Date | None = None
    until: Date | None = None
    within: Literal["text", "url", "title", "page"] = "text"
    sort: Literal["custom", "relevance", "popularity", "p_policy", "date"] = "custom"
    sentences: Annotated[bool, Field(description="Find sentences instead of policies.")] = False
    every_version: Annotated[bool, Field(description="Also versions that have a later one.")] = False

    def wanted(self, **choices: Any) -> Wanted:
        values = {name: tuple(getattr(self, name)) for name in (*VALUE_FACETS, "stance")}
        ranges = {name: getattr(self, name) for name in ("vagueness", "grade", "words")}
        ranges["date"] = f"{self.since or ''}..{self.until or ''}" if self.since or self.until else None
        return parsed(
            self.q,
            within=self.within,
            filters=filters_of(values, ranges),
            sort=Sort(self.sort),
            unit=Unit.SENTENCE if self.sentences or self.stance else Unit.POLICY,
            every_version=self.every_version,
            **choices,
        )


class PagedSearch(Search):
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    cursor: Annotated[str | None, Field(max_length=400, description="`next` of the page before.")] = None


class ExportSearch(Search):
    format: Literal["jsonl", "csv", "parquet"] = "jsonl"


class Counted(BaseModel):
    """`count` hits have the value, of `total` documents in the library that do."""

    value: str
    label: str
    count: int
    total: int
    share: float
    selected: bool
    low: float | None
    high: float | None


class Counts(BaseModel):
    """The search as it was understood, and its counts by facet."""

    query: str
    within: str
    unit: str
    sort: str
    every_version: bool
    filters: dict[str, list[str | float | None]]
    total: int
    searched: int
    fingerprint: str
    facets: dict[str, list[Counted]]


class Result(Counts):
    """One page; `next` is the cursor of the page that follows. `hints` say what to leave out where nothing is found."""

    offset: int
    hits: list[Hit]
    next: str | None
    hints: list[Hint]


_MEDIA: Final = {"jsonl": "application/jsonl", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
_FILES: Final = {
    "description": "Every hit, streamed; the first line or the metadata holds the search itself",
    "content": {media: {"schema": {"type": "string"}} for media in _MEDIA.values()},
}


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(tags=["search"], responses=PROBLEMS)
    assistant = desk.assistant

    @routes.get("/search", responses={200: {"model": Result}, **UNCHANGED})
    async def search(request: Request, query: Annotated[PagedSearch, Query()]) -> Response:
        """One page of the policies, or their sentences, that match."""
        found = await desk.reads.run(lambda: assistant.search(query.wanted(limit=query.limit), query.cursor))
        return tagged(request, as_json(found))

    @routes.get("/facets", responses={200: {"model": Counts}, **UNCHANGED})
    async def facets(request: Request, query: Annotated[Search, Query()]) -> Response:
        """How many of the hits have which values."""
        found = await desk.reads.run(lambda: assistant.search(query.wanted(limit=1, snippets=False)))
        document = as_json(found)
        return tagged(request, {name: document[name] for name in Counts.model_fields})

    @routes.get("/export", response_class=StreamingResponse, responses={200: _FILES})
    async def export(query: Annotated[ExportSearch, Query()]) -> Response:
        """Every hit of a search, as a file."""
        request = query.wanted(facets=())
        name = f'attachment; filename="smallprint.{query.format}"'
        parts = await desk.reads.run(_begin, desk, request, query.format)

        async def body() -> AsyncIterator[bytes]:
            while part := await desk.reads.run(next, parts, b""):
                yield part

        return StreamingResponse(body(), headers={"Content-Disposition": name}, media_type=_MEDIA[query.format])

    return routes


def _begin(desk: Desk, request: Wanted, form: str) -> Iterator[bytes]:
    """The file in parts. What can't be searched or written is known before the first of them."""
    first = desk.assistant.search(replace(request, limit=1, snippets=False)).page
    about = {**describe(request), "total": first.total, "fingerprint": first.fingerprint}
    hits = desk.assistant.search_all(request)
    parts = _parquet(hits, about) if form == "parquet" else _lines(hits, about, form)
    return chain([next(parts)], parts)


def _lines(hits: Iterator[Hit], about: dict[str, Any], form: str) -> Iterator[bytes]:
    lines = (writing.as_jsonl if form == "jsonl" else writing.as_csv)(hits, about)
    while some := "".join(islice(lines, _LINES)):
        yield some.encode("utf-8", "replace")


def _parquet(hits: Iterator[Hit], about: dict[str, Any]) -> Iterator[bytes]:
    """That format ends with a table of what it holds: it is written whole before it is sent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hits.parquet"
        writing.write(path, hits, about)
        with path.open("rb") as file:
            while part := file.read(_PART):
                yield part
