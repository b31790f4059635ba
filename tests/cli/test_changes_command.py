from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from smallprint.assistant import Assistant
from smallprint.cli.commands import smallprint
from smallprint.library import Library
from smallprint.settings import Settings

POLICY = """Privacy Policy

This privacy policy explains how Fernhill collects, uses and shares your personal information.

We collect your name and your email address when you open an account.

We {} share your location with advertising partners.

You may contact us about this privacy policy and ask us to delete your personal data at any time.
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMALLPRINT_HOME", str(tmp_path / "home"))
    for name, words in (("old", "will not"), ("new", "may")):
        (tmp_path / f"{name}.txt").write_text(POLICY.format(words))
    settings = Settings(home=tmp_path / "home")
    assistant = Assistant(settings)
    with Library.open(settings) as library:
        for name, year in (("old", 2021), ("new", 2024)):
            policy = assistant.read(str(tmp_path / f"{name}.txt"), force=True).policy
            library.add(policy, "Fernhill", datetime(year, 5, 6, tzinfo=UTC))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(smallprint, ["changes", *arguments])


@pytest.mark.usefixtures("home")
def test_the_timeline_of_a_stored_policy() -> None:
    done = run("Fernhill")
    assert done.exit_code == 0, done.output
    assert "2021-05-06 → 2024-05-06" in done.stdout
    assert "Weakened" in done.stdout
    assert "- We will not share your location with advertising partners." in done.stdout
    assert "stood since 2021-05-06" in done.stdout
    assert "Nothing else changed." in done.stdout


@pytest.mark.usefixtures("home")
def test_one_json_document() -> None:
    found = json.loads(run("Fernhill", "--since", "2024", "--json").stdout)
    assert found["service"] == "Fernhill"
    (change,) = found["revisions"][0]["changes"]
    assert (change["kind"], change["category"], change["since"]) == ("weakened", "third", "2021-05-06")


@pytest.mark.usefixtures("home")
def test_since_may_leave_nothing() -> None:
    assert "the newest is of 2024-05-06" in run("Fernhill", "--since", "2025").stdout
    assert isinstance(run("Fernhill", "--since", "May").exception, Exception)


def test_two_files(home: Path) -> None:
    done = run(str(home / "new.txt"), str(home / "old.txt"), "--force", "--json")
    assert done.exit_code == 0, done.output
    (change,) = json.loads(done.stdout)["changes"]
    assert change["new"] == "We will not share your location with advertising partners."


@pytest.mark.usefixtures("home")
def test_when_words_first_appeared() -> None:
    assert run("Fernhill", "--first", "may share your location").stdout == "2024-05-06  first appeared\n"
    assert run("Fernhill", "--first", "will not share").stdout == "2021-05-06  first appeared\n2024-05-06  gone\n"
    assert "stands in no version" in run("Fernhill", "--first", "sell").stdout


@pytest.mark.usefixtures("home")
def test_misuse_is_said() -> None:
    assert run("a", "b", "--since", "2024").exit_code == 2
    assert run().exit_code == 2


def test_a_single_version_has_nothing_to_compare(home: Path) -> None:
    Assistant(Settings(home=home / "home")).add(str(home / "new.txt"), name="Single", force=True)
    assert "nothing to compare yet" in run("Single").stdout
