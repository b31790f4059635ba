"""Reading the embedded engine: one state of the index, open, and one request put to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import tantivy

from smallprint.errors import IndexUnavailable
from smallprint.index import compiling, counting, schema
from smallprint.index.columns import ORDER_FIELDS, fingerprint
from smallprint.index.protocol import STANCE, FacetValue, Filters, Hit, Page, Request, Sort, Unit
from smallprint.index.ranking import unweighted
from smallprint.index.snippets import best_parts, marked
from smallprint.index.stance import SentenceStance
from smallprint.index.words import Needles

# Hits fetched beyond the page, so that equals at its edge are put in order too.
_TIE_ROOM: Final = 32


@dataclass(frozen=True, slots=True)
class Generation:
    """One state of the index, open. `totals` and `phrases` remember what was counted over everything."""

    state: str
    fingerprint: str
    policies: tantivy.Searcher
    sentences: tantivy.Searcher
    totals: dict[tuple[Unit, bool, str], dict[object, int]]
    phrases: dict[Unit, compiling.Counts]

    @classmethod
    def load(cls, folder: Path, state: str) -> Generation:
        policies = _searcher(folder / "documents")
        sentences = _searcher(folder / "sentences")
        return cls(state, _fingerprint(policies), policies, sentences, {}, {unit: {} for unit in Unit})


class Search:
    """One request put to one state of the index."""

    def __init__(self, generation: Generation, request: Request) -> None:
        self._generation = generation
        self._request = request
        of_sentences = request.unit is Unit.SENTENCE
        self._searcher = generation.sentences if of_sentences else generation.policies
        self._fields = schema.sentences() if of_sentences else schema.documents()
        self._query = compiling.compile(request, self._fields, self._searcher, generation.phrases[request.unit])
        self._needles = Needles(request.query)

    def page(self) -> Page:
        request = self._request
        query = compiling.filtered(self._query, request.filters, request, self._fields)
        total, ranked = self._ranked(query)
        make = self._sentence_hit if request.unit is Unit.SENTENCE else self._policy_hit
        found = self._counts()
        return Page(
            total=total,
            hits=tuple(make(score, address) for score, address in ranked),
            facets={name: self._facet(name, found[name]) for name in counting.countable(self._request)},
            searched=self._searcher.num_docs,
            fingerprint=self._generation.fingerprint,
        )

    def _ranked(self, query: tantivy.Query) -> tuple[int, list[tuple[float, tantivy.DocAddress]]]:
        """This page's hits in order; between equals the tie-breaker decides, not the segment they lie in."""
        request = self._request
        end = request.offset + request.limit
        order = ORDER_FIELDS.get(request.sort)
        if order is not None:
            found = self._searcher.search(query, limit=end, order_by_field=order)
            return schema.count(found), [(0.0, address) for _, address in found.hits[request.offset :]]
        weight = "weight" if request.sort is Sort.CUSTOM else None
        room = _TIE_ROOM
        while True:
            found = self._searcher.search(query, limit=end + room, weight_by_field=weight)
            hits = found.hits
            if len(hits) < end + room or hits[-1][0] < hits[end - 1][0]:
                break
            room *= 8
        ties = self._searcher.fast_field_values("tie", [address for _, address in hits])
        ordered = sorted(zip(hits, ties, strict=True), key=lambda pair: (-pair[0][0], pair[1]))
        page = [hit for hit, _ in ordered[request.offset : end]]
        return schema.count(found), [(unweighted(score) if weight else score, address) for score, address in page]

    def _policy_hit(self, score: float, address: tantivy.DocAddress) -> Hit:
        stored = self._searcher.doc(address)
        hit = schema.hit(stored["hit"][0], score)
        if not self._request.snippets:
            return hit
        snippets, sentence = best_parts(stored["text"][0], self._needles)
        return replace(hit, snippets=snippets, sentence=sentence)

    def _sentence_hit(self, score: float, address: tantivy.DocAddress) -> Hit:
        stored = self._searcher.doc(address)
        hit = self._policy_of(stored["document"][0], score)
        return replace(
            hit,
            sentence=marked(stored["text"][0], self._needles),
            number=stored["number"][0],
            stance=SentenceStance(stored[STANCE][0]),
        )

    def _policy_of(self, id: str, score: float) -> Hit:
        policies = self._generation.policies
        found = policies.search(tantivy.Query.term_query(schema.documents(), "id", id), limit=1).hits
        if not found:  # a writer died between the two commits; the library still has it as pending
            raise IndexUnavailable("The search index is being written: try again in a moment.")
        return schema.hit(policies.doc(found[0][1])["hit"][0], score)

    def _counts(self) -> counting.Counts:
        """Counts of each facet under all filters but its own: that is what choosing another value would give."""
        request = self._request
        names = counting.countable(self._request)
        open_names = tuple(n for n in names if n not in request.filters.names)
        found = self._aggregate(open_names, request)
        for name in names:
            if name not in open_names:
                found |= self._aggregate((name,), replace(request, filters=request.filters.without(name)))
        return found

    def _aggregate(self, names: tuple[str, ...], request: Request) -> counting.Counts:
        if not names:
            return {}
        query = compiling.filtered(self._query, request.filters, request, self._fields)
        return counting.counts(self._searcher.aggregate(query, counting.aggregation(names)))

    def _facet(self, name: str, found: dict[object, int]) -> tuple[FacetValue, ...]:
        request, totals = self._request, self._generation.totals
        key = (request.unit, request.every_version, name)
        if key not in totals:
            everything = tantivy.Query.all_query()
            query = compiling.filtered(everything, Filters(), request, self._fields)
            counted = self._searcher.aggregate(query, counting.aggregation((name,)))
            totals[key] = counting.counts(counted)[name]
        return counting.facet(name, found, totals[key], request.filters)


def _searcher(folder: Path) -> tantivy.Searcher:
    return tantivy.Index.open(str(folder)).searcher()


def _fingerprint(policies: tantivy.Searcher) -> str:
    answer = policies.aggregate(tantivy.Query.all_query(), {"digest": {"sum": {"field": "digest"}}})
    return fingerprint(policies.num_docs, answer["digest"]["value"])
