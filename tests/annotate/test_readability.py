from __future__ import annotations

import pytest

from smallprint.annotate.readability import flesch_kincaid_grade, reading_minutes, syllables


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("data", 2), ("we", 1), ("share", 1), ("shared", 1), ("collected", 3), ("privacy", 3), ("policy", 3),
        ("information", 4), ("create", 2), ("cookies", 2), ("the", 1), ("services", 3), ("people", 2),
        ("you're", 1), ("personal", 3), ("retention", 3), ("table", 2), ("uses", 2), ("purposes", 3),
    ],
)  # fmt: skip
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_grade_follows_the_formula() -> None:
    # 2 sentences, 6 words, 7 syllables: 0.39 * 3 + 11.8 * 7/6 - 15.59
    assert flesch_kincaid_grade(["We share data.", "You can leave."]) == pytest.approx(0, abs=0.01)
    legal = "Notwithstanding the foregoing, information may be disclosed to affiliated organisations."
    assert flesch_kincaid_grade([legal]) > 16


def test_empty_text_has_no_grade() -> None:
    assert flesch_kincaid_grade([]) == 0
    assert flesch_kincaid_grade(["…"]) == 0


def test_reading_time_is_never_zero() -> None:
    assert (reading_minutes(3), reading_minutes(2380)) == (1, 10)
