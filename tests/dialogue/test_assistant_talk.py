"""Conversations through the Assistant, with the shipped models: what a door relies on."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import LibraryBusy, UnknownSession
from smallprint.library import Library
from smallprint.records import Turn
from smallprint.settings import Settings

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
OWLGLASS = str(SAMPLES / "owlglass.html")

FIRST = f"""
from smallprint.assistant import Assistant
assistant = Assistant()
session = assistant.open_session({OWLGLASS!r}, keep=True)
assistant.say(session.id, "How long do you keep recordings?")
print(session.id)
"""
SECOND = """
import sys
from smallprint.assistant import Assistant
assistant = Assistant()
turn = assistant.say(sys.argv[1], "more")
print(len(turn.shown), assistant.session(sys.argv[1]).policy, assistant.say(sys.argv[1], "is it encrypted?").asked)
"""


def python(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_kept_session_survives_the_end_of_its_process(home: Path, settings: Settings) -> None:
    session = python(FIRST)
    assert python(SECOND, session) == "3 Owlglass Cameras and Services Are recordings encrypted?"
    Assistant(settings).close_session(session)
    assert not list((home / "sessions").glob("*.json"))


def test_a_forgotten_policy_takes_its_conversations_along(settings: Settings) -> None:
    assistant = Assistant(settings)
    assistant.add(OWLGLASS, name="Owl")
    kept, held = assistant.open_session("Owl", keep=True), assistant.open_session("owl")
    assert (kept.policy, held.policy) == ("Owl", "Owl")
    assistant.forget("Owl")
    for session in (kept, held):
        with pytest.raises(UnknownSession):
            assistant.say(session.id, "more")
    left = b"".join(path.read_bytes() for path in settings.home.rglob("*") if path.is_file())
    assert b"camera" not in left.lower()


def test_conversations_go_even_where_traces_stay_in_the_file(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assistant = Assistant(settings)
    assistant.add(OWLGLASS, name="Owl")
    session = assistant.open_session("Owl")

    def busy(_: Library) -> None:
        raise LibraryBusy("Another program is still reading the old pages.")

    monkeypatch.setattr(Library, "_overwrite", busy)
    with pytest.raises(LibraryBusy):
        assistant.forget("Owl")
    with pytest.raises(UnknownSession):
        assistant.session(session.id)


def test_samples_can_be_switched_to_without_being_stored(settings: Settings) -> None:
    assistant = Assistant(settings)
    session = assistant.open_session(OWLGLASS)
    assert assistant.say(session.id, "now northwind").line == "Now reading Northwind Bank."
    assert assistant.session(session.id).policy == "Northwind Bank"


def test_several_ask_at_once(settings: Settings) -> None:
    assistant = Assistant(settings)
    sessions = [assistant.open_session(OWLGLASS).id for _ in range(3)]
    turns: dict[str, Turn] = {}

    def ask(session: str) -> None:
        turns[session] = assistant.say(session, "is my video encrypted?")

    threads = [threading.Thread(target=ask, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = [turns[session].answer for session in sessions]
    assert all(answer and answer.evidence for answer in answers)
    assert len({answer.summary for answer in answers if answer}) == 1
    assert assistant.read(OWLGLASS) is assistant.read(OWLGLASS)


def test_spelling_is_told_in_the_trace(settings: Settings) -> None:
    answer = Assistant(settings).ask(OWLGLASS, "is my vidoe encryptd?")
    assert answer.question.text == "is my video encrypted?"
    assert answer.question.asked == "is my vidoe encryptd?"
    assert "read “vidoe” as “video”, “encryptd” as “encrypted”" in [step.did for step in answer.trace]
