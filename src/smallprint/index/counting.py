"""Facet counts: how many hits have each value, of how many documents that do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from smallprint.index.protocol import RANGE_FACETS, STANCE, YEAR, FacetValue, Filters, Request, Unit

MOST_VALUES: Final = 500  # more than any facet has: a smaller one would count wrongly
Counts = dict[str, dict[Any, int]]


def countable(request: Request) -> tuple[str, ...]:
    """The facets to count; sentences always have their stance among them."""
    names = dict.fromkeys(request.facets)
    if request.unit is Unit.SENTENCE and names:
        names[STANCE] = None
    else:
        names.pop(STANCE, None)
    return tuple(names)


def aggregation(names: tuple[str, ...]) -> dict[str, Any]:
    """What to ask the engine for."""
    return {name: _ask(name) for name in names}


def _ask(name: str) -> dict[str, Any]:
    starts = RANGE_FACETS.get(name)
    if starts is None:
        return {"terms": {"field": name, "size": MOST_VALUES, "segment_size": MOST_VALUES}}
    ends = (*starts[1:], None)
    ranges = [{"from": a, "to": b} if b is not None else {"from": a} for a, b in zip(starts, ends, strict=True)]
    return {"range": {"field": name, "ranges": ranges}}


def counts(answer: Mapping[str, Any]) -> Counts:
    """Each facet's values with the number of documents that have them; a range goes by where it begins."""
    return {name: _read(name, facet["buckets"]) for name, facet in answer.items()}


def _read(name: str, buckets: list[dict[str, Any]]) -> dict[Any, int]:
    if name in RANGE_FACETS:
        return {b["from"]: b["doc_count"] for b in buckets if "from" in b and b["from"] >= 0}
    key = int if name == YEAR else str
    return {key(b["key"]): b["doc_count"] for b in buckets}


def facet(name: str, found: dict[Any, int], totals: dict[Any, int], filters: Filters) -> tuple[FacetValue, ...]:
    """Most frequent first; ranges and years in their own order. Values no hit has stay only if selected."""
    if name in RANGE_FACETS:
        return _ranges(name, found, totals, filters)
    chosen = filters.values.get(name, ())
    values = [
        FacetValue(str(value), found.get(value, 0), totals.get(value, 0), str(value) in chosen)
        for value in {*found, *(v for v in chosen if v in totals)}
    ]
    if name == YEAR:
        return tuple(sorted(values, key=lambda v: v.value))
    return tuple(sorted(values, key=lambda v: (-v.count, v.value)))


def _ranges(name: str, found: dict[Any, int], totals: dict[Any, int], filters: Filters) -> tuple[FacetValue, ...]:
    starts = RANGE_FACETS[name]
    low, high = filters.ranges.get(name, (None, None))
    chosen = name in filters.ranges
    bars = []
    for start, end in zip(starts, (*starts[1:], None), strict=True):
        label = f"{start:g}+" if end is None else f"{start:g}–{end:g}"
        inside = chosen and (high is None or start <= high) and (low is None or end is None or end > low)
        bars.append(FacetValue(label, found.get(start, 0), totals.get(start, 0), inside, start, end))
    return tuple(bars)
