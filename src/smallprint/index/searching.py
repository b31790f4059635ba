"""A search as a door asks for it: text and choices in, a page with hints and a cursor out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from smallprint.errors import QueryError
from smallprint.index.document import date_number
from smallprint.index.labels import label, value_of
from smallprint.index.language import parse
from smallprint.index.protocol import MOST_HITS, STANCE, Filters, Hit, Index, Page, Request
from smallprint.index.query import And, Node, Run, write
from smallprint.records import plain_fields

_STEP: Final = 1_000  # hits read at a time for an export


@dataclass(frozen=True, slots=True)
class Hint:
    """What to leave out so that something is found: `kind` is `filter` or `words`."""

    kind: str
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class Found:
    """`next` continues where this page ends; `hints` are there only where nothing was found."""

    request: Request
    page: Page
    next: str | None
    hints: tuple[Hint, ...] = ()


def search(index: Index, request: Request, cursor: str | None = None) -> Found:
    if cursor is not None:
        request = replace(request, offset=_offset(cursor, request))
    page = index.search(request)
    end = request.offset + len(page.hits)
    more = end < min(page.total, MOST_HITS - request.limit) and page.hits
    return Found(request, page, _cursor(end, request) if more else None, () if page.total else _hints(index, request))


def everything(index: Index, request: Request) -> Iterator[Hit]:
    """All hits of a result, for an export."""
    total = index.search(replace(request, offset=0, limit=1, facets=(), snippets=False)).total
    if total > MOST_HITS:
        raise QueryError(f"{total:,} hits are more than can be exported at once ({MOST_HITS:,}): narrow the search.")
    for offset in range(0, total, _STEP):
        limit = min(_STEP, MOST_HITS - offset)
        yield from index.search(replace(request, offset=offset, limit=limit, facets=())).hits


def filters_of(values: dict[str, tuple[str, ...]], ranges: dict[str, str | None]) -> Filters:
    """Choices as people write them: `UK GDPR`, and `0..0.3`, `..12`, `2019..2021-06` or one value."""
    chosen = {
        name: some if name == STANCE else tuple(value_of(name, one) for one in some)
        for name, some in values.items()
        if some
    }
    parsed = {name: _range(name, text) for name, text in ranges.items() if text}
    return Filters(chosen, parsed)


def describe(request: Request) -> dict[str, Any]:
    """The search in words that make it again; part of every export."""
    return {
        "query": write(request.query),
        "within": request.within,
        "unit": str(request.unit),
        "sort": str(request.sort),
        "every_version": request.every_version,
        "filters": {
            **{name: list(values) for name, values in request.filters.values.items()},
            **{name: list(ends) for name, ends in request.filters.ranges.items()},
        },
    }


def _range(name: str, text: str) -> tuple[float | None, float | None]:
    low, dots, high = text.partition("..")
    if not dots:
        high = low
    ends = (_end(name, low, last=False), _end(name, high, last=True))
    if ends == (None, None):
        raise QueryError(f"{text!r} is no range of {name}: write it as 0..10, 5.. or ..5.")
    return ends


def _end(name: str, text: str, *, last: bool) -> float | None:
    text = text.strip()
    if not text:
        return None
    if name == "date":
        number = date_number(text, last=last)
        if number is None:
            raise QueryError(f"{text!r} is no date: write 2021, 2021-05 or 2021-05-17.")
        return float(number)
    try:
        return float(text)
    except ValueError:
        raise QueryError(f"{text!r} is no number for {name}: write a range as 0..10, 5.. or ..5.") from None


def _cursor(offset: int, request: Request) -> str:
    raw = json.dumps([offset, _mark(request)])
    return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")


def _offset(cursor: str, request: Request) -> int:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        offset, mark = json.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, TypeError):
        raise QueryError("The cursor is damaged: begin the search again.") from None
    if mark != _mark(request) or not isinstance(offset, int):
        raise QueryError("The cursor belongs to another search: begin again.")
    return offset


def _mark(request: Request) -> str:
    return hashlib.sha256(json.dumps(describe(request), sort_keys=True).encode()).hexdigest()[:12]


def _hints(index: Index, request: Request) -> tuple[Hint, ...]:
    """What stands in the way: each filter, and each word of several, left out by itself; then all filters."""
    bare = replace(request, offset=0, limit=1, facets=(), snippets=False)

    def total(changed: Request) -> int:
        return index.search(changed).total

    names = request.filters.names
    hints = [Hint("filter", n, total(replace(bare, filters=request.filters.without(n)))) for n in names]
    if not any(hint.total for hint in hints) and len(names) > 1:
        hints.append(Hint("filter", "all", total(replace(bare, filters=Filters()))))
    parts = _required(request.query)
    for part in parts if len(parts) > 1 else ():
        rest = tuple(p for p in parts if p is not part)
        hints.append(Hint("words", write(part), total(replace(bare, query=_joined(rest)))))
    return tuple(sorted((h for h in hints if h.total), key=lambda h: -h.total))


def _required(query: Node) -> tuple[Node, ...]:
    match query:
        case And(parts):
            return tuple(part for one in parts for part in _required(one))
        case Run(words):
            return words
        case _:
            return (query,)


def _joined(parts: tuple[Node, ...]) -> Node:
    return parts[0] if len(parts) == 1 else And(parts)


def parsed(text: str, **choices: Any) -> Request:
    """A request from a query as it is typed."""
    return Request(query=parse(text), **choices)


def as_json(found: Found) -> dict[str, Any]:
    """One document: `total`, `hits`, `facets`, and what makes the search again."""
    page = found.page
    facets = {
        name: [{**plain_fields(v), "label": label(name, v.value), "share": round(v.share, 4)} for v in values]
        for name, values in page.facets.items()
    }
    return {
        **describe(found.request),
        "total": page.total,
        "offset": found.request.offset,
        "searched": page.searched,
        "fingerprint": page.fingerprint,
        "hits": [plain_fields(hit) for hit in page.hits],
        "facets": facets,
        "next": found.next,
        "hints": [plain_fields(hint) for hint in found.hints],
    }
