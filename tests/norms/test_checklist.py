from __future__ import annotations

import pytest
from made import answered, practice, reading, silent

from smallprint.errors import NormsError
from smallprint.norms.checklist import NAMES, WARNING, CheckedItem, State, check, checklist
from smallprint.records import Answer

TEXT = reading(
    "Acme Ltd is the data controller; write to privacy@acme.example.",
    "We keep your data for two years.",
    "You can object to direct marketing.",
)


def checked(ask: object = silent, *practices: object) -> dict[str, CheckedItem]:
    made = check(TEXT, practices, checklist("gdpr"), ask)  # type: ignore[arg-type]
    assert made.warning == WARNING
    return {item.law: item for item in made.items}


@pytest.mark.parametrize("name", NAMES)
def test_the_lists_are_whole(name: str) -> None:
    items = checklist(name).items
    assert len(items) >= 9
    assert len({item.title for item in items}) == len(items)
    for part in (part for item in items for part in item.parts):
        assert not part.cue.search("Hello there, this is a sentence about nothing at all.")
        assert part.asks == "" or part.asks.endswith("?")


def test_an_unknown_list_is_told() -> None:
    with pytest.raises(NormsError, match="known: gdpr, ccpa, coppa"):
        checklist("hipaa")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("legal basis", "We process it because we have a legal obligation or perform a task in the public interest."),
        ("legal basis", "We share it to comply with our legal obligations."),
        ("access", "Parents may ask for a copy of the information we hold about them."),
        ("access", "You have the right of access."),
    ],
)
def test_what_the_gdpr_wants_is_known_by_other_words_too(name: str, sentence: str) -> None:
    (part,) = (part for item in checklist("gdpr").items for part in item.parts if part.name == name)
    assert part.cue.search(sentence)


def test_words_are_enough_and_the_sentence_is_shown() -> None:
    who = checked()["Art. 13(1)(a), 14(1)(a)"]
    assert who.state is State.FOUND
    assert [part.sentence for part in who.parts] == [TEXT.sentences[0]] * 2


def test_some_parts_make_an_item_partly_found() -> None:
    rights = checked()["Art. 13(2)(b), 14(2)(c)"]
    assert rights.state is State.PARTLY
    assert [part.name for part in rights.parts if part.state is State.FOUND] == ["objection"]


def test_what_nothing_tells_is_not_found() -> None:
    assert checked()["Art. 13(1)(b), 14(1)(b)"].state is State.MISSING


def test_a_sure_answer_counts_from_the_right_practice_only() -> None:
    def ask(confidence: float) -> object:
        def asked(text: str) -> Answer:
            return answered(text, TEXT, 1, confidence) if text == "Who do you share my data with?" else silent(text)

        return asked

    law = "Art. 13(1)(e), 14(1)(e)"
    assert checked(ask(0.9), practice(1, "third"))[law].state is State.FOUND
    assert checked(ask(0.9))[law].state is State.PARTLY
    assert checked(ask(0.5), practice(1, "third"))[law].state is State.PARTLY
    assert checked(ask(0.2), practice(1, "third"))[law].state is State.MISSING


def test_what_has_a_name_in_law_is_not_asked_for() -> None:
    asked: list[str] = []

    def ask(text: str) -> Answer:
        asked.append(text)
        return answered(text, TEXT, 0, 0.9)

    made = checked(ask)
    assert made["Art. 13(1)(a), 27"].state is State.MISSING
    assert not any("representative" in question for question in asked)
