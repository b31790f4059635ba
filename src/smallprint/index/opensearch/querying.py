"""A plan as a cluster takes it: found, counted, or scored with the idf that S9 asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from smallprint.index import ranking
from smallprint.index.plan import Beginning, Close, Every, Exactly, Joined, Plan, Terms, Weighed
from smallprint.index.protocol import Filters

Query = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What scores are made from: how many documents there are, how many have each term, and the mean number of words
    in each field."""

    documents: int
    containing: Mapping[Weighed, int]
    means: Mapping[str, float]

    def idf(self, part: Weighed) -> float:
        return ranking.classic_idf(self.documents, self.containing[part])


def finding(part: Plan) -> Query:
    """What matches, without a score."""
    match part:
        case Every():
            return {"match_all": {}}
        case Terms(field, words):
            return _in_a_row(field, words)
        case Close(field, orders, slop):
            return {"bool": {"should": [_in_a_row(field, order, slop=slop) for order in orders]}}
        case Exactly(field, value):
            return {"term": {field: {"value": value}}}
        case Beginning(field, start):
            return {"prefix": {field: {"value": start}}}
        case Joined(must, should, never):
            made: Query = {"must_not": [finding(one) for one in never]}
            if must:
                return {"bool": made | {"filter": [finding(one) for one in must]}}
            return {"bool": made | {"should": [finding(one) for one in should], "minimum_should_match": 1}}


def scoring(part: Plan, known: Statistics) -> Query:
    """What matches, with the relevance that the formula takes."""
    match part:
        case Terms(field, words):
            # The similarity takes the boost for the mean length, and counts a phrase once for each of its words.
            query = _in_a_row(field, words, boost=known.means[field])
            return {"function_score": {"query": query, "weight": known.idf(part) / len(words)}}
        case Close():
            return {"constant_score": {"filter": finding(part), "boost": known.idf(part)}}
        case Joined(must, should, never):
            made: Query = {
                "must": [scoring(one, known) for one in must],
                "should": [scoring(one, known) for one in should],
                "must_not": [finding(one) for one in never],
            }
            return {"bool": made if must else made | {"minimum_should_match": 1}}
        case _:
            return {"constant_score": {"filter": finding(part), "boost": 1.0}}


def weighted(query: Query) -> Query:
    """S9's formula: relevance times the stored P(policy) · log10(PageRank)."""
    factor = {"field_value_factor": {"field": "factor", "missing": ranking.LEAST_FACTOR}, "boost_mode": "multiply"}
    return {"function_score": {"query": query, **factor}}


def filters(chosen: Filters, *, every_version: bool) -> list[Query]:
    """What narrows and never scores."""
    parts: list[Query] = [{"terms": {name: list(values)}} for name, values in chosen.values.items()]
    for name, (low, high) in chosen.ranges.items():
        ends = {"gte": low, "lte": high}
        parts.append({"range": {name: {key: _whole(name, end) for key, end in ends.items() if end is not None}}})
    if not every_version:
        parts.append({"term": {"newest": {"value": "1"}}})
    return parts


def _whole(name: str, end: float) -> float:
    return int(end) if name == "date" else float(end)


def _in_a_row(field: str, words: tuple[str, ...], *, slop: int = 0, boost: float = 1.0) -> Query:
    if len(words) == 1:
        return {"term": {field: {"value": words[0], "boost": boost}}}
    return {"match_phrase": {field: {"query": " ".join(words), "slop": slop, "boost": boost}}}
