from __future__ import annotations

import pytest

from smallprint.records import Answer, Question, Stance, Verdict
from smallprint.words import schooling, sureness, word_for


def answer(verdict: Verdict, stance: Stance = Stance.NA) -> Answer:
    return Answer(Question("Do you sell my data?"), verdict, stance, "", 0.5)


def test_an_answer_is_called_by_its_stance() -> None:
    words = [word_for(answer(Verdict.ANSWERED, stance)) for stance in Stance]
    assert words == ["Yes", "No", "Your choice", "Both", "It says"]
    assert word_for(answer(Verdict.CONFLICTING, Stance.MIXED)) == "Both"


def test_each_reason_for_no_answer_has_words_of_its_own() -> None:
    words = [word_for(answer(verdict, Stance.YES)) for verdict in Verdict if not verdict.is_answer]
    assert len(set(words)) == 5
    assert words[0] == "It doesn't say"


@pytest.mark.parametrize(
    ("confidence", "word"), [(0, "a guess"), (0.2, "unsure"), (0.849, "quite sure"), (1, "very sure")]
)
def test_confidence_in_words(confidence: float, word: str) -> None:
    assert sureness(confidence) == word


@pytest.mark.parametrize(("grade", "word"), [(0, "easy"), (6, "easy"), (9.5, "high school"), (30, "graduate")])
def test_grades_in_words(grade: float, word: str) -> None:
    assert schooling(grade) == word
