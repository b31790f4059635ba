"""The embedded engine's fields, and documents as it takes them.

A schema never changes under an index: SCHEMA is part of what `ensure` compares, so raise it with the fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import tantivy

from smallprint.index import ranking
from smallprint.index.columns import ORDER_FIELDS, columns, sentence_id, shown
from smallprint.index.columns import hit as shown_hit
from smallprint.index.document import IndexDocument
from smallprint.index.protocol import RANGE_FACETS, STANCE, VALUE_FACETS, YEAR, Hit

SCHEMA: Final = 2
KIND: Final = "kind"  # every document has the same: its count is the engine's own N, deleted ones included
_ONE: Final = "d"
_STEMMED: Final = "en_stem"  # letters and digits, shorter than 40 bytes, lower case, English snowball stemmer
_PLAIN: Final = "default"  # the same without stemming


@cache
def documents() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    _raw(builder, "id", fast=False, stored=True)
    builder.add_text_field("text", stored=True, tokenizer_name=_STEMMED)
    builder.add_text_field("page", tokenizer_name=_STEMMED)
    builder.add_text_field("title", tokenizer_name=_STEMMED)
    builder.add_text_field("url", tokenizer_name=_PLAIN)
    builder.add_bytes_field("hit", stored=True)
    builder.add_integer_field("digest", fast=True)
    _shared(builder)
    return builder.build()


@cache
def sentences() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    _raw(builder, "document", fast=False, stored=True)
    builder.add_text_field("text", stored=True, tokenizer_name=_STEMMED)
    builder.add_text_field("title", tokenizer_name=_STEMMED, index_option="basic")
    builder.add_text_field("url", tokenizer_name=_PLAIN, index_option="basic")
    builder.add_unsigned_field("number", stored=True)
    _raw(builder, STANCE, stored=True)
    _shared(builder)
    return builder.build()


def _shared(builder: tantivy.SchemaBuilder) -> None:
    """What both are filtered, counted and sorted by."""
    _raw(builder, KIND, fast=False)
    _raw(builder, "newest", fast=False)
    _raw(builder, "site", fast=False)
    for name in VALUE_FACETS:
        _raw(builder, name)
    for name in RANGE_FACETS:
        builder.add_float_field(name, fast=True)
    for name in ("date", YEAR, "tie", *ORDER_FIELDS.values()):
        builder.add_integer_field(name, fast=True)
    builder.add_float_field("weight", fast=True)


def _raw(builder: tantivy.SchemaBuilder, name: str, *, fast: bool = True, stored: bool = False) -> None:
    builder.add_text_field(name, stored=stored, fast=fast, tokenizer_name="raw", index_option="basic")


def document(one: IndexDocument) -> tantivy.Document:
    fields = _common(one) | {
        "id": one.id,
        "text": one.text,
        "title": one.title,
        "url": one.url,
        "digest": one.digest,
        "hit": json.dumps(shown(one), ensure_ascii=False).encode(),
    }
    if one.page:
        fields["page"] = one.page
    return tantivy.Document.from_dict(fields, documents())


def sentences_in(one: IndexDocument) -> Iterator[tantivy.Document]:
    common = _common(one)
    for sentence in one.sentences:
        fields = common | {
            "document": one.id,
            "text": sentence.text,
            "title": one.title,
            "url": one.url,
            "number": sentence.number,
            STANCE: str(sentence.stance),
            "tie": ranking.tie_breaker(sentence_id(one.id, sentence.number)),
        }
        yield tantivy.Document.from_dict(fields, sentences())


def _common(one: IndexDocument) -> dict[str, Any]:
    return columns(one) | {KIND: _ONE, "weight": ranking.weight(one.p_policy, one.popularity)}


def hit(stored: bytes, score: float) -> Hit:
    return shown_hit(json.loads(stored), score)


def count(found: tantivy.SearchResult) -> int:
    total: int = found.count  # type: ignore[attr-defined]  # there, but not in the stubs of 0.27
    return total


def document_count(searcher: tantivy.Searcher) -> int:
    """N as the engine's own BM25 takes it: deleted documents count until their segment is merged."""
    return searcher.doc_freq(KIND, _ONE)
