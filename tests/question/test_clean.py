from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallprint.question.clean import LONGEST_ASKED, LONGEST_QUESTION, clean, is_cut


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("@acme @bot: do you sell my #data???", "do you sell my data?"),
        ("sooooo do u track me!!", "so do u track me!"),
        ("does @facebook get my email a@b.example", "does facebook get my email a@b.example"),
        ("is https://acme.example/x ok", "is ok"),
        ("  two\n lines ", "two lines"),
        ("#DeleteMyData now", "Delete My Data now"),
        ("is it #privacymatters or not", "is it privacy matters or not"),
        ("is it freeeee, soooo", "is it free, so"),
        ("Could you please tell me  how long you keep it?", "how long you keep it?"),
        ("may I ask who gets my name", "who gets my name"),
        ("explain what you collect", "what you collect"),
        ("can you list who gets my name", "who gets my name"),
        ("I would like to know how long you keep it", "how long you keep it"),
        ("i just want to know why", "why"),
        ("do you know where I am?", "do you know where I am?"),
        ("can you tell me when the policy changes?", "can you tell me when the policy changes?"),
    ],
)
def test_tweets_become_questions(asked: str, text: str) -> None:
    assert clean(asked) == text


@given(st.text(max_size=3_000))
def test_any_text_becomes_one_bounded_line(asked: str) -> None:
    text = clean(asked)
    assert len(text) <= LONGEST_QUESTION
    assert "\n" not in text


def test_what_is_left_out_of_a_long_question_is_known() -> None:
    assert not is_cut("x" + " y" * (LONGEST_QUESTION // 2 - 1))
    assert not is_cut("do you sell it?" + " " * LONGEST_QUESTION)
    assert is_cut("x" + " y" * (LONGEST_QUESTION // 2))
    assert is_cut("x" + " " * LONGEST_ASKED)
