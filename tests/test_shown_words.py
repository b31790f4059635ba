from __future__ import annotations

from dataclasses import replace

import pytest

from smallprint.records import Answer, BlockKind, Evidence, Question, Sentence, Stance, Verdict
from smallprint.words import held_back, how_sure, led, schooling, sureness, word_for


def answer(verdict: Verdict, stance: Stance = Stance.NA) -> Answer:
    return Answer(Question("Do you sell my data?"), verdict, stance, "", 0.5)


def test_an_answer_is_called_by_its_stance() -> None:
    words = [word_for(answer(Verdict.ANSWERED, stance)) for stance in Stance]
    assert words == ["Yes", "No", "Your choice", "Both", "It says"]
    assert word_for(answer(Verdict.CONFLICTING, Stance.MIXED)) == "Both"


@pytest.mark.parametrize(
    ("chance", "yes", "choice"),
    [
        (0.65, "Yes", "Your choice"),
        (0.64, "Probably yes", "Probably your choice"),
        (0.49, "Perhaps yes", "Perhaps your choice"),
    ],
)
def test_a_guess_is_called_one(chance: float, yes: str, choice: str) -> None:
    told = [replace(answer(Verdict.PARTLY, stance), stance_confidence=chance) for stance in Stance]
    assert [word_for(told[0]), word_for(told[2])] == [yes, choice]


def test_two_things_can_be_sure() -> None:
    assert how_sure(answer(Verdict.ANSWERED)) == "not very sure (50\u202f%)"
    told = replace(answer(Verdict.ANSWERED, Stance.NO), confidence=0.9, stance_confidence=0.3)
    assert how_sure(told) == "the passage: very sure (90\u202f%); the no: unsure (30\u202f%)"


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


def test_what_leads_to_several_items_is_told_once() -> None:
    item = Sentence(0, 0, BlockKind.ITEM, 0, 4, "ads;", lead_in="We use it for:")
    plain = Sentence(1, 0, BlockKind.PARAGRAPH, 0, 4, "Yes.", lead_in="We use it for:")
    shown = [Evidence(one, (0, 4), 0.5) for one in (item, item, plain, item, replace(item, lead_in="And for:"))]
    assert [lead_in for _, lead_in in led(shown)] == ["We use it for:", "…", "", "We use it for:", "And for:"]


@pytest.mark.parametrize(
    ("confidence", "word"), [(0, "a guess"), (0.2, "unsure"), (0.849, "quite sure"), (1, "very sure")]
)
def test_confidence_in_words(confidence: float, word: str) -> None:
    assert sureness(confidence) == word


@pytest.mark.parametrize(("grade", "word"), [(0, "easy"), (6, "easy"), (9.5, "high school"), (30, "graduate")])
def test_grades_in_words(grade: float, word: str) -> None:
    assert schooling(grade) == word
