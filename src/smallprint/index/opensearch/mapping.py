"""The fields of a cluster's indexes, and documents as they are sent to it.

Words are split and stemmed here and not there: the same words as in the embedded engine, whatever version the cluster
is of (its English stemmer makes *organ* of "organization"; ours does not). The similarity gives the part of BM25 that
depends on one document. The mean length comes with the query, as its boost, and the idf is multiplied on later: both
are counted over the documents that are there now, so copies of a shard agree and one shard scores like five.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from smallprint.index import ranking
from smallprint.index.columns import ORDER_FIELDS, columns, sentence_id, shown
from smallprint.index.document import IndexDocument
from smallprint.index.plan import LONGEST_TOKEN, places_of, words_of
from smallprint.index.protocol import MOST_HITS, RANGE_FACETS, STANCE, VALUE_FACETS, YEAR

SCHEMA: Final = 1  # raise it with the fields: an index of another one is built anew
WORD_FIELDS: Final = {"documents": ("text", "page", "title", "url"), "sentences": ("text", "title", "url")}
KINDS: Final = tuple(WORD_FIELDS)

_SIMILARITY: Final = (
    "double norm = 1.2 * (0.25 + 0.75 * doc.length / query.boost); return 2.2 * doc.freq / (doc.freq + norm);"
)
_GAP: Final = "_"  # where a word was too long for an index: never a word itself, and dropped with its place kept
# What could be such a word: quick to look for, and seldom found. Bytes beyond ASCII are parts of letters or of signs.
_LONG: Final = re.compile(rb"[A-Za-z0-9\x80-\xff]{%d}" % LONGEST_TOKEN)
_WORDS: Final = {"type": "text", "analyzer": "words", "similarity": "of_one_document"}
# A value too long for the engine would make it refuse the document; such a one can't be filtered by.
_KEYWORD: Final = {"type": "keyword", "ignore_above": 8_191}
_COLUMN: Final = {"type": "long", "index": False}


def settings(shards: int) -> dict[str, Any]:
    return {
        "index": {
            "number_of_shards": shards,
            "auto_expand_replicas": "0-1",  # a second copy of everything as soon as there is a second node
            "refresh_interval": -1,  # what is written is seen when it is whole
            "max_result_window": MOST_HITS,
            "similarity": {"of_one_document": {"type": "scripted", "script": {"source": _SIMILARITY}}},
            "analysis": {
                "filter": {"gaps": {"type": "stop", "stopwords": [_GAP]}},
                "analyzer": {"words": {"type": "custom", "tokenizer": "whitespace", "filter": ["gaps"]}},
            },
        }
    }


def mappings(kind: str, name: str) -> dict[str, Any]:
    """Of the policies or of their sentences; `_meta` tells whose they are."""
    return {
        "dynamic": "strict",
        "_meta": {"smallprint": {"schema": SCHEMA, "name": name}},
        "_source": {"includes": ["hit", "shown", "number", STANCE, "document"]},
        "properties": _fields(kind),
    }


def fits(kind: str, found: dict[str, Any]) -> bool:
    """Whether an index has all the fields, each of its kind."""
    there = found.get("properties", {})
    return all(there.get(name, {}).get("type") == wanted["type"] for name, wanted in _fields(kind).items())


def _fields(kind: str) -> dict[str, dict[str, Any]]:
    fields: dict[str, dict[str, Any]] = {
        **{name: dict(_WORDS) for name in WORD_FIELDS[kind]},
        **{length(name): {"type": "integer", "index": False} for name in WORD_FIELDS[kind]},
        **{name: dict(_KEYWORD) for name in ("newest", "site", *VALUE_FACETS)},
        **{name: {"type": "double"} for name in RANGE_FACETS},
        "date": {"type": "integer"},
        YEAR: {"type": "integer"},
        **{name: dict(_COLUMN) for name in ("tie", *ORDER_FIELDS.values())},
        "factor": {"type": "double", "index": False},
        "shown": {"type": "keyword", "index": False, "doc_values": False},
    }
    if kind == "documents":
        return fields | {"hit": {"type": "object", "enabled": False}, "digest": dict(_COLUMN)}
    return fields | {"document": dict(_KEYWORD), "number": dict(_COLUMN), STANCE: dict(_KEYWORD)}


def length(field: str) -> str:
    """The column with the number of a field's words."""
    return f"{field}_length"


def document(one: IndexDocument) -> dict[str, Any]:
    return {
        **_common(one),
        **_words("text", one.text),
        **(_words("page", one.page) if one.page else {}),
        "digest": one.digest,
        "hit": shown(one),
        "shown": one.text,
    }


def sentences_in(one: IndexDocument) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each with its id."""
    common = _common(one)
    for sentence in one.sentences:
        id = sentence_id(one.id, sentence.number)
        yield (
            id,
            {
                **common,
                **_words("text", sentence.text),
                "document": one.id,
                "number": sentence.number,
                STANCE: str(sentence.stance),
                "tie": ranking.tie_breaker(id),
                "shown": sentence.text,
            },
        )


def _common(one: IndexDocument) -> dict[str, Any]:
    factor = ranking.factor(one.p_policy, one.popularity)
    return {**columns(one), **_words("title", one.title), **_words("url", one.url), "factor": factor}


def _words(field: str, text: str) -> dict[str, Any]:
    words = words_of(text, field)
    return {field: " ".join(_with_gaps(text, field, words)), length(field): len(words)}


def _with_gaps(text: str, field: str, words: list[str]) -> list[str]:
    """The words with a mark for each that was too long: those beside it don't stand in a row."""
    if not _LONG.search(text.encode()):
        return words
    return [next(iter(words_of(word, field)), _GAP) for word in places_of(text)]
