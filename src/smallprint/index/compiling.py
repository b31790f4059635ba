"""A query tree as the embedded engine takes it, with the idf that S9 asks for."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Final

import tantivy
from tantivy import Occur, Query

from smallprint.errors import QueryError
from smallprint.index import ranking, schema
from smallprint.index.protocol import Filters, Request
from smallprint.index.query import And, Everything, Near, Node, Not, Or, Phrase, Prefix, Run, Word

PhraseCounts = dict[tuple[str, tuple[str, ...], int], int]
_LONGEST_TOKEN: Final = 40
_STEMMED_FIELDS: Final = ("text", "page", "title")


@cache
def _analyzer(stemmed: bool) -> tantivy.TextAnalyzer:
    """The built-in `en_stem` and `default`, which can't be called by name."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(_LONGEST_TOKEN)).filter(tantivy.Filter.lowercase())
    return (builder.filter(tantivy.Filter.stemmer("english")) if stemmed else builder).build()


def compile(request: Request, fields: tantivy.Schema, searcher: tantivy.Searcher, known: PhraseCounts) -> Query:
    """The query without its filters. `known` remembers how many documents have a phrase."""
    return _Compiler(fields, searcher, request.within, known).node(request.query)


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
    def __init__(self, fields: tantivy.Schema, searcher: tantivy.Searcher, within: str, known: PhraseCounts) -> None:
        self._fields = fields
        self._searcher = searcher
        self._within = within
        self._known = known
        self._documents = schema.document_count(searcher)

    def node(self, node: Node) -> Query:
        match node:
            case Everything():
                return Query.const_score_query(Query.all_query(), 1.0)
            case Word(text, field):
                return self._word(text, field or self._within)
            case Phrase(text, field):
                return self._words(text, field or self._within)
            case Prefix(text, field):
                return self._prefix(text, field or self._within)
            case Run(words):
                required = [(Occur.Must, self.node(word)) for word in words]
                return Query.boolean_query([*required, (Occur.Should, self.node(node.phrase))])
            case Near(left, right, distance):
                return self._near(left, right, distance)
            case Or(parts):
                return Query.boolean_query([(Occur.Should, self.node(part)) for part in parts])
            case And(parts):
                return self._and(parts)
            case Not():
                return self._and((node,))

    def _and(self, parts: tuple[Node, ...]) -> Query:
        clauses = [
            (Occur.MustNot, self.node(part.part)) if isinstance(part, Not) else (Occur.Must, self.node(part))
            for part in parts
        ]
        if all(occur == Occur.MustNot for occur, _ in clauses):  # by itself it would match nothing
            clauses.append((Occur.Must, self.node(Everything())))
        return Query.boolean_query(clauses)

    def _word(self, text: str, field: str) -> Query:
        """A word; in a policy's text its standing near "information" or "data" counts as one more term."""
        word = self._words(text, field)
        terms = self._terms(text, field) if field in ranking.PRACTICE_FIELDS else ()
        if len(terms) != 1 or terms[0] in self._subjects:
            return word
        pairs = [pair for other in self._subjects for pair in ((terms[0], other), (other, terms[0]))]
        near = [Query.phrase_query(self._fields, field, list(pair), ranking.NEARBY) for pair in pairs]
        either = Query.boolean_query([(Occur.Should, Query.const_score_query(one, 0.0)) for one in near])
        containing = self._containing(either, (field, (terms[0], *self._subjects), ranking.NEARBY))
        if not containing:
            return word
        practice = Query.const_score_query(either, ranking.classic_idf(self._documents, containing))
        return Query.boolean_query([(Occur.Must, word), (Occur.Should, practice)])

    @cached_property
    def _subjects(self) -> tuple[str, ...]:
        return tuple(self._terms(subject, "text")[0] for subject in ranking.SUBJECTS)

    def _words(self, text: str, field: str, slop: int = 0) -> Query:
        """One word, or several in a row: `opt-out` is two words to the engine."""
        if field == "site":
            return Query.const_score_query(Query.term_query(self._fields, field, _site(text)), 1.0)
        terms = self._terms(text, field)
        counts = [self._searcher.doc_freq(field, term) for term in terms]
        if len(terms) == 1:
            query = Query.term_query(self._fields, field, terms[0])
            return Query.boost_query(query, ranking.idf_correction(self._documents, counts[0], counts))
        query = Query.phrase_query(self._fields, field, list(terms), slop)
        containing = self._containing(query, (field, tuple(terms), slop))
        return Query.boost_query(query, ranking.idf_correction(self._documents, containing, counts))

    def _near(self, left: Word | Phrase, right: Word | Phrase, distance: int) -> Query:
        """Both orders; what is inside a phrase adds to the words that may lie between."""
        field = left.field or self._within
        both = (" ".join((left.text, right.text)), " ".join((right.text, left.text)))
        return Query.boolean_query([(Occur.Should, self._words(text, field, distance - 1)) for text in both])

    def _prefix(self, text: str, field: str) -> Query:
        """Every match counts the same: there is no one term whose rarity could."""
        start = _site(text) if field == "site" else text.lower()
        pattern = "".join(f"\\x{{{ord(c):x}}}" for c in start) + ".*"
        return Query.const_score_query(Query.regex_query(self._fields, field, pattern), 1.0)

    def _terms(self, text: str, field: str) -> list[str]:
        terms = _analyzer(field in _STEMMED_FIELDS).analyze(text)
        if not terms:
            raise QueryError(f"{text!r} has no word that could be found.")
        return terms

    def _containing(self, query: Query, key: tuple[str, tuple[str, ...], int]) -> int:
        """A phrase is a term like any other, as rare as the documents that have it: they must be counted."""
        if key not in self._known:
            self._known[key] = schema.count(self._searcher.search(query, limit=1))
        return self._known[key]


def _site(text: str) -> str:
    return text.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").split("/")[0]
