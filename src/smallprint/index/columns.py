"""What a document carries beside its words: columns to filter, count and sort by, and what a hit shows."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any, Final

from smallprint.index import ranking
from smallprint.index.document import IndexDocument, date_number, sites_of
from smallprint.index.protocol import YEAR, Hit, Sort
from smallprint.records import Facets

ORDER_FIELDS: Final = {
    Sort.POPULARITY: "by_popularity",
    Sort.P_POLICY: "by_p_policy",
    Sort.DATE: "by_date",
}


def facet_values(facets: Facets, language: str) -> dict[str, tuple[str, ...]]:
    """A document's values by the facet's name."""
    return {
        "sector": (facets.sector,),
        "language": (language,) if language else (),
        "tracking": facets.tracking,
        "body": facets.bodies,
        "regulation": facets.regulations,
        "practice": facets.practices,
        "data_type": facets.data_types,
        "third_party": facets.third_parties,
    }


def columns(one: IndexDocument) -> dict[str, Any]:
    """Of the policy, and of each of its sentences but for `tie`."""
    date = date_number(one.date) or 0
    values: dict[str, Any] = {
        "newest": str(int(one.newest)),
        "site": list(sites_of(one.url)),
        **{name: list(values) for name, values in facet_values(one.facets, one.language).items()},
        "grade": one.facets.grade,
        "vagueness": one.facets.vagueness,
        "words": float(one.words),
        "date": date,
        "tie": ranking.tie_breaker(one.id),
        "by_popularity": ranking.popularity_key(one.popularity, one.id),
        "by_p_policy": ranking.p_policy_key(one.p_policy, one.id),
        "by_date": ranking.order_key(date, one.id),
    }
    if date:
        values[YEAR] = date // 10_000
    return values


def sentence_id(id: str, number: int) -> str:
    return f"{id}#{number}"


def shown(one: IndexDocument) -> dict[str, Any]:
    """What a hit shows, in one field: an engine reads it back whole."""
    names = ("id", "service", "title", "url", "date", "words", "language", "p_policy", "popularity", "others")
    return {name: getattr(one, name) for name in names} | {"facets": asdict(one.facets)}


def hit(values: dict[str, Any], score: float) -> Hit:
    """From what `shown` made, after a way through JSON."""
    facets: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values["facets"].items()}
    changed = {"facets": Facets(**facets), "others": tuple(values["others"])}
    return Hit(**{**values, **changed}, score=score)


def fingerprint(documents: int, digests: float | None) -> str:
    """Of the documents themselves: the same after a rebuild, and in another engine."""
    return hashlib.sha256(f"{documents}:{int(digests or 0)}".encode()).hexdigest()[:16]
