from __future__ import annotations

import pytest

from smallprint.dialogue.intent import INTENTS, chosen, intent, words
from smallprint.records import Choice

CHOICES = (
    Choice("how they use it", "What do you use my location for?"),
    Choice("whom they share it with", "Who do you share my location with?"),
    Choice("how long they keep it", "How long do you keep my location?"),
)


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("more", "more"),
        ("More, please!", "more"),
        ("can you show me more?", "more"),
        ("WHY?", "why"),
        ("hey, are you sure?", "why"),
        ("help", "help"),
        ("ok start over", "start over"),
        ("please forget this conversation.", "forget"),
        ("which policies are there?", "policies"),
        ("what’s this", None),
        ("why do you need my location?", None),
        ("how long do you keep more than one copy?", None),
        ("will you forget me if I ask?", None),
        ("", None),
    ],
)
def test_what_is_said_to_the_assistant(said: str, wish: str | None) -> None:
    assert intent(said) == wish


def test_no_words_stand_for_two_wishes() -> None:
    said = [phrase for name in INTENTS for phrase in words()[name]]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("1", 0),
        ("2.", 1),
        ("the second one", 1),
        ("number three", 2),
        ("the last", 2),
        ("how they use it", 0),
        ("share", 1),
        ("How long do you keep my location?", 2),
        ("they", None),  # all of them
        ("it", None),
        ("4", None),
        ("0", None),
        ("who sees my photos?", None),
        ("99999999999999999999", None),
    ],
)
def test_a_choice_is_picked_by_number_place_or_words(said: str, place: int | None) -> None:
    assert chosen(said, CHOICES) == (None if place is None else CHOICES[place])


@pytest.mark.parametrize("said", ["1", "0", "first", "the second one", "last", "the last one", "the latter", "former"])
def test_without_choices_nothing_is_picked(said: str) -> None:
    assert chosen(said, ()) is None
