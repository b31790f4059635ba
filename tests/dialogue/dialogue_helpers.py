"""Policies and answers made by hand, so that a conversation can be tested without models."""

from __future__ import annotations

from collections.abc import Sequence

from smallprint.dialogue.memory import Memory
from smallprint.records import Answer, BlockKind, Evidence, Policy, Question, Sentence, Stance, Verdict


def policy(name: str) -> Policy:
    return Policy(f"{name}.html", f"{name} Privacy Policy", f"{name} keeps what you tell it.", (), "text/html")


def memory(name: str = "Acme") -> Memory:
    return Memory(policy(name), name)


def evidence(number: int, score: float = 0.5) -> Evidence:
    text = f"Sentence {number} of the policy."
    sentence = Sentence(number, number, BlockKind.PARAGRAPH, 0, len(text), text, ("Sharing",))
    return Evidence(sentence, (0, len(text)), score)


def answer(
    text: str, verdict: Verdict = Verdict.ANSWERED, *, more: int = 5, confidence: float = 0.8, certainty: float = 1.0
) -> Answer:
    shown = (evidence(0, 0.8),) if verdict.is_answer else ()
    return Answer(
        question=Question(text, text, ("third",), certainty=certainty),
        verdict=verdict,
        stance=Stance.NA,
        summary=f"{verdict}: {text}",
        confidence=confidence,
        evidence=shown,
        more=tuple(evidence(n, 0.1) for n in range(1, more + 1)),
    )


class FakePolicy:
    """Answers every question the same way, by what is in it."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def ask(self, text: str) -> Answer:
        self._asked.append(text)
        if "weather" in text:
            return answer(text, Verdict.OUT_OF_SCOPE)
        if "ok" in text.lower().split():
            return answer(text, Verdict.UNCLEAR)
        if "vague" in text:
            return answer(text, confidence=0.1, certainty=0.1)
        return answer(text)

    def categories_of(self, sentences: Sequence[Sentence]) -> list[dict[str, float]]:
        return [{"first": 0.9, "third": 0.8, "datasecurity": 0.1} for _ in sentences]


class FakePolicies:
    def __init__(self, *names: str) -> None:
        self._names = names
        self.asked: list[str] = []

    def names(self) -> Sequence[str]:
        return self._names

    def named(self, name: str) -> Policy:
        return policy(name)

    def opened(self, policy: Policy) -> FakePolicy:
        del policy
        return FakePolicy(self.asked)
