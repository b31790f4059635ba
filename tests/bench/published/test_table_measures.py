"""The measures that published tables print besides ranking, counted by hand."""

from __future__ import annotations

import pytest

from smallprint.bench.documents import reading_of
from smallprint.bench.published.measures import Run, percentile, table_measures
from smallprint.bench.systems import Outcome

READINGS = {
    name: reading_of({"doc_id": name, "sentences": ["one two three", "four five"] * size})
    for name, size in {"small": 1, "middling": 2, "large": 3}.items()
}


def run(doc_id: str, first: int, confidence: float, shown: tuple[int, ...] = (), more: tuple[int, ...] = ()) -> Run:
    ranking = (first, 1 - first)
    return Run(doc_id, Outcome(ranking, shown, confidence=confidence, more=more), ranking, frozenset({0}))


def test_policies_are_cut_by_their_length() -> None:
    row = table_measures([run("small", 0, 1), run("middling", 1, 1), run("large", 0, 1)], READINGS)
    assert (row["MAP_short"], row["MAP_medium"], row["MAP_long"]) == (1, 0.5, 1)


def test_the_filter_counts_only_answers_from_its_confidence_on() -> None:
    row = table_measures([run("small", 0, 0.6), run("small", 1, 0.59), run("small", 1, 0.9)], READINGS)
    assert row["accepted"] == pytest.approx(2 / 3)
    assert row["F@1_accepted"] == 0.5


def test_words_returned_are_those_shown_and_those_held_back() -> None:
    row = table_measures([run("middling", 0, 1, (0, 1), (2,)), run("small", 0, 1, (1,))], READINGS)
    assert row["sentences_returned"] == 2
    assert row["words_returned"] == 5
    assert row["length_reduction"] == pytest.approx(3 / 10)


def test_no_questions_are_no_trouble() -> None:
    assert set(table_measures([], {}).values()) == {0}
    assert percentile([], 0.5) == 0
    assert percentile([1, 2, 3], 0.33) == 1
    assert percentile([1, 2, 3], 0.66) == 2
