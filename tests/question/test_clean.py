from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallprint.question.clean import LONGEST_QUESTION, clean, repair


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("@acme @bot: do you sell my #data???", "do you sell my data?"),
        ("sooooo do u track me!!", "so do u track me!"),
        ("does @facebook get my email a@b.example", "does facebook get my email a@b.example"),
        ("is https://acme.example/x ok", "is ok"),
        ("  two\n lines ", "two lines"),
    ],
)
def test_tweets_become_questions(asked: str, text: str) -> None:
    assert clean(asked) == text


@given(st.text(max_size=3_000))
def test_any_text_becomes_one_bounded_line(asked: str) -> None:
    text = clean(asked)
    assert len(text) <= LONGEST_QUESTION
    assert "\n" not in text


KNOWN = {"location", "locations", "sell", "contacts"}


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("do you sell my locaton", "do you sell my location"),
        ("my lcoation?", "my location?"),
        ("my cnotacts", "my contacts"),
        ("my location", "my location"),
        ("slel it", "slel it"),
        ("zzzzzzzz", "zzzzzzzz"),
    ],
)
def test_one_slip_is_repaired(text: str, repaired: str) -> None:
    assert repair(text, KNOWN, KNOWN) == repaired


def test_two_possible_words_are_left_alone() -> None:
    assert repair("batche", {"x"}, {"batch", "batches"}) == "batche"
