from __future__ import annotations

from dataclasses import replace

import pytest
from dialogue_helpers import answer, evidence

from smallprint.dialogue.explain import why
from smallprint.records import Conflict, Step, Verdict


def test_it_says_which_sentence_how_sure_and_against_what() -> None:
    line = why(answer("do you sell my data?", confidence=0.72))
    assert "“Sentence 0 of the policy”, under “Sharing”" in line
    assert "80 %" in line
    assert "stands out: the next best has 10 %" in line
    assert "72 % sure" in line
    assert "whom it shares with" in line


@pytest.mark.parametrize("heading", ["whom we share your data with " * 9_000, "x" * 250_000])
def test_a_heading_is_not_read_aloud_for_ever(heading: str) -> None:
    first = evidence(0, 0.8)
    under = replace(first, sentence=replace(first.sentence, headings=("Sharing", heading)))
    line = why(replace(answer("x"), evidence=(under,)))
    assert f", under “{heading[:20]}" in line
    assert " …”. I give it 80 %" in line
    assert len(line) < 500


def test_a_close_second_is_told() -> None:
    close = replace(answer("x"), more=(evidence(1, 0.7),))
    assert "comes close with 70 %" in why(close)
    alone = replace(answer("x"), more=())
    assert "next best" not in why(alone)


def test_a_contradiction_is_told_of_the_sentences_it_is_between() -> None:
    torn = replace(answer("x"), conflicts=(Conflict(evidence(3), evidence(0), "one denies the other"),))
    assert "contradict it." in why(torn)
    others = replace(torn, conflicts=(Conflict(evidence(3), evidence(4), "one denies the other"),))
    assert "contradict it." not in why(others)
    assert "Two other sentences contradict each other." in why(others)


def test_what_was_read_otherwise_is_told() -> None:
    repaired = replace(answer("x"), trace=(Step("spelling", "read “locaton” as “location”", 0.1),))
    assert why(repaired).startswith("I read “locaton” as “location”.")


def test_what_was_left_out_of_the_question_is_told() -> None:
    steps = (Step("clean", "read only its start", 0.1), Step("spelling", "read “locaton” as “location”", 0.1))
    cut = replace(answer("x"), trace=steps)
    assert why(cut).startswith("I read only its start. I read “locaton” as “location”.")


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if not verdict.is_answer])
def test_every_reason_for_no_answer_is_told(verdict: Verdict) -> None:
    line = why(answer("x", verdict, confidence=0.9))
    assert line.endswith(".")
    assert "90 %" in line or verdict is Verdict.INCOMPREHENSIBLE


def test_silence_names_what_came_closest() -> None:
    assert "Sentence 1 of the policy" in why(answer("x", Verdict.SILENT))
    assert "no sentence" in why(answer("x", Verdict.SILENT, more=0))
