"""What an engine looks for and what it weighs: a query tree taken apart into terms, the same for every engine.

An engine counts the documents that have each weighed term, then turns the plan into its own language: `Terms` by BM25
with the idf of that count, `Close` by the idf alone, all others as one. Filters are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import tantivy

from smallprint.errors import QueryError
from smallprint.index import ranking
from smallprint.index.query import And, Everything, Near, Node, Not, Or, Phrase, Prefix, Run, Word

LONGEST_TOKEN: Final = 40  # bytes: such words are in no index
STEMMED: Final = ("text", "page", "title")


@dataclass(frozen=True, slots=True)
class Terms:
    """One word, or several in a row."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """Two words in one of these orders with at most `slop` moves between them. Said once is said: engines don't agree
    on how often such words occur, nor on what a wider gap is worth, nor on what is near among three words."""

    field: str
    orders: tuple[tuple[str, str], ...]
    slop: int


@dataclass(frozen=True, slots=True)
class Exactly:
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Beginning:
    field: str
    start: str


@dataclass(frozen=True, slots=True)
class Every:
    """All documents."""


@dataclass(frozen=True, slots=True)
class Joined:
    """All of `must`, none of `never`; `should` adds to the score, and where there is no `must` one of it must match."""

    must: tuple[Plan, ...] = ()
    should: tuple[Plan, ...] = ()
    never: tuple[Plan, ...] = ()


Weighed = Terms | Close
Plan = Weighed | Exactly | Beginning | Every | Joined


def plan(query: Node, within: str) -> Plan:
    """`within` is the field of words that name none."""
    match query:
        case Everything():
            return Every()
        case Word(text, field):
            return _word(text, field or within)
        case Phrase(text, field):
            return _terms(text, field or within)
        case Prefix(text, field):
            return _beginning(text, field or within)
        case Run(words):
            return Joined(must=tuple(plan(word, within) for word in words), should=(plan(query.phrase, within),))
        case Near(left, right, distance):
            return _near(left, right, distance, left.field or within)
        case Or(parts):
            return Joined(should=tuple(plan(part, within) for part in parts))
        case And(parts):
            return _and(parts, within)
        case Not():
            return _and((query,), within)


def weighed(part: Plan) -> Iterator[Weighed]:
    """The terms whose documents must be counted."""
    match part:
        case Terms() | Close():
            yield part
        case Joined(must, should):  # what is not to occur has no weight
            for one in (*must, *should):
                yield from weighed(one)


@cache
def _analyzer(stemmed: bool) -> tantivy.TextAnalyzer:
    """The built-in `en_stem` and `default`, which can't be called by name."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(LONGEST_TOKEN)).filter(tantivy.Filter.lowercase())
    return (builder.filter(tantivy.Filter.stemmer("english")) if stemmed else builder).build()


def words_of(text: str, field: str) -> list[str]:
    """A text as the words that the field's index holds."""
    return _analyzer(field in STEMMED).analyze(text)


@cache
def _splitter() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).build()


def places_of(text: str) -> list[str]:
    """A text's words as they are written, those too long for an index among them."""
    return _splitter().analyze(text)


def _looked_for(text: str, field: str) -> tuple[str, ...]:
    words = words_of(text, field)
    if not words:
        raise QueryError(f"{text!r} has no word that could be found.")
    return tuple(words)


def _terms(text: str, field: str) -> Plan:
    """`opt-out` is two words in a row."""
    return Exactly(field, _site(text)) if field == "site" else Terms(field, _looked_for(text, field))


def _word(text: str, field: str) -> Plan:
    """A word; in a policy's text its standing near "information" or "data" counts as one more term."""
    word = _terms(text, field)
    subjects = _subjects()
    if (
        field not in ranking.PRACTICE_FIELDS
        or not isinstance(word, Terms)
        or word.words[1:]
        or word.words[0] in subjects
    ):
        return word
    (said,) = word.words
    orders = tuple(order for other in subjects for order in ((said, other), (other, said)))
    return Joined(must=(word,), should=(Close(field, orders, ranking.NEARBY),))


@cache
def _subjects() -> tuple[str, ...]:
    return tuple(words_of(subject, "text")[0] for subject in ranking.SUBJECTS)


def _near(left: Word | Phrase, right: Word | Phrase, distance: int, field: str) -> Plan:
    """Both orders, counted from the end of one to the beginning of the other; a phrase must also stand somewhere. How
    often and in how long a text the words stand is weighed word by word."""
    one, other = _looked_for(left.text, field), _looked_for(right.text, field)
    close = Close(field, ((one[-1], other[0]), (other[-1], one[0])), distance - 1)
    return Joined(must=(close, Terms(field, one), Terms(field, other)))


def _and(parts: tuple[Node, ...], within: str) -> Plan:
    never = tuple(plan(part.part, within) for part in parts if isinstance(part, Not))
    must = tuple(plan(part, within) for part in parts if not isinstance(part, Not))
    return Joined(must=must or (Every(),), never=never)  # NOT by itself would match nothing


def _beginning(text: str, field: str) -> Plan:
    """Every match counts the same: there is no one term whose rarity could."""
    return Beginning(field, _site(text) if field == "site" else text.lower())


def _site(text: str) -> str:
    return text.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").split("/")[0]
