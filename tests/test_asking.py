"""A policy that is open: what is read once is not read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from smallprint import asking
from smallprint.annotate import practices
from smallprint.asking import OpenPolicy
from smallprint.assistant import Assistant
from smallprint.library import Findings
from smallprint.models.reader import Reader
from smallprint.settings import Settings

TEXT = (
    "Privacy Policy\n\nThis privacy policy tells which personal information we collect and how we use it.\n\n"
    "We collect your name and email address when you register. We never sell your personal information.\n\n"
    "We keep your data for two years. You can ask us to delete your account at any time."
)
QUESTION = "do you sell my data?"


class Keeper:
    def __init__(self) -> None:
        self.kept: Findings | None = None

    def load(self) -> Findings | None:
        return self.kept

    def keep(self, findings: Findings) -> None:
        self.kept = findings


@pytest.fixture
def texts_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that the reader reads but the questions."""
    seen: list[str] = []

    def noting(method: Callable[[Reader, list[str]], object]) -> Callable[[Reader, list[str]], object]:
        def noted(reader: Reader, texts: list[str]) -> object:
            seen.extend(texts)
            return method(reader, texts)

        return noted

    for name in ("vectors", "read"):
        monkeypatch.setattr(Reader, name, noting(getattr(Reader, name)))
    return seen


def policy_file(tmp_path: Path) -> str:
    path = tmp_path / "acme.txt"
    path.write_text(TEXT)
    return str(path)


def test_a_second_program_asks_the_same_file_without_reading(
    settings: Settings, tmp_path: Path, texts_read: list[str]
) -> None:
    source = policy_file(tmp_path)
    first = Assistant(settings).read(source).ask(QUESTION)
    assert texts_read
    texts_read.clear()
    second = Assistant(settings).read(source).ask(QUESTION)
    assert texts_read == []
    assert (second.confidence, second.evidence) == (first.confidence, first.evidence)


def test_a_stored_policy_is_read_at_once_and_asked_without_reading_later(
    settings: Settings, tmp_path: Path, texts_read: list[str]
) -> None:
    assistant = Assistant(settings)
    assistant.add(policy_file(tmp_path), name="Acme")
    assert texts_read
    texts_read.clear()
    assistant.add(policy_file(tmp_path), name="Acme")
    assert Assistant(settings).stored("Acme").practices()
    assert texts_read == []
    assistant.stored("Acme").ask(QUESTION)
    texts_read.clear()
    Assistant(settings).stored("Acme").ask(QUESTION)
    assert texts_read == []


def test_what_is_forgotten_is_not_kept_in_memory(settings: Settings, tmp_path: Path) -> None:
    assistant = Assistant(settings)
    assistant.add(policy_file(tmp_path), name="Acme")
    opened = assistant.stored("Acme")
    assert assistant.opened(opened.policy) is opened
    assistant.forget("Acme")
    assert assistant.opened(opened.policy) is not opened


def test_what_another_program_forgets_is_not_kept_in_memory(settings: Settings, tmp_path: Path) -> None:
    assistant = Assistant(settings)
    assistant.add(policy_file(tmp_path), name="Acme")
    opened = assistant.stored("Acme")
    Assistant(settings).forget("Acme")
    assert assistant.opened(opened.policy) is not opened


def test_pasted_text_leaves_nothing_behind(settings: Settings, tmp_path: Path) -> None:
    with Path(policy_file(tmp_path)).open("rb") as pasted:
        Assistant(settings).read("-", stdin=pasted).ask(QUESTION)
    assert not list(settings.home.rglob("*.found"))


def test_findings_of_another_reader_or_text_are_not_used(
    texts_read: list[str], settings: Settings, tmp_path: Path
) -> None:
    reading = Assistant(settings).read(policy_file(tmp_path)).reading
    keeper = Keeper()
    keeper.kept = Findings("of another", practices=(), vectors=b"\0" * 7)
    opened = OpenPolicy(reading, keeper)
    assert opened.practices()
    opened.ask(QUESTION)
    assert texts_read
    assert keeper.kept.fingerprint != "of another"


def test_kept_vectors_that_do_not_fit_are_made_again(texts_read: list[str], settings: Settings, tmp_path: Path) -> None:
    reading = Assistant(settings).read(policy_file(tmp_path)).reading
    keeper = Keeper()
    now = practices.fingerprint(reading, asking.encoders().reader)
    keeper.kept = Findings(now, vectors=b"\0" * 10)
    OpenPolicy(reading, keeper).ask(QUESTION)
    assert texts_read
