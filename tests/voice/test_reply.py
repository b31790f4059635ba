"""What is said of an answer."""

from __future__ import annotations

from smallprint.records import Answer, BlockKind, Evidence, Question, Sentence, Stance, Turn, Verdict
from smallprint.voice.reply import State, of_turn


def evidence(number: int) -> Evidence:
    text = f"Sentence {number} says so."
    return Evidence(Sentence(number, 0, BlockKind.PARAGRAPH, 0, len(text), text), (0, 8), 0.9)


def turn(answer: Answer) -> Turn:
    return Turn("s", "Plazaly", "", answer.question.text, answer, answer.summary, shown=answer.evidence)


def test_the_lead_is_that_of_the_line_which_other_doors_show() -> None:
    for stance, summary, lead in (
        (Stance.YES, "It says you can: “delete it”.", "It says you can."),
        (Stance.NO, "It may say it doesn't: “sell it”.", "It may say it doesn't."),
        (Stance.NA, "It says: “two years”.", "It says:"),
    ):
        answer = Answer(Question("can I?"), Verdict.ANSWERED, stance, summary, 0.8, evidence=(evidence(0),))
        assert of_turn(turn(answer), State()).says[0] == lead
