"""What the skill answers: every request of the vendor's becomes a turn of a conversation, and the turn speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from smallprint.assistant import Assistant
from smallprint.dialogue import naming
from smallprint.dialogue.intent import chosen
from smallprint.errors import SmallprintError, UnknownSession
from smallprint.records import Choice
from smallprint.voice import model
from smallprint.voice.reply import SENTENCES, Reply, State, listed, of_turn

# The skill's own words about whose ears hear them.
NOTICE: Final = "What you say passes through Amazon before it reaches me; I keep none of it myself."
WHAT: Final = "What do you want to know?"
WHICH: Final = "Whose policy shall I look at?"
HELP: Final = (
    "Name a stored policy, then ask in your own words, as: do they sell my data, or, how long do they keep my photos."
    " I read out up to three sentences of the policy; say more to hear others, or why, or another policy's name."
)
NOT_CAUGHT: Final = "I did not catch that. Begin with a word like do, can, what, who or how: do they sell my data?"
BROKE: Final = "Sorry, that did not work. Please ask again."
SLOW: Final = "That takes me longer than I may make you wait. Please ask again in a moment."
EMPTY: Final = "There is no policy in your library yet. Store one with Smallprint first, then come back."
AFRESH: Final = "It has been a while, so we start afresh with {name}."
BYE: Final = "Goodbye."
MORE: Final = "more"
_OFFERED: Final = 4


@dataclass(frozen=True, slots=True)
class Heard:
    """A request taken apart: `intent` is its type where it is no IntentRequest."""

    intent: str
    words: str
    state: State
    new: bool

    @classmethod
    def of(cls, request: Mapping[str, Any]) -> Heard:
        """Fields that are missing or new must not break it: the vendor says that both happen."""
        inner, session = _dict(request.get("request")), _dict(request.get("session"))
        intent = _dict(inner.get("intent"))
        slots = {name: str(_dict(slot).get("value") or "") for name, slot in _dict(intent.get("slots")).items()}
        name = str(intent.get("name") if inner.get("type") == "IntentRequest" else inner.get("type"))
        state = State.of(_dict(session.get("attributes")))
        return cls(name, model.said(name, slots), state, session.get("new") is True)


class Skill:
    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The response to a request that was verified."""
        heard = Heard.of(request)
        try:
            reply = self._reply(heard)
        except SmallprintError:
            reply = Reply((BROKE,), heard.state, asks=WHAT)
        if heard.new and reply.says:
            reply = replace(reply, shows=(*reply.shows, NOTICE))
        return reply.as_json()

    def too_slow(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return Reply((SLOW,), Heard.of(request).state, asks=WHAT).as_json()

    def _reply(self, heard: Heard) -> Reply:
        state = heard.state
        match heard.intent:
            case "LaunchRequest":
                return self._begin(State(), NOTICE)
            case "SessionEndedRequest":
                self._assistant.close_session(state.session)
                return Reply()
            case "AMAZON.StopIntent" | "AMAZON.CancelIntent" | "AMAZON.NavigateHomeIntent":
                self._assistant.close_session(state.session)
                return Reply((BYE,))
            case "ForgetIntent":
                self._assistant.close_session(state.session)
                return Reply(("This conversation is forgotten.", BYE))
            case "AMAZON.HelpIntent":
                asks = WHAT if state.session else WHICH
                return Reply((HELP, NOTICE, asks), state, asks=asks)
            case "AMAZON.FallbackIntent":
                return Reply((NOT_CAUGHT,), state, asks=NOT_CAUGHT)
            case _ if not heard.words:
                return Reply() if heard.intent.endswith("Request") else Reply((NOT_CAUGHT,), state, asks=NOT_CAUGHT)
            case _ if state.session:
                return self._say(heard)
            case _:
                return self._choose(heard)

    def _begin(self, state: State, *says: str) -> Reply:
        """With one policy there is nothing to choose."""
        names = self._names()
        if not names:
            return Reply((EMPTY,))
        if len(names) == 1:
            return self._open(names[0], state, *says)
        others = f"{len(names) - _OFFERED} more" if len(names) > _OFFERED else ""
        shown = names[:_OFFERED]
        have = f"I have {listed([*shown, others] if others else shown, 'and')}."
        return Reply((*says, have, WHICH), replace(state, offered=shown), asks=WHICH)

    def _choose(self, heard: Heard) -> Reply:
        """Before there is a policy to talk about: a name, a choice of those offered, or a question that has to wait."""
        state, picked = heard.state, self._picked(heard)
        if picked:
            return self._open(picked, state)
        if _is_question(heard.intent):
            state = replace(state, question=heard.words)
            named = [name for name in self._names() if _mentions(heard.words, name)]
            return self._open(named[0], state) if len(named) == 1 else self._begin(state)
        if heard.intent != model.CHOOSE:
            return self._begin(state)
        fit = fitting(heard.words, self._names())
        if fit.sure:
            return self._open(fit.names[0], state)
        if not fit.names:
            return self._begin(state, f"I have no policy of {heard.words}.")
        offered = fit.names[:_OFFERED]
        which = f"Do you mean {listed(offered, 'or')}?"
        return Reply((which,), replace(state, offered=offered), asks=which)

    def _picked(self, heard: Heard) -> str | None:
        """One of the names that were offered."""
        offered = heard.state.offered
        if heard.intent == "AMAZON.YesIntent" and len(offered) == 1:
            return offered[0]
        picked = chosen(heard.words, [Choice(name, name) for name in offered]) if offered else None
        return picked.label if picked else None

    def _open(self, name: str, state: State, *says: str) -> Reply:
        session = self._assistant.open_session(name)
        opened = State(session.id, name)
        if state.question:
            return of_turn(self._assistant.say(session.id, state.question, at_once=SENTENCES), opened, *says)
        return Reply((*says, f"This is the policy of {name}.", WHAT), opened, asks=WHAT)

    def _say(self, heard: Heard) -> Reply:
        state = heard.state
        words = state.yes if heard.intent == "AMAZON.YesIntent" and state.yes else self._worded(heard)
        try:
            turn = self._assistant.say(state.session, words, at_once=SENTENCES)
        except UnknownSession:
            afresh = State(question=heard.words if _is_question(heard.intent) else "")
            return self._open(state.policy, afresh, AFRESH.format(name=state.policy))
        return of_turn(turn, state, more=words == MORE)

    def _worded(self, heard: Heard) -> str:
        """What the vendor took for a policy's name may be none, but an answer: then the conversation understands it."""
        fit = fitting(heard.words, self._assistant.names()) if heard.intent == model.CHOOSE else None
        if fit and fit.names:
            return f"switch to {fit.names[0] if fit.sure else heard.words}"
        return heard.words

    def _names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self._assistant.list())


def fitting(name: str, names: Sequence[str]) -> naming.Fit:
    """The policies that a spoken name may mean. Where words end is a guess of the vendor's: "plaza lee" is Plazaly."""
    for said in (name, name.replace(" ", "")):
        wanted = naming.wanted(f"switch to {said}")
        fit = naming.fitting(wanted, names) if wanted else naming.Fit((), False)
        if fit.names:
            break
    return fit


def _is_question(intent: str) -> bool:
    return intent == model.ASK or intent in model.openers()


def _mentions(text: str, name: str) -> bool:
    return f" {' '.join(_letters(name))} " in f" {' '.join(_letters(text))} "


def _letters(text: str) -> Sequence[str]:
    return "".join(c if c.isalnum() else " " for c in text.casefold().replace("'s", "")).split()


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
