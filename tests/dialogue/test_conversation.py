from __future__ import annotations

from dataclasses import replace

import pytest
from dialogue_helpers import FakePolicies, answer, evidence, memory
from hypothesis import given
from hypothesis import strategies as st

from smallprint.dialogue import conversation
from smallprint.dialogue.memory import Memory
from smallprint.records import Conflict, Turn, Verdict

POLICIES = FakePolicies("Acme", "Northwind Bank", "Northway Travel")


def talk(*said: str, policies: FakePolicies = POLICIES) -> list[Turn]:
    """The turns of a conversation that begins with Acme."""
    turns, held = [], memory()
    for text in said:
        turn, after = conversation.turn("s", held, text, policies)
        turns.append(turn)
        held = after or held
    return turns


def test_a_question_is_answered_in_its_policy() -> None:
    (turn,) = talk("Do you sell my data?")
    assert turn.answer
    assert (turn.session, turn.policy, turn.said, turn.asked) == ("s", "Acme", "Do you sell my data?", turn.said)
    assert turn.line == turn.answer.summary
    assert turn.shown == turn.answer.evidence


def test_follow_ups_lean_on_the_last_question_that_made_sense() -> None:
    turns = talk("Do you sell my location?", "and my contacts?", "how is the weather", "what about children?")
    assert turns[1].asked == "Do you sell my contacts?"
    assert turns[1].said == "and my contacts?"
    assert turns[2].answer
    assert turns[2].answer.verdict is Verdict.OUT_OF_SCOPE
    assert turns[3].asked == "Do you sell children's contacts?"


def test_more_gives_three_at_a_time_and_says_when_there_are_none() -> None:
    _, first, second, third = talk("Do you sell my data?", "more", "yes", "more please")
    assert [e.sentence.id for e in first.shown] == [1, 2, 3]
    assert [e.sentence.id for e in second.shown] == [4, 5]
    assert third.shown == ()
    assert "left" in first.line
    assert "all" in second.line
    assert "nothing more" in third.line
    assert first.answer is None


def test_where_few_are_shown_at_once_the_others_come_on_more() -> None:
    shown = tuple(map(evidence, range(5)))
    long = replace(answer("Do you sell my data?", more=0), evidence=shown)
    brief = conversation.brief(long, 2)
    assert (brief.evidence, brief.more) == (shown[:2], shown[2:])
    torn = replace(long, conflicts=(Conflict(shown[3], shown[4], "one denies what the other says"),))
    assert conversation.brief(torn, 2).evidence == shown[3:]
    assert set(conversation.brief(torn, 2).more) == set(shown[:3])
    assert conversation.brief(long, 8) == long


def test_a_new_question_starts_more_anew() -> None:
    turns = talk("Do you sell my data?", "more", "do you keep my data?", "more")
    assert [e.sentence.id for e in turns[3].shown] == [1, 2, 3]


def test_what_is_asked_again_after_a_restart_is_as_brief() -> None:
    policies = FakePolicies()
    first, held = conversation.turn("s", memory(), "Do you sell my data?", policies, at_once=0)
    assert held
    more, _ = conversation.turn("s", replace(held, answer=None), "more", policies, at_once=0)
    assert first.shown == ()
    assert [e.sentence.id for e in more.shown] == [0, 1, 2]


@pytest.mark.parametrize("said", ["more", "why?", "say that again"])
def test_before_any_question_there_is_nothing_to_go_on_with(said: str) -> None:
    (turn,) = talk(said)
    assert turn.line == conversation.NOTHING_YET


def test_why_explains_the_last_answer() -> None:
    _, turn = talk("Do you sell my data?", "why?")
    assert "80 %" in turn.line
    assert "Sentence 0 of the policy" in turn.line
    assert [e.sentence.id for e in turn.shown] == [0]


def test_after_a_restart_the_answer_is_found_again() -> None:
    policies = FakePolicies()
    _, held = conversation.turn("s", memory(), "Do you sell my data?", policies)
    assert held
    forgotten = Memory(held.policy, held.name, held.asked, held.context)
    turn, _ = conversation.turn("s", forgotten, "more", policies)
    assert [e.sentence.id for e in turn.shown] == [1, 2, 3]
    assert policies.asked == ["Do you sell my data?"] * 2


