"""Annotations as targets."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from train.exclusions import Exclusions
from train.opp115 import (
    CATEGORIES,
    GIVEN,
    HALVES,
    ONE_ANNOTATOR,
    STANCES,
    STATED,
    annotators_of,
    mapp_segments,
    marked_in,
    segments,
    stance_of,
)


def _annotation(annotator: str, **attributes: str) -> dict[str, Any]:
    named = {name.replace("_", " ").replace("DoesNot", "Does/Does Not"): v for name, v in attributes.items()}
    return {
        "category": "First Party Collection/Use",
        "annotator": annotator,
        "attributes": {name: {"value": value} for name, value in named.items()},
    }


def test_values_are_counted_by_annotator_and_untouched_ones_left_out() -> None:
    row = {
        "annotations": [
            _annotation("1", Purpose="Advertising"),
            _annotation("1", Purpose="Advertising"),
            _annotation("2", Purpose="Advertising", Identifiability="not-selected"),
        ]
    }
    assert annotators_of(row) == {("First Party Collection/Use", "Purpose", "Advertising"): {"1", "2"}}


def test_two_annotators_make_a_stance_and_one_a_quarter() -> None:
    row = {
        "annotations": [
            _annotation("1", DoesNot="Does Not", Choice_Type="Opt-in"),
            _annotation("2", DoesNot="Does Not", Choice_Type="Unspecified"),
        ]
    }
    expected = dict(zip(STANCES, (0.0, 1.0, ONE_ANNOTATOR), strict=True))
    assert np.allclose(stance_of(row), list(expected.values()))


def test_each_policy_of_a_split_is_in_one_half(tmp_path: Path) -> None:
    rows = [
        {"policy_id": n // 2, "text": f"text {n}", "split": "valid", "majority": [], "union": [], "annotations": []}
        for n in range(40)
    ]
    (tmp_path / "opp115").mkdir()
    with gzip.open(tmp_path / "opp115" / "segments.jsonl.gz", "wt") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    one, other = ([s.text for s in segments(tmp_path, "valid", [], None, half)] for half in HALVES)
    assert one
    assert other
    assert sorted(one + other) == sorted(f"text {n}" for n in range(40))
    for first in range(0, 40, 2):
        assert (f"text {first}" in one) == (f"text {first + 1}" in one)


def _marked(category: str, attribute: str, value: str, words: str | None) -> dict[str, Any]:
    chosen = {"value": value} | ({} if words is None else {"text": words})
    return {"category": category, "annotator": "1", "attributes": {attribute: chosen}}


def test_marked_words_are_found_for_category_value_and_stance() -> None:
    text = "We do not\nshare your email address with anyone."
    value = ("Third Party Sharing/Collection", "Does/Does Not", "Does Not")
    row = {"text": text, "annotations": [_marked(*value, words="<b>do not</b> share")]}
    found = marked_in(row, [("Other", "Other Type", "Other"), value])
    place = text.index("do not"), text.index(" your")
    numbers = CATEGORIES.index(value[0]), len(CATEGORIES) + 1, len(CATEGORIES) + 2 + STANCES.index("does_not")
    assert found == {number: [place] for number in numbers}


def test_other_types_are_categories_of_their_own_and_lost_words_mark_nothing() -> None:
    row = {
        "text": "Write to us.",
        "annotations": [
            _marked("Other", "Other Type", "Privacy contact information", words="Write to us."),
            _marked("Data Security", "Security Measure", "Generic", words="words of another page (+)"),
            _marked("Data Security", "Security Measure", "Unspecified", words=None),
        ],
    }
    assert marked_in(row, []) == {CATEGORIES.index("Privacy contact information"): [(0, 12)]}


def test_what_mapp_has_in_common_is_learned_and_the_rest_stays_unknown(tmp_path: Path) -> None:
    rows = [
        {
            "text": "We collect your card number.",
            "categories": ["First Party"],
            "values": ["Information Type_Financial"],
        },
        {"text": "We do both.", "categories": ["First Party", "Third Party"], "values": []},
        {"text": "Nothing.", "categories": [], "values": []},
    ]
    (tmp_path / "extra").mkdir()
    with gzip.open(tmp_path / "extra/mapp_english.jsonl.gz", "wt") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    first, third = CATEGORIES[:2]
    labels = [
        (first, "Personal Information Type", "Financial"),
        (first, "Personal Information Type", "Location"),
        (first, "Personal Information Type", "Generic personal information"),
        (third, "Personal Information Type", "Financial"),
    ]
    (segment,) = mapp_segments(tmp_path, labels, Exclusions([]))
    np.testing.assert_allclose(segment.values, [STATED, 0, np.nan, np.nan], rtol=1e-6)
    assert segment.categories[0] == np.float32(GIVEN["F"])
    assert np.isnan(segment.categories[1])
    assert not mapp_segments(tmp_path, labels, Exclusions(["We collect your card number."]))
