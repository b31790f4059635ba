"""Documents and queries as a cluster takes them; no cluster is needed to look at them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from index_contract import ACME

from smallprint.index.document import IndexDocument
from smallprint.index.language import parse
from smallprint.index.opensearch import mapping, querying
from smallprint.index.opensearch.querying import Statistics
from smallprint.index.plan import plan, weighed
from smallprint.index.protocol import Filters


@pytest.mark.parametrize("kind", mapping.KINDS)
def test_every_field_that_is_sent_is_known(kind: str) -> None:
    """Fields are strict: a cluster refuses what it does not know."""
    known = set(mapping.mappings(kind, "name")["properties"])
    sent = [mapping.document(ACME)] if kind == "documents" else [one for _, one in mapping.sentences_in(ACME)]
    assert sent
    assert all(set(one) <= known for one in sent)


def test_words_are_sent_as_the_embedded_engine_holds_them() -> None:
    sent = mapping.document(replace(ACME, text="Organizations share photos.", title="", url="https://acme.com/Legal"))
    assert (sent["text"], sent["text_length"]) == ("organiz share photo", 3)
    assert (sent["url"], sent["title"], sent["title_length"]) == ("https acme com legal", "", 0)
    assert sent["shown"] == "Organizations share photos."
    assert "page" not in sent


@pytest.mark.parametrize("long", ["x" * 40, "我" * 14])
def test_a_word_too_long_leaves_a_gap_and_is_not_counted(long: str) -> None:
    sent = mapping.document(IndexDocument(id="1", text=f"We sell {long} photos"))
    assert (sent["text"], sent["text_length"]) == ("we sell _ photo", 3)


@pytest.mark.parametrize("word", ["x" * 39, "我" * 13])
def test_a_word_just_short_enough_is_kept(word: str) -> None:
    assert mapping.document(IndexDocument(id="1", text=word))["text"] == word


def test_an_index_fits_if_all_its_fields_do() -> None:
    made = mapping.mappings("documents", "name")
    assert mapping.fits("documents", made)
    assert not mapping.fits("documents", {"properties": {}})
    changed = {**made["properties"], "grade": {"type": "keyword"}}
    assert not mapping.fits("documents", {"properties": changed})


def test_the_mean_length_is_a_boost_and_the_idf_a_weight() -> None:
    made = plan(parse('"sell photos"'), "text")
    (term,) = weighed(made)
    known = Statistics(documents=100, containing={term: 1}, means={"text": 250.0})
    scored = querying.scoring(made, known)["function_score"]
    assert scored["query"]["match_phrase"]["text"] == {"query": "sell photo", "slop": 0, "boost": 250.0}
    assert scored["weight"] == pytest.approx(known.idf(term) / 2)


def test_filters_never_score() -> None:
    chosen = Filters({"sector": ("medical",)}, {"grade": (None, 12), "date": (20210000.0, None)})
    assert querying.filters(chosen, every_version=False) == [
        {"terms": {"sector": ["medical"]}},
        {"range": {"grade": {"lte": 12.0}}},
        {"range": {"date": {"gte": 20210000}}},
        {"term": {"newest": {"value": "1"}}},
    ]
