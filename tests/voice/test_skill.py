"""Dialogues, through the same handler as the vendor's requests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import LibraryBusy
from smallprint.records import Turn
from smallprint.settings import Settings
from smallprint.voice import speech
from smallprint.voice.simulate import Dialogue
from smallprint.voice.skill import Skill

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
STORED = {"Plazaly": "plazaly", "Northwind Bank": "northwind-bank", "Northwind Air": "stillwren"}


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    home = tmp_path_factory.mktemp("home")
    made = Assistant(Settings(home=home))
    for name, file in STORED.items():
        made.add(str(SAMPLES / f"{file}.html"), name=name)
    yield made
    shutil.rmtree(home)


@pytest.fixture
def dialogue(assistant: Assistant) -> Dialogue:
    return Dialogue(Skill(assistant), assistant.names())


def heard(response: dict[str, Any]) -> str:
    assert response["version"] == "1.0"
    spoken = response["response"]["outputSpeech"]
    assert spoken["type"] == "SSML"
    assert len(spoken["ssml"]) <= 8_000
    return speech.plain(spoken["ssml"])


def test_from_hello_to_goodbye(dialogue: Dialogue) -> None:
    hello = dialogue.launch()
    assert "passes through Amazon" in heard(hello)
    assert "Plazaly" in heard(hello)
    assert "passes through Amazon" in hello["response"]["card"]["content"]
    assert hello["response"]["reprompt"]
    assert "the policy of Plazaly" in heard(dialogue.say("plaza lee"))

    answer = dialogue.say("do they sell my profile information?")
    assert "We may sell profile information" in heard(answer)
    assert heard(answer).endswith("Want more?")
    assert len(heard(answer).splitlines()) <= 1 + 3 + 1
    card = answer["response"]["card"]
    assert card["title"] == "Plazaly"
    assert "“We may sell profile information, interests and activity" in card["content"]
    assert "Monetization partners" in card["content"]

    more = dialogue.say("yes")
    assert len(heard(more).splitlines()) == 1 + 3 + 1
    assert "We may sell profile information" not in heard(more)
    assert "What else" in heard(dialogue.say("no"))
    assert not dialogue.over
    goodbye = dialogue.say("stop")
    assert goodbye["response"]["shouldEndSession"] is True
    assert goodbye["sessionAttributes"] == {}
    assert dialogue.over


def test_a_contradiction_is_said_once(dialogue: Dialogue) -> None:
    dialogue.launch()
    dialogue.say("plazaly")
    told = heard(dialogue.say("do they sell my profile information?"))
    assert "It contradicts itself" in told
    assert told.count("We may sell profile information") == told.count("We never sell your personal information") == 1


def test_more_goes_on_until_nothing_is_left(dialogue: Dialogue) -> None:
    dialogue.launch()
    dialogue.say("plazaly")
    reply = dialogue.say("do they sell my profile information?")
    turns = 0
    while heard(reply).endswith("Want more?"):
        reply = dialogue.say("yes")
        turns += 1
    assert 1 < turns <= 5
    assert "That is all" in heard(reply)
    assert heard(reply).endswith("?")


def test_two_that_fit_are_asked_back_about_and_a_question_waits(dialogue: Dialogue) -> None:
    dialogue.launch()
    assert "Whose policy" in heard(dialogue.say("how long do they keep account records?"))
    which = heard(dialogue.say("northwind"))
    assert "Do you mean" in which
    assert "Northwind Air" in which
    assert "Northwind Bank" in which
    assert "Seven years" in heard(dialogue.say("the second one"))


def test_a_question_may_name_its_policy(dialogue: Dialogue) -> None:
    dialogue.launch()
    assert "We may sell profile information" in heard(dialogue.say("does Plazaly sell my profile information"))


def test_a_name_that_is_not_stored(dialogue: Dialogue) -> None:
    dialogue.launch()
    reply = heard(dialogue.say("open zebrafish"))
    assert "no policy of zebrafish" in reply
    assert "Plazaly" in reply


def test_another_policy_in_the_midst(dialogue: Dialogue) -> None:
    dialogue.launch()
    dialogue.say("plazaly")
    dialogue.say("do they sell my profile information")
    assert "Northwind Bank" in heard(dialogue.say("switch to northwind bank"))
    assert "does not sell" in heard(dialogue.say("yes"))  # the same question, of the other
    assert "Now reading Plazaly" in heard(dialogue.say("go to plaza lee"))


def test_a_sample_can_be_switched_to_where_no_files_may_be_read(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    Assistant(settings).add(str(SAMPLES / "quietlane.html"), name="Quietlane")
    dialogue = Dialogue(Skill(Assistant(replace(settings, local_files=False))), ("Quietlane",))
    dialogue.launch()
    assert "Now reading Owlglass" in heard(dialogue.say("switch to owlglass"))


def test_where_there_is_no_answer_it_says_why_and_what_to_do(dialogue: Dialogue) -> None:
    dialogue.launch()
    dialogue.say("plazaly")
    reply = heard(dialogue.say("what is the capital of france"))
    assert "not about privacy" in reply
    assert reply.endswith("?")


@pytest.mark.parametrize("said", ["blue bananas forever", "what", "", "?!", "x" * 5_000])
def test_what_is_not_caught_is_said_so(dialogue: Dialogue, said: str) -> None:
    dialogue.launch()
    assert "did not catch" in heard(dialogue.say(said))
    assert not dialogue.over


def test_help_says_what_to_say_and_who_hears_it(dialogue: Dialogue) -> None:
    dialogue.launch()
    told = heard(dialogue.say("help"))
    assert "do they sell my data" in told
    assert "passes through Amazon" in told


def test_a_conversation_that_expired_starts_afresh(dialogue: Dialogue, assistant: Assistant) -> None:
    dialogue.launch()
    opened = dialogue.say("plazaly")
    assistant.close_session(opened["sessionAttributes"]["session"])
    again = heard(dialogue.say("do they sell my profile information"))
    assert "start afresh with Plazaly" in again
    assert "We may sell profile information" in again
    assistant.close_session(dialogue.say("help")["sessionAttributes"]["session"])
    assert "What do you want to know" in heard(dialogue.say("more"))


def test_the_end_forgets(dialogue: Dialogue, assistant: Assistant) -> None:
    dialogue.launch()
    session = dialogue.say("plazaly")["sessionAttributes"]["session"]
    assert assistant.session(session)
    ended = dialogue.hang_up()
    assert ended == {"version": "1.0", "sessionAttributes": {}, "response": {}}
    with pytest.raises(Exception, match="over"):
        assistant.session(session)


def test_attributes_stay_small(dialogue: Dialogue) -> None:
    dialogue.launch()
    dialogue.say("plazaly")
    attributes = dialogue.say("do they sell my profile information")["sessionAttributes"]
    assert set(attributes) <= {"session", "policy", "yes", "left"}
    assert len(str(attributes)) < 200


def test_an_empty_library_and_a_single_policy(tmp_path: Path) -> None:
    assistant = Assistant(Settings(home=tmp_path / "home"))
    empty = Dialogue(Skill(assistant), ())
    assert "no policy in your library" in heard(empty.launch())
    assert empty.over
    assistant.add(str(SAMPLES / "quietlane.html"), name="Quietlane")
    single = Dialogue(Skill(assistant), ("Quietlane",))
    assert "the policy of Quietlane" in heard(single.launch())


def test_what_breaks_is_said_kindly(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    dialogue = Dialogue(Skill(assistant), assistant.names())
    dialogue.launch()
    dialogue.say("plazaly")

    def busy(*_: str, at_once: int) -> Turn:  # noqa: ARG001
        raise LibraryBusy("/some/path is in use")

    monkeypatch.setattr(assistant, "say", busy)
    told = heard(dialogue.say("do they sell my data"))
    assert "did not work" in told
    assert "path" not in told
    assert not dialogue.over


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"request": None, "session": None},
        {"request": {"type": "SomethingNewRequest"}},
        {"request": {"type": "IntentRequest"}},
        {"request": {"type": "IntentRequest", "intent": {"name": "AskDoIntent", "slots": {"question": {}}}}},
        {"request": {"type": "IntentRequest", "intent": {"name": "AskDoIntent", "slots": {"question": None}}}},
        {"request": {"type": "LaunchRequest"}, "session": {"attributes": {"offered": 3, "left": "x", "session": []}}},
        {
            "request": {"type": "IntentRequest", "intent": {"name": "MoreIntent"}},
            "session": {"attributes": {"session": "made up", "policy": "Plazaly", "later": "added"}},
        },
    ],
)
def test_requests_with_parts_missing_or_new_do_not_break_it(assistant: Assistant, request_: dict[str, Any]) -> None:
    assert Skill(assistant).answer(request_)["version"] == "1.0"
