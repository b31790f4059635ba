"""A dialogue without a speaker: typed words become the vendor's requests, by our own interaction model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smallprint.voice import model
from smallprint.voice.skill import Skill, fitting

_STOPS = {"stop": "AMAZON.StopIntent", "quit": "AMAZON.StopIntent", "cancel": "AMAZON.CancelIntent"}
_SLOT = re.compile(r"\{(\w+)\}")


class Dialogue:
    """One session, from its launch until the skill ends it."""

    def __init__(self, skill: Skill, names: Sequence[str]) -> None:
        self._skill = skill
        self._names = names
        self._language = model.interaction_model(names)["interactionModel"]["languageModel"]
        self._attributes: dict[str, Any] = {}
        self._new = True
        self.over = False

    def launch(self) -> dict[str, Any]:
        return self._send({"type": "LaunchRequest"})

    def say(self, text: str) -> dict[str, Any]:
        name, slots = self.understand(text)
        filled = {slot: {"name": slot, "value": value} for slot, value in slots.items()}
        return self._send({"type": "IntentRequest", "intent": {"name": name, "slots": filled}})

    def hang_up(self) -> dict[str, Any]:
        return self._send({"type": "SessionEndedRequest", "reason": "USER_INITIATED"})

    def understand(self, text: str) -> tuple[str, Mapping[str, str]]:
        """The intent with most fixed words among those that fit, as the vendor would take it; else the fallback."""
        plain = " ".join(text.lower().replace("’", "'").strip(" ?!.,").split())
        if plain in _STOPS:
            return _STOPS[plain], {}
        fitting = sorted(self._fitting(plain), key=lambda one: -one[0])
        return (fitting[0][1], fitting[0][2]) if fitting else ("AMAZON.FallbackIntent", {})

    def _fitting(self, plain: str) -> Iterator[tuple[int, str, Mapping[str, str]]]:
        for intent in self._language["intents"]:
            kinds = {slot["name"]: slot["type"] for slot in intent.get("slots", ())}
            for sample in intent["samples"]:
                found = re.fullmatch(self._pattern(sample, kinds), plain)
                bare = sample == "{policy}"  # the vendor leans on the names it knows
                if found and not (bare and not fitting(plain, self._names).names):
                    yield len(_SLOT.sub("", sample)), intent["name"], found.groupdict()

    def _pattern(self, sample: str, kinds: Mapping[str, str]) -> str:
        def slot(match: re.Match[str]) -> str:
            values = model.words()["ordinals"] if kinds[match[1]] == "Place" else (".+",)
            return f"(?P<{match[1]}>{'|'.join(values)})"

        return _SLOT.sub(slot, sample)

    def _send(self, request: dict[str, Any]) -> dict[str, Any]:
        session = {"new": self._new, "attributes": self._attributes}
        response = self._skill.answer({"version": "1.0", "session": session, "request": request})
        self._new, self._attributes = False, response["sessionAttributes"]
        self.over = response["response"].get("shouldEndSession", True)
        return response
