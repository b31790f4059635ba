"""A conversation in the terminal, with an assistant that needs no models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from smallprint.assistant import Assistant
from smallprint.cli import render, talk
from smallprint.errors import UnknownSession
from smallprint.records import Answer, Question, Session, Stance, Turn, Verdict

Type = Callable[..., str]
ANSWER = Answer(Question("Do you sell it?", "Do you sell it?", ()), Verdict.SILENT, Stance.NA, "It does not say.", 0.9)


class FakeAssistant:
    """Answers what ends with a question mark. `over` is when a session has expired."""

    def __init__(self, *names: str, minutes: int = 1) -> None:
        self._names, self._minutes = names, minutes
        self.over = False

    def list(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self._names]

    def read(self, source: str, *, force: bool) -> SimpleNamespace:
        del source, force
        overview = SimpleNamespace(notes=(), words=200, minutes=self._minutes)
        return SimpleNamespace(overview=lambda: overview)

    def open_session(self, source: str, *, force: bool) -> Session:
        del force
        self.over = False
        return Session("s", source, 0.0, False)

    def say(self, session_id: str, text: str) -> Turn:
        if self.over:
            raise UnknownSession("over")
        self.over = text == "wait"
        return Turn(session_id, "Acme", text, "", ANSWER if text.endswith("?") else None, "All right.")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Runs a conversation in which these lines are typed; gives all that was printed."""

    def run(*lines: str, assistant: FakeAssistant | None = None, source: str | None = "Acme") -> str:
        left: Iterator[str] = iter(lines)
        monkeypatch.setattr(talk, "_prompt", lambda *_: next(left, None))
        talk.talk(cast("Assistant", assistant or FakeAssistant()), source, force=False)
        printed = capsys.readouterr()
        return printed.out + printed.err

    return run


def test_trace_shows_how_the_last_question_was_answered(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    traced: list[Answer] = []
    monkeypatch.setattr(render, "trace", traced.append)
    typed("Do you sell it?", "more", "/trace")
    assert traced == [ANSWER]


@pytest.mark.parametrize("ending", [("/start over",), ("please forget this conversation!",), ("wait", "more")])
def test_nothing_is_left_to_trace_of_what_was_forgotten(
    typed: Type, monkeypatch: pytest.MonkeyPatch, ending: tuple[str, ...]
) -> None:
    monkeypatch.setattr(render, "trace", lambda _: pytest.fail("traced"))
    assert "Nothing was asked yet." in typed("Do you sell it?", *ending, "/trace")


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("ACME", "Acme"), ("acme s", "Acme Shop"), ("2", "Acme Shop"), ("z", "Zenith"), ("ac", None), ("", None)],
)
def test_a_policy_is_chosen_by_its_name_its_beginning_or_its_number(typed: Type, wanted: str, name: str | None) -> None:
    printed = typed(wanted, assistant=FakeAssistant("Acme", "Acme Shop", "Zenith"), source=None)
    assert ("A number from 1 to 3" in printed) == (name is None)
    assert name is None or f"\n{name}: 200 words" in printed


@pytest.mark.parametrize(("minutes", "told"), [(1, "1 minute to read"), (2, "2 minutes to read")])
def test_how_long_it_takes_to_read_is_told(typed: Type, minutes: int, told: str) -> None:
    assert told in typed(assistant=FakeAssistant(minutes=minutes))
