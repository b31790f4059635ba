from __future__ import annotations

import json
from importlib.resources import files

import pytest
from dialogue_helpers import answer

from smallprint import taxonomy
from smallprint.dialogue import clarify
from smallprint.records import Choice, Verdict

SHARED = {"first": 0.9, "third": 0.8}
USED = {"first": 0.9, "third": 0.1}


def test_sentences_about_different_practices_leave_a_choice() -> None:
    choices = clarify.choices(answer("x"), "my location", [SHARED, SHARED])
    assert choices == (
        Choice("how they use it", "What do you use my location for?"),
        Choice("whom they share it with", "Who do you share my location with?"),
    )


def test_sentences_that_agree_leave_none() -> None:
    assert clarify.choices(answer("x"), "my location", [USED, USED]) == ()
    assert clarify.choices(answer("x"), "my location", []) == ()


def test_an_unclear_question_always_has_choices() -> None:
    unclear = answer("x", Verdict.UNCLEAR)
    assert len(clarify.choices(unclear, "", [])) == clarify.MOST_CHOICES
    assert clarify.choices(unclear, "", [USED])[0].ask == "What do you use my data for?"
    security = [{"datasecurity": 0.9}]
    assert clarify.choices(unclear, "my card", security)[0].ask == "How do you protect my card?"


@pytest.mark.parametrize(
    ("verdict", "confidence", "certainty", "asks"),
    [
        (Verdict.UNCLEAR, 0.9, 0.9, True),
        (Verdict.ANSWERED, 0.05, 0.05, True),
        (Verdict.ANSWERED, 0.05, 0.9, False),
        (Verdict.ANSWERED, 0.9, 0.05, False),
        (Verdict.SILENT, 0.05, 0.05, False),
        (Verdict.OUT_OF_SCOPE, 0.05, 0.05, False),
    ],
)
def test_only_doubt_about_the_question_is_asked_back_about(
    verdict: Verdict, confidence: float, certainty: float, asks: bool
) -> None:
    assert clarify.may_ask_back(answer("x", verdict, confidence=confidence, certainty=certainty)) is asks


def test_the_question_that_is_asked_back() -> None:
    one, two, three = (Choice(label, "?") for label in ("this", "that", "the other"))
    assert clarify.question([one]) == "Do you mean this?"
    assert clarify.question([one, two, three]) == "Do you mean this, that, or the other?"


def test_every_meaning_is_a_category_and_a_whole_question() -> None:
    meanings = json.loads(files("smallprint.dialogue").joinpath("clarify.json").read_text("utf-8"))
    assert set(meanings) == {category.key for category in taxonomy.categories()} - {"other"}
    assert all(meaning["ask"].endswith("?") for meaning in meanings.values())
