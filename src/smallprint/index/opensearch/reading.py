"""Reading a cluster: one request put to one generation, in two calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from smallprint.errors import IndexUnavailable
from smallprint.index import counting
from smallprint.index.columns import ORDER_FIELDS, fingerprint, hit
from smallprint.index.opensearch import mapping, querying
from smallprint.index.opensearch.client import Client
from smallprint.index.opensearch.generations import Generation
from smallprint.index.opensearch.querying import Query, Statistics
from smallprint.index.plan import plan, weighed
from smallprint.index.protocol import STANCE, Filters, Hit, Page, Request, Sort, Unit
from smallprint.index.snippets import best_parts, marked
from smallprint.index.stance import SentenceStance
from smallprint.index.words import Needles

Body = dict[str, Any]


class Search:
    """The first call counts what scores are made from; a cluster remembers such counts until something is written. The
    second one finds."""

    def __init__(self, client: Client, generation: Generation, request: Request) -> None:
        self._client = client
        self._generation = generation
        self._request = request
        self._kind = "sentences" if request.unit is Unit.SENTENCE else "documents"
        self._plan = plan(request.query, request.within)
        self._needles = Needles(request.query)
        self._names = counting.countable(request)

    def page(self) -> Page:
        request = self._request
        everything, state, totals, *counted = self._many(
            _counting(digest={"sum": {"field": "digest"}}),
            _counting(
                **{field: {"sum": {"field": mapping.length(field)}} for field in mapping.WORD_FIELDS[self._kind]}
            ),
            self._facets(self._names, {"match_all": {}}, Filters()),
            *(_counting(querying.finding(part)) for part in self._weighed),
            kinds=("documents",),
        )
        known = self._statistics(state, [_total(one) for one in counted])
        own = [name for name in self._names if name in request.filters.names]
        query = querying.finding(self._plan)
        found, *facets = self._many(
            self._hits(known),
            *(self._facets((name,), query, request.filters.without(name)) for name in own),
        )
        counts = counting.counts(found.get("aggregations", {}))
        for one in facets:
            counts |= counting.counts(one["aggregations"])
        every = counting.counts(totals.get("aggregations", {}))
        return Page(
            total=_total(found),
            hits=tuple(self._made(found["hits"]["hits"])),
            facets={n: counting.facet(n, counts[n], every[n], request.filters) for n in self._names},
            searched=known.documents,
            fingerprint=fingerprint(_total(everything), everything["aggregations"]["digest"]["value"]),
        )

    @property
    def _scored(self) -> bool:
        return self._request.sort not in ORDER_FIELDS

    @property
    def _weighed(self) -> list[Any]:
        return list(dict.fromkeys(weighed(self._plan))) if self._scored else []

    def _statistics(self, state: Body, counted: list[int]) -> Statistics:
        documents = _total(state)
        sums = {field: state["aggregations"][field]["value"] or 0.0 for field in mapping.WORD_FIELDS[self._kind]}
        # A field without any words has nothing to score; the mean is divided by all the same.
        means = {field: max(total / documents, 1e-6) if documents else 1.0 for field, total in sums.items()}
        return Statistics(documents, dict(zip(self._weighed, counted, strict=True)), means)

    def _hits(self, known: Statistics) -> Body:
        """This page's hits; between equals the tie-breaker decides, not the shard they lie in."""
        request = self._request
        narrowed = querying.filters(request.filters, every_version=request.every_version)
        order = ORDER_FIELDS.get(request.sort)
        if order is None:
            query: Query = {"bool": {"must": [querying.scoring(self._plan, known)], "filter": narrowed}}
            query = querying.weighted(query) if request.sort is Sort.CUSTOM else query
        else:
            query = {"bool": {"filter": [querying.finding(self._plan), *narrowed]}}
        free = tuple(name for name in self._names if name not in request.filters.names)
        return {
            "query": query,
            "from": request.offset,
            "size": request.limit,
            "sort": [{order or "_score": "desc"}, {"tie": "asc"}],
            "track_total_hits": True,
            "_source": True if request.snippets or self._kind == "sentences" else ["hit"],
            **({"aggs": _aggregation(free)} if free else {}),
        }

    def _facets(self, names: tuple[str, ...], query: Query, chosen: Filters) -> Body:
        narrowed = querying.filters(chosen, every_version=self._request.every_version)
        return {"size": 0, "query": {"bool": {"filter": [query, *narrowed]}}, "aggs": _aggregation(names)}

    def _many(self, *bodies: Body, kinds: tuple[str, ...] = ()) -> list[Body]:
        """Several searches in one call; `kinds` are the indexes of the first, all others go to the request's."""
        lines: list[object] = []
        for place, body in enumerate(bodies):
            index = self._generation.index(kinds[place] if place < len(kinds) else self._kind)
            lines += [{"index": index, "allow_partial_search_results": False}, body]
        given_up = f"{max(1, round(1_000 * self._client.address.timeout))}ms"  # then nobody waits for it any longer
        answers = self._client.lines("/_msearch", lines, cancel_after_time_interval=given_up)["responses"]
        for one in answers:
            if "error" in one:
                raise self._client.refusal(one["status"], one)
        return list(answers)

    def _made(self, found: list[Body]) -> Iterable[Hit]:
        if self._request.unit is Unit.POLICY:
            return map(self._policy_hit, found)
        policies = self._policies(dict.fromkeys(one["_source"]["document"] for one in found))
        return [self._sentence_hit(one, policies) for one in found]

    def _policy_hit(self, found: Body) -> Hit:
        made = hit(found["_source"]["hit"], found["_score"] or 0.0)
        if not self._request.snippets:
            return made
        snippets, sentence = best_parts(found["_source"]["shown"], self._needles)
        return replace(made, snippets=snippets, sentence=sentence)

    def _sentence_hit(self, found: Body, policies: dict[str, Body]) -> Hit:
        source = found["_source"]
        return replace(
            hit(policies[source["document"]], found["_score"] or 0.0),
            sentence=marked(source["shown"], self._needles),
            number=source["number"],
            stance=SentenceStance(source[STANCE]),
        )

    def _policies(self, ids: Iterable[str]) -> dict[str, Body]:
        wanted = list(ids)
        if not wanted:
            return {}
        path = f"/{self._generation.documents}/_mget"
        found = self._client.call("POST", path, {"ids": wanted}, realtime="false", _source_includes="hit")["docs"]
        if not all(one.get("found") for one in found):
            raise IndexUnavailable("The search index is being written: try again in a moment.")
        return {one["_id"]: one["_source"]["hit"] for one in found}


def _counting(query: Query | None = None, **aggregations: Query) -> Body:
    asked = {"size": 0, "track_total_hits": True, "query": query or {"match_all": {}}}
    return asked | ({"aggs": aggregations} if aggregations else {})


def _aggregation(names: tuple[str, ...]) -> dict[str, Query]:
    """As the embedded engine is asked, but for one name."""
    made = counting.aggregation(names)
    for facet in made.values():
        if "terms" in facet:
            facet["terms"]["shard_size"] = facet["terms"].pop("segment_size")
    return made


def _total(answer: Body) -> int:
    return int(answer["hits"]["total"]["value"])
