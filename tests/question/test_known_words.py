from __future__ import annotations

import pytest

from smallprint.question.words import is_known, parted


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
