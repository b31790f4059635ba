"""A plan as the embedded engine takes it, with the idf that S9 asks for."""

from __future__ import annotations

import tantivy
from tantivy import Occur, Query

from smallprint.index import ranking, schema
from smallprint.index.plan import Beginning, Close, Every, Exactly, Joined, Plan, Terms, Weighed, plan
from smallprint.index.protocol import Filters, Request

Counts = dict[Weighed, int]


def compile(request: Request, fields: tantivy.Schema, searcher: tantivy.Searcher, known: Counts) -> Query:
    """The query without its filters. `known` remembers how many documents have a phrase."""
    return _Compiler(fields, searcher, known).query(plan(request.query, request.within))


def filtered(query: Query, filters: Filters, request: Request, fields: tantivy.Schema) -> Query:
    """Filters choose and never score."""
    parts = [*_filters(filters, fields)]
    if not request.every_version:
        parts.append(Query.term_query(fields, "newest", "1"))
    silent = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in parts]
    return Query.boolean_query([(Occur.Must, query), *silent]) if silent else query


def _filters(filters: Filters, fields: tantivy.Schema) -> list[Query]:
    parts = [Query.term_set_query(fields, name, list(values)) for name, values in filters.values.items()]
    for name, (low, high) in filters.ranges.items():
        kind = tantivy.FieldType.Integer if name == "date" else tantivy.FieldType.Float
        ends = [None if end is None else int(end) if name == "date" else float(end) for end in (low, high)]
        if ends == [None, None]:
            continue
        parts.append(Query.range_query(fields, name, kind, ends[0], ends[1]))
    return parts


class _Compiler:
    def __init__(self, fields: tantivy.Schema, searcher: tantivy.Searcher, known: Counts) -> None:
        self._fields = fields
        self._searcher = searcher
        self._known = known
        self._documents = schema.document_count(searcher)

    def query(self, part: Plan) -> Query:
        match part:
            case Every():
                return Query.const_score_query(Query.all_query(), 1.0)
            case Terms():
                return self._terms(part)
            case Close():
                either = self._close(part)
                idf = ranking.classic_idf(self._documents, self._containing(either, part))
                return Query.const_score_query(either, idf)
            case Exactly(field, value):
                return Query.const_score_query(Query.term_query(self._fields, field, value), 1.0)
            case Beginning(field, start):
                pattern = "".join(f"\\x{{{ord(c):x}}}" for c in start) + ".*"
                return Query.const_score_query(Query.regex_query(self._fields, field, pattern), 1.0)
            case Joined(must, should, never):
                return Query.boolean_query(
                    [(Occur.Must, self.query(one)) for one in must]
                    + [(Occur.Should, self.query(one)) for one in should]
                    + [(Occur.MustNot, self.query(one)) for one in never]
                )

    def _terms(self, terms: Terms) -> Query:
        field, words = terms.field, terms.words
        counts = [self._searcher.doc_freq(field, word) for word in words]
        if len(words) == 1:
            query = Query.term_query(self._fields, field, words[0])
            return Query.boost_query(query, ranking.idf_correction(self._documents, counts[0], counts))
        query = Query.phrase_query(self._fields, field, list(words))
        containing = self._containing(query, terms)
        return Query.boost_query(query, ranking.idf_correction(self._documents, containing, counts))

    def _close(self, close: Close) -> Query:
        orders = [Query.phrase_query(self._fields, close.field, list(order), close.slop) for order in close.orders]
        return Query.boolean_query([(Occur.Should, Query.const_score_query(one, 0.0)) for one in orders])

    def _containing(self, query: Query, key: Weighed) -> int:
        """A phrase is a term like any other, as rare as the documents that have it: they must be counted."""
        if key not in self._known:
            self._known[key] = schema.count(self._searcher.search(query, limit=1))
        return self._known[key]
