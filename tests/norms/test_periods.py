from __future__ import annotations

import pytest

from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.periods import days
from smallprint.norms.wording import Wording, words_of
from smallprint.records import ChangeKind

AROUND = ("We collect your name when you register.", "We use cookies to remember your settings.")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("kept for 90 days", 90),
        ("kept for ninety (90) days", 90),
        ("within a year", 365),
        ("after two weeks", 14),
        ("within 30 calendar days", 30),
        ("for twenty-four hours", 1),
    ],
)
def test_lengths_of_time_are_told_in_days(text: str, length: float) -> None:
    assert days(words_of(text).bare) == {length}


@pytest.mark.parametrize("text", ["last updated 3 May 2020", "every day", "your birth year", "5 partners"])
def test_other_numbers_are_no_lengths_of_time(text: str) -> None:
    assert not days(words_of(text).bare)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("We delete log files after 30 days.", "We delete log files after 180 days.", ChangeKind.WEAKENED),
        ("We keep your chats for one year.", "We keep your chats for 90 days.", ChangeKind.STRENGTHENED),
        ("You must be 13 years old to join.", "You must be 16 years old to join.", ChangeKind.CHANGED),
    ],
)
def test_another_length_of_time_is_a_change_that_matters(old: str, new: str, kind: ChangeKind) -> None:
    found = revision(Wording([*AROUND, old]), Wording([*AROUND, new]), Mind(shipped_reader()), shipped())
    assert [change.kind for change in found.changes] == [kind]


def test_the_same_length_in_other_words_is_none() -> None:
    old, new = ([*AROUND, f"We keep chats for {length}."] for length in ("90 days", "ninety days"))
    assert not revision(Wording(old), Wording(new), Mind(shipped_reader()), shipped()).changes
