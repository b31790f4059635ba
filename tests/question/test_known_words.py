from __future__ import annotations

import pytest

from smallprint.question.clean import clean
from smallprint.question.words import is_known, names, parted


@pytest.mark.parametrize(
    ("joined", "words"),
    [
        ("deletemydata", "delete my data"),
        ("privacymatters", "privacy matters"),
        ("StopSpyingOnUs", "Stop Spying On Us"),
        ("data", "data"),
        ("qzxvwk", "qzxvwk"),
        ("qv" * 1_500, "qv" * 1_500),
        ("", ""),
    ],
)
def test_hashtags_are_parted_into_words(joined: str, words: str) -> None:
    assert parted(joined) == words


def test_case_and_apostrophes_do_not_matter() -> None:
    assert is_known("Privacy")
    assert is_known("daughter’s")
    assert not is_known("qzxvwk")


def test_well_known_names_are_known_as_a_whole() -> None:
    assert {"strava", "revolut", "acxiom", "grindr", "zelle", "wyze"} <= names()
    assert all(name.isascii() and name.isalpha() and name.islower() for name in names())
    assert is_known("Strava's")
    assert clean("is #onedrive safe") == "is onedrive safe"
