"""One turn: what was said, against what the session remembers, becomes a Turn and a new memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from smallprint.dialogue.sessions import Memory
from smallprint.records import Answer, Policy, Turn

SHOWN_AT_ONCE = 3


class Asked(Protocol):
    """A policy that can be asked."""

    @property
    def policy(self) -> Policy: ...

    def ask(self, text: str) -> Answer: ...


class Policies(Protocol):
    """Where a conversation finds policies."""

    def opened(self, policy: Policy) -> Asked: ...


def turn(session: str, memory: Memory, said: str, policies: Policies) -> tuple[Turn, Memory]:
    word = said.strip().strip("?!. ").lower()
    if word == "more" and memory.answer:
        return _more(session, memory, said, memory.answer)
    answer = policies.opened(memory.policy).ask(said)
    made = Turn(session, memory.name, said, said, answer, answer.summary, shown=answer.evidence)
    return made, replace(memory, asked=said, answer=answer, shown=0, choices=())


def _more(session: str, memory: Memory, said: str, answer: Answer) -> tuple[Turn, Memory]:
    following = answer.more[memory.shown : memory.shown + SHOWN_AT_ONCE]
    line = "Here is what else comes close." if following else "That is all there is."
    made = Turn(session, memory.name, said, memory.asked, None, line, shown=following)
    return made, replace(memory, shown=memory.shown + len(following))
