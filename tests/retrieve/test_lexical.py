from __future__ import annotations

from smallprint.records import BlockKind, Sentence
from smallprint.retrieve.lexical import Bm25, searchable, terms


def test_terms_are_stems_without_stop_words() -> None:
    assert terms("Do you SELL my locations?") == ["sell", "locat"]
    assert terms("what is it") == []


def test_the_rarer_word_weighs_more() -> None:
    index = Bm25(["we collect data", "we collect mail", "we collect location"])
    scores = index.scores("collect location")
    assert scores[2] > scores[0] == scores[1] > 0


def test_scores_follow_the_formula() -> None:
    # Two documents of one term each, so the length norm is 1: idf = ln(1 + 1.5 / 1.5), count 1 → 1.9 / 1.9.
    index = Bm25(["location", "advertisers"])
    assert abs(index.scores("location")[0] - 0.6931) < 1e-4
    assert index.scores("location")[1] == 0


def test_repeated_words_of_a_question_count_once() -> None:
    index = Bm25(["location", "mail"])
    assert index.scores("location location") == index.scores("location")


def test_coverage_is_the_share_of_the_question_found() -> None:
    index = Bm25(["share location", "keep mail"])
    assert index.coverage("share location", 0) == 1
    assert index.coverage("share location", 1) == 0
    assert 0 < index.coverage("share mail", 0) < 1
    assert index.coverage("the", 0) == 0


def test_no_documents_no_trouble() -> None:
    assert Bm25([]).scores("anything") == []
    assert Bm25([""]).scores("anything") == [0]


def test_an_item_is_found_by_its_lead_in_and_headings() -> None:
    item = Sentence(0, 0, BlockKind.ITEM, 0, 11, "advertisers", ("Policy", "Sharing", "Partners"), "We disclose to:")
    assert searchable(item) == "Sharing Partners We disclose to: advertisers"
