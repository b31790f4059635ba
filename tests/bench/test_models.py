"""The measures behind the benches of the models, on rows small enough to count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from smallprint.bench.data import measured_rows
from smallprint.bench.judged import plain, span_f1
from smallprint.bench.labelled import agreed_values, f1, gold_and_given, label_scores, macro_f1, only_smallprint
from smallprint.errors import DataMissing


def test_micro_and_macro_f1_by_hand() -> None:
    gold = np.array([[True, False], [True, True]])
    given = np.array([[True, True], [False, True]])
    assert f1(gold, given) == pytest.approx(2 * 2 / 6)
    assert macro_f1(gold, given) == pytest.approx((2 / 3 + 2 / 3) / 2)


def test_labels_that_never_occur_do_not_count() -> None:
    gold = np.array([[True, False]])
    assert macro_f1(gold, np.array([[True, True]])) == 1.0


def test_a_label_that_the_model_does_not_know_counts_as_missed() -> None:
    scores = label_scores([["first"], ["audiences", "first"]], ["first"], np.array([[True], [True]]))
    assert scores == {"micro_f1": pytest.approx(2 * 2 / 5), "macro_f1": 0.5}


def test_without_common_labels_there_is_nothing_to_find() -> None:
    gold, given = gold_and_given([{"a"}, {"b"}], [], ["a"], np.array([[True], [False]]))
    assert gold.shape == given.shape == (2, 0)
    assert f1(gold, given) == 0.0


def test_only_the_test_split_counts_or_else_the_validation_split() -> None:
    rows: list[dict[str, Any]] = [{"split": s} for s in ("train", "valid", "test", None)]
    assert measured_rows(rows) == [{"split": "test"}]
    assert measured_rows(rows[:2]) == [{"split": "valid"}]
    assert measured_rows([*rows[:1], {"text": "no split"}, rows[2]]) == [{"split": "test"}]
    assert measured_rows([{"text": "no split"}]) == [{"text": "no split"}]


def test_a_value_needs_two_annotators() -> None:
    def annotation(who: str, value: str) -> dict[str, Any]:
        return {"category": "Data Security", "annotator": who, "attributes": {"Measure": {"value": value}}}

    row = {"annotations": [annotation("1", "Generic"), annotation("2", "Generic"), annotation("2", "Other")]}
    assert agreed_values(row) == {("Data Security", "Measure", "Generic")}


@pytest.mark.parametrize("row", [{}, {"annotations": None}, {"annotations": [{"category": "Other", "annotator": "1"}]}])
def test_a_segment_may_lack_annotations_and_attributes(row: dict[str, Any]) -> None:
    assert agreed_values(row) == set()


def test_spans_are_compared_without_case_articles_and_punctuation() -> None:
    assert plain("The data, of a User.") == ["data", "of", "user"]
    assert span_f1("the data", "Data!") == 1.0
    assert span_f1("our data", "data we keep") == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert span_f1("ours", "theirs") == 0.0


def test_rivals_have_no_row_here() -> None:
    only_smallprint("smallprint")
    with pytest.raises(DataMissing, match="bm25"):
        only_smallprint("bm25")
