from __future__ import annotations

from dataclasses import replace

import pytest

from smallprint.records import Answer, BlockKind, Evidence, Question, Sentence, Stance, Verdict
from smallprint.words import held_back, schooling, sureness, word_for


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


def test_what_is_held_back_is_counted() -> None:
    one = Evidence(Sentence(0, 0, BlockKind.PARAGRAPH, 0, 4, "Yes."), (0, 4), 0.5)
    silent = answer(Verdict.SILENT)
    assert held_back(replace(silent, more=(one,))) == "The sentence that comes closest"
    assert held_back(replace(silent, more=(one, one))) == "The 2 sentences that come closest"
    assert held_back(replace(silent, evidence=(one,), more=(one,))) == "1 more"
    assert held_back(replace(silent, evidence=(one,), more=(one, one))) == "2 more, the closest first"


@pytest.mark.parametrize(
    ("confidence", "word"), [(0, "a guess"), (0.2, "unsure"), (0.849, "quite sure"), (1, "very sure")]
)
def test_confidence_in_words(confidence: float, word: str) -> None:
    assert sureness(confidence) == word


@pytest.mark.parametrize(("grade", "word"), [(0, "easy"), (6, "easy"), (9.5, "high school"), (30, "graduate")])
def test_grades_in_words(grade: float, word: str) -> None:
    assert schooling(grade) == word
