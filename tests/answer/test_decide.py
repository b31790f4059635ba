from __future__ import annotations

from smallprint.answer.decide import confidence_of_words, decide
from smallprint.records import BlockKind, Evidence, Policy, Question, Reading, Sentence, Verdict

READING = Reading(Policy(source="-", title="Acme", text="", blocks=(), media="text"), ())


def evidence(number: int) -> Evidence:
    text = f"Sentence {number}."
    return Evidence(
        Sentence(number, 0, BlockKind.PARAGRAPH, 0, len(text), text, ("Sharing",)), (0, len(text)), 9.0 - number
    )


def test_three_sentences_first_the_rest_held_back() -> None:
    answer = decide(Question("q"), READING, [evidence(i) for i in range(30)], 0.6)
    assert answer.verdict is Verdict.ANSWERED
    assert [e.sentence.id for e in answer.evidence] == [0, 1, 2]
    assert [e.sentence.id for e in answer.more] == list(range(3, 15))
    assert "Sentence 0." in answer.summary


def test_silence_names_the_closest_section_and_what_to_do() -> None:
    answer = decide(Question("q"), READING, [evidence(0)], 0.01)
    assert answer.verdict is Verdict.SILENT
    assert not answer.evidence
    assert any("Sharing" in step for step in answer.next)
    assert answer.confidence == 0.99


def test_nothing_at_all_is_silence_too() -> None:
    assert decide(Question("q"), READING, [], 0.9).verdict is Verdict.SILENT


def test_confidence_grows_with_the_words_found() -> None:
    assert confidence_of_words(0.0) < 0.1 < confidence_of_words(0.5) < confidence_of_words(1.0) < 0.75