def test_an_unclear_question_is_asked_back_about() -> None:
    first, second = talk("is my location ok ?", "2")
    assert first.line == "Do you mean how they use it, whom they share it with, or how long they keep it?"
    assert first.choices[1].ask == "Who do you share my location with?"
    assert second.asked == "Who do you share my location with?"
    assert second.answer
    assert second.answer.verdict is Verdict.ANSWERED
    assert second.choices == ()


def test_a_vague_question_gets_its_answer_and_the_choice() -> None:
    first, second = talk("vague my location", "the first")
    assert first.answer
    assert first.line.startswith(first.answer.summary)
    assert [choice.label for choice in first.choices] == ["how they use it", "whom they share it with"]
    assert second.asked == "What do you use my location for?"


def test_an_unclear_question_is_about_what_was_spoken_of_before() -> None:
    turns = talk("Do you sell my photos?", "is that ok ?")
    assert turns[1].choices[0].ask == "What do you use my photos for?"


def test_switching_by_name_offers_the_same_question() -> None:
    _, switch, again, name = talk("Do you sell my data?", "now northwind bank", "1", "which policy is this?")
    assert switch.line == "Now reading Northwind Bank."
    assert switch.policy == "Northwind Bank"
    assert again.asked == "Do you sell my data?"
    assert again.policy == "Northwind Bank"
    assert "Northwind Bank" in name.line


def test_yes_takes_the_one_choice_on_offer() -> None:
    _, _, again = talk("Do you sell my data?", "now northwind bank", "yes please")
    assert (again.asked, again.policy) == ("Do you sell my data?", "Northwind Bank")


def test_yes_picks_none_of_several_choices() -> None:
    *_, turn = talk("Do you sell my data?", "policies", "yes")
    assert turn.policy == "Acme"
    assert turn.line.startswith("Here are 3 more.")


def test_after_a_switch_nothing_is_left_of_the_other_policy() -> None:
    turns = talk("Do you sell my data?", "now northwind bank", "more")
    assert turns[2].line == conversation.NOTHING_YET


def test_two_names_that_fit_are_asked_back_about() -> None:
    policies = FakePolicies("Acme", "Zenith Bank", "Zenith Shop")
    first, second = talk("now zenith", "zenith shop", policies=policies)
    assert [choice.label for choice in first.choices] == ["Zenith Bank", "Zenith Shop"]
    assert first.policy == "Acme"
    assert second.policy == "Zenith Shop"


def test_an_unknown_name_is_said_to_be_unknown() -> None:
    (turn,) = talk("switch to Nobody")
    assert "Nobody" in turn.line
    assert turn.policy == "Acme"
    assert len(turn.choices) == 3


def test_naming_the_policy_that_is_open_changes_nothing() -> None:
    turns = talk("Do you sell my data?", "now Acme", "more")
    assert len(turns[2].shown) == 3


def test_a_word_of_the_open_policys_name_is_asked_about() -> None:
    _, bank, _, again = talk("now northwind bank", "what about the bank?", "now acme", "what about the bank?")
    assert bank.answer
    assert bank.asked == "what about the bank?"
    assert again.answer is None
    assert [choice.label for choice in again.choices] == ["Northwind Bank"]


def test_policies_are_listed_to_choose_from() -> None:
    first, second = talk("which policies are there?", "3")
    assert [choice.label for choice in first.choices] == ["Acme", "Northwind Bank", "Northway Travel"]
    assert second.line == "Now reading Northway Travel."


def test_starting_over_keeps_the_policy_only() -> None:
    turns = talk("now northwind bank", "Do you sell my data?", "start over", "more")
    assert turns[3].line == conversation.NOTHING_YET
    assert turns[3].policy == "Northwind Bank"


def test_forgetting_leaves_no_memory() -> None:
    turn, after = conversation.turn("s", memory(), "forget this conversation", POLICIES)
    assert after is None
    assert "forgotten" in turn.line
    assert turn.choices == ()


def test_help_and_silence_say_what_can_be_said() -> None:
    for turn in talk("help", "  "):
        assert "more" in turn.line


@given(st.lists(st.text(max_size=2_000), max_size=4))
def test_whatever_is_said_there_is_one_line_to_read_aloud(said: list[str]) -> None:
    for turn in talk(*said):
        assert turn.line.strip()
        assert len(turn.said) <= conversation.LONGEST_SAID
