"""A reply: what is said, what the companion screen shows, what the next request brings back to us."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from smallprint.records import Answer, Evidence, Stance, Turn, Verdict
from smallprint.voice import speech

MORE: Final = "Want more?"
CLOSEST: Final = "Want to hear what comes closest?"
ELSE: Final = "What else do you want to know?"
SENTENCES: Final = 3
SPECIAL: Final = {Verdict.PARTLY: "This comes closest:", Verdict.CONFLICTING: "It contradicts itself:"}
_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class State:
    """What the vendor carries from one request of a session to the next: the conversation and its policy's name, a
    question that waits for a policy, the names offered, what a yes would say, and how many sentences are left."""

    session: str = ""
    policy: str = ""
    question: str = ""
    offered: tuple[str, ...] = ()
    yes: str = ""
    left: int = 0

    @classmethod
    def of(cls, attributes: Mapping[str, Any]) -> State:
        texts = {name: str(attributes.get(name) or "") for name in ("session", "policy", "question", "yes")}
        offered, left = attributes.get("offered"), attributes.get("left")
        names = tuple(map(str, offered)) if isinstance(offered, list) else ()
        return cls(**texts, offered=names, left=left if isinstance(left, int) else 0)

    def attributes(self) -> dict[str, Any]:
        made = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: [*value] if isinstance(value, tuple) else value for name, value in made.items() if value}


@dataclass(frozen=True, slots=True)
class Reply:
    """`asks` is said again when nobody answers; without it the session ends. A reply that says nothing is silence."""

    says: tuple[str, ...] = ()
    state: State = field(default_factory=State)
    asks: str = ""
    title: str = ""
    shows: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        response: dict[str, Any] = {}
        if self.says:
            response["outputSpeech"] = _speech(self.says)
            response["shouldEndSession"] = not self.asks
        if self.asks:
            response["reprompt"] = {"outputSpeech": _speech((self.asks,))}
        if self.shows:
            title = (self.title or "Smallprint")[:_TITLE]
            response["card"] = {"type": "Simple", "title": title, "content": speech.card(self.shows)}
        kept = self.state.attributes() if self.asks else {}
        return {"version": "1.0", "sessionAttributes": kept, "response": response}


def of_turn(turn: Turn, state: State, *before: str, more: bool = False) -> Reply:
    """A turn of the conversation, spoken: what it comes to, the sentences, and what can be said next. `more` tells that
    the sentences are some of those held back."""
    shown = turn.shown[:SENTENCES]
    left = len(turn.answer.more) if turn.answer else state.left - (len(shown) if more else 0)
    closing, yes = _closing(turn, left if turn.answer or shown else 0)
    lead = _lead(turn)
    says = (*before, lead, *_spoken(shown), closing)
    card = (turn.asked, lead, *map(_quote, shown)) if shown or turn.answer else ()
    return Reply(
        tuple(filter(None, says)),
        State(state.session, turn.policy, yes=yes, left=left if turn.policy == state.policy else 0),
        asks=closing or lead,
        title=turn.policy,
        shows=tuple(filter(None, card)),
    )


def listed(names: Sequence[str], joint: str) -> str:
    """ "A, B and C" """
    *first, last = names
    return f"{', '.join(first)} {joint} {last}" if first else last


def _speech(parts: Sequence[str]) -> dict[str, str]:
    return {"type": "SSML", "ssml": speech.ssml(parts)}


def _lead(turn: Turn) -> str:
    answer = turn.answer
    if answer is None or not answer.verdict.is_answer:
        return speech.readable(" ".join((turn.line, *_advice(answer, turn))))
    claim = answer.summary.partition(": “")[0]
    return SPECIAL.get(answer.verdict) or claim + (":" if answer.stance is Stance.NA else ".")


def _advice(answer: Answer | None, turn: Turn) -> tuple[str, ...]:
    """What the person can do where there is no answer; not beside a question that is asked back."""
    return answer.next[:1] if answer and not answer.verdict.is_answer and not turn.choices else ()


def _closing(turn: Turn, left: int) -> tuple[str, str]:
    """What is asked at the end, and what a yes to it would say."""
    labels = [choice.label for choice in turn.choices]
    if labels and not (turn.shown and turn.answer is None):  # what was offered before may stay unsaid now
        yes = turn.choices[0].ask if len(labels) == 1 else ""
        if turn.answer and turn.answer.verdict.is_answer:
            return f"Or do you mean {listed(labels, 'or')}?", yes
        return "" if labels[-1] in turn.line else f"{listed(labels, 'or')}?", yes
    if left <= 0:
        return "" if turn.line.endswith("?") else ELSE, ""
    return CLOSEST if turn.answer and not turn.answer.verdict.is_answer else MORE, "more"


def _spoken(shown: Sequence[Evidence]) -> list[str]:
    """Nothing twice: neither the words that lead to several items, nor a sentence that led to one."""
    said: list[str] = []
    for one in shown:
        sentence, heard = one.sentence, " ".join(said)
        if speech.sentence(sentence.text) not in heard:
            again = bool(sentence.lead_in) and speech.sentence(sentence.lead_in) in heard
            said.append(speech.sentence(sentence.text if again else _whole(one)))
    return said


def _whole(evidence: Evidence) -> str:
    """An item of a list makes sense only after the words that lead to it."""
    sentence = evidence.sentence
    return f"{sentence.lead_in} {sentence.text}".strip()


def _quote(evidence: Evidence) -> str:
    where = " › ".join(evidence.sentence.headings)
    return f"“{_whole(evidence)}”" + (f"\n({where})" if where else "")
