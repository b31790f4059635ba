"""The interaction model: what the vendor has to know to turn speech into intents, and what an intent says.

The vendor gives free text only as what follows a fixed beginning, so that each beginning of a question is an intent.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from smallprint.dialogue.intent import words as dialogue_words

CHOOSE: Final = "ChoosePolicyIntent"
PICK: Final = "PickIntent"
ASK: Final = "AskIntent"
PLAIN: Final = ("AMAZON.StopIntent", "AMAZON.CancelIntent", "AMAZON.NavigateHomeIntent", "AMAZON.FallbackIntent")
FREE_TEXT: Final = "AMAZON.SearchQuery"
MOST_NAMES: Final = 1_000
_SAYABLE = re.compile(r"[a-z' .{}]+")


@cache
def words() -> dict[str, Any]:
    return tomllib.loads(files("smallprint.voice").joinpath("words.toml").read_text("utf-8"))


@cache
def openers() -> Mapping[str, str]:
    """The intent of each beginning of a question."""
    return {f"Ask{re.sub('[^A-Za-z]', '', opener.title())}Intent": opener for opener in words()["openers"]}


def interaction_model(names: Sequence[str]) -> dict[str, Any]:
    """For the skill's editor. The vendor learns the names of the stored policies, so that it can understand them."""
    values = [{"name": {"value": name}} for name in names[:MOST_NAMES]]
    kinds = [{"name": "Place", "values": [{"name": {"value": one}} for one in words()["ordinals"]]}]
    return {
        "interactionModel": {
            "languageModel": {
                "invocationName": words()["invocation"],
                "intents": _intents("PolicyName" if values else FREE_TEXT),
                "types": [*kinds, {"name": "PolicyName", "values": values}] if values else kinds,
            }
        }
    }


def said(intent: str, slots: Mapping[str, str]) -> str:
    """The words behind an intent, as a person would type them; empty where there are none."""
    if intent in words()["phrases"]:
        return str(dialogue_words()[words()["phrases"][intent]][0])
    if intent == PICK:
        return f"the {slots['place']} one" if slots.get("place") else ""
    text = slots.get("question") or slots.get("policy") or ""
    return f"{openers()[intent]} {text}" if text and intent in openers() else text


def _intents(kind_of_name: str) -> list[dict[str, Any]]:
    asks = [_intent(name, [f"{opener} {{question}}"], question=FREE_TEXT) for name, opener in openers().items()]
    plainly = [f"{beginning} {{question}}" for beginning in words()["asking"]]
    bare = [] if kind_of_name == FREE_TEXT else ["{policy}", "about {policy}"]
    choosing = [*(f"{beginning} {{policy}}" for beginning in words()["choosing"]), *bare]
    phrases = [_intent(name, _samples(dialogue_words()[key])) for name, key in words()["phrases"].items()]
    return [
        *asks,
        _intent(ASK, plainly, question=FREE_TEXT),
        _intent(CHOOSE, choosing, policy=kind_of_name),
        _intent(PICK, words()["picking"], place="Place"),
        *phrases,
        *(_intent(name, []) for name in PLAIN),
    ]


def _samples(listed: Sequence[str]) -> list[str]:
    """What can be said, each once; letters alone are for typing."""
    return [one for one in dict.fromkeys(listed) if _SAYABLE.fullmatch(one) and len(one) > 1]


def _intent(name: str, samples: Sequence[str], **slots: str) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "samples": list(samples)}
    if slots:
        made["slots"] = [{"name": slot, "type": kind} for slot, kind in slots.items()]
    return made
