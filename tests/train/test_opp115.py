"""Annotations as targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from train.opp115 import ONE_ANNOTATOR, STANCES, annotators_of, stance_of


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
