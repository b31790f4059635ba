from __future__ import annotations

import pytest

from smallprint.annotate.vagueness import is_vague, vague_share


@pytest.mark.parametrize(
    "sentence",
    [
        "We may share your data.",
        "Certain partners get it.",
        "We change this from time  to time.",
        "May we call you?",
        "Generally, we keep it.",
    ],
)
def test_vague(sentence: str) -> None:
    assert is_vague(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["We share your data.", "You can opt out.", "Last updated May 2023.", "As of 5 May we sell nothing.", "Someone."],
)
def test_clear(sentence: str) -> None:
    assert not is_vague(sentence)


def test_the_share() -> None:
    assert vague_share(["We may.", "We do.", "We do not.", "Some do."]) == 0.5
    assert vague_share([]) == 0.0
