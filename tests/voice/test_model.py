from __future__ import annotations

import json
import re

import pytest

from smallprint.voice import model

NAMES = ("Plazaly", "Northwind Bank")


def language(names: tuple[str, ...] = NAMES) -> dict[str, list[dict[str, object]]]:
    made = model.interaction_model(names)
    assert json.loads(json.dumps(made)) == made
    whole = made["interactionModel"]["languageModel"]
    assert isinstance(whole, dict)
    return whole


def test_the_invocation_is_two_plain_words() -> None:
    assert re.fullmatch(r"[a-z]+ [a-z]+", str(language()["invocationName"]))


@pytest.mark.parametrize("names", [NAMES, ()], ids=["with names", "without"])
def test_it_keeps_the_vendors_rules(names: tuple[str, ...]) -> None:
    whole = language(names)
    kinds = {kind["name"] for kind in whole["types"]}
    samples: list[str] = []
    for intent in whole["intents"]:
        assert re.fullmatch(r"(AMAZON\.)?[A-Za-z_]+", str(intent["name"]))
        slots = {slot["name"]: slot["type"] for slot in intent.get("slots", ())}  # type: ignore[attr-defined]
        assert set(slots.values()) <= {*kinds, "AMAZON.SearchQuery"}
        for sample in intent["samples"]:  # type: ignore[attr-defined]
            used = re.findall(r"\{(\w+)\}", sample)
            assert set(used) <= set(slots)
            assert re.fullmatch(r"[a-z' .{}]+", sample)
            if any(slots[one] == "AMAZON.SearchQuery" for one in used):
                assert len(used) == 1  # free text stands alone in a sample,
                assert sample != f"{{{used[0]}}}"  # and never without a fixed beginning
            samples.append(sample)
    assert len(samples) == len(set(samples)), "a sample belongs to one intent"
    assert len({str(intent["name"]) for intent in whole["intents"]}) == len(whole["intents"])


def test_it_has_the_intents_that_every_skill_needs() -> None:
    names = {intent["name"] for intent in language()["intents"]}
    for needed in ("Yes", "No", "Help", "Stop", "Cancel", "Fallback", "NavigateHome"):
        assert f"AMAZON.{needed}Intent" in names


def test_the_vendor_learns_the_names_to_listen_for() -> None:
    (kind,) = [kind for kind in language()["types"] if kind["name"] == "PolicyName"]
    assert kind["values"] == [{"name": {"value": "Plazaly"}}, {"name": {"value": "Northwind Bank"}}]


@pytest.mark.parametrize(
    ("intent", "slots", "said"),
    [
        ("AskDoIntent", {"question": "they sell my data"}, "do they sell my data"),
        ("AskForHowIntent", {"question": "long is it kept"}, "for how long is it kept"),
        ("AskIntent", {"question": "who gets my data"}, "who gets my data"),
        ("ChoosePolicyIntent", {"policy": "plazaly"}, "plazaly"),
        ("PickIntent", {"place": "second"}, "the second one"),
        ("PickIntent", {}, ""),
        ("AskDoIntent", {}, ""),
        ("MoreIntent", {}, "more"),
        ("AMAZON.YesIntent", {}, "yes"),
        ("SomethingNew", {}, ""),
    ],
)
def test_an_intent_is_what_was_said(intent: str, slots: dict[str, str], said: str) -> None:
    assert model.said(intent, slots) == said
