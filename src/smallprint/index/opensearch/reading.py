"""Reading a cluster: one request put to one generation, in two calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class _Counted:
    fingerprint: str
    totals: counting.Counts
    statistics: Statistics


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
        before = self._counted()
        found, counts = self._found(before.statistics)
        chosen = self._request.filters
        return Page(
            total=_total(found),
            hits=tuple(self._made(found["hits"]["hits"])),
            facets={name: counting.facet(name, counts[name], before.totals[name], chosen) for name in self._names},
            searched=before.statistics.documents,
            fingerprint=before.fingerprint,
        )

    def _counted(self) -> _Counted:
        """Over everything: the first call."""
        fields = mapping.WORD_FIELDS[self._kind]
        terms = list(dict.fromkeys(weighed(self._plan))) if self._request.sort not in ORDER_FIELDS else []
        policies, lengths, totals, *containing = self._many(
            ("documents", _counting(digest={"sum": {"field": "digest"}})),
            (self._kind, _counting(**{field: {"sum": {"field": mapping.length(field)}} for field in fields})),
            (self._kind, self._facets(self._names, {"match_all": {}}, Filters())),
            *((self._kind, _counting(querying.finding(term))) for term in terms),
        )
        documents = _total(lengths)
        sums = {field: lengths["aggregations"][field]["value"] for field in fields}
        return _Counted(
            fingerprint=fingerprint(_total(policies), policies["aggregations"]["digest"]["value"]),
            totals=counting.counts(totals.get("aggregations", {})),
            statistics=Statistics(
                documents=documents,
                containing={term: _total(one) for term, one in zip(terms, containing, strict=True)},
                # A field without a word has nothing to score, but is divided by all the same.
                means={field: total / documents if total else 1.0 for field, total in sums.items()},
            ),
        )

    def _found(self, known: Statistics) -> tuple[Body, counting.Counts]:
        """The hits, and each facet under all filters but its own: the second call."""
        chosen = self._request.filters
        query = querying.finding(self._plan)
        own = [name for name in self._names if name in chosen.names]
        found, *alone = self._many(
            (self._kind, self._hits(known)),
            *((self._kind, self._facets((name,), query, chosen.without(name))) for name in own),
        )
        answers = [one["aggregations"] for one in (found, *alone) if "aggregations" in one]
        return found, {name: counts for one in answers for name, counts in counting.counts(one).items()}

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

    def _many(self, *asked: tuple[str, Body]) -> list[Body]:
        """Several searches in one call, each in the policies or in their sentences."""
        return self._client.searches((self._generation.index(kind), body) for kind, body in asked)

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
