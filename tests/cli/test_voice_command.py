from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "smallprint.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True)


@pytest.fixture
def stored(home: Path) -> Path:
    assert run("add", str(SAMPLES / "plazaly.html"), "--name", "Plazaly").returncode == 0
    return home


@pytest.mark.usefixtures("stored")
def test_a_dialogue_in_the_terminal() -> None:
    told = run("voice", "say", "do they sell my profile information", "more", "stop", "never said")
    assert told.returncode == 0, told.stderr
    assert "This is the policy of Plazaly." in told.stdout
    assert "We may sell profile information" in told.stdout
    assert "Goodbye." in told.stdout
    assert "never said" not in told.stdout
    typed = run("voice", "say", stdin="do they sell my profile information\n")
    assert "We may sell profile information" in typed.stdout
    responses = json.loads(run("voice", "say", "stop", "--json").stdout)
    assert [one["response"]["shouldEndSession"] for one in responses] == [False, True]


@pytest.mark.usefixtures("stored")
def test_the_model_knows_the_library() -> None:
    model = json.loads(run("voice", "model").stdout)["interactionModel"]["languageModel"]
    assert {"name": {"value": "Plazaly"}} in next(t for t in model["types"] if t["name"] == "PolicyName")["values"]


@pytest.mark.usefixtures("home")
def test_an_empty_library_is_said_so() -> None:
    told = run("voice", "say", "do they sell my data")
    assert told.returncode == 0
    assert "no policy in your library" in told.stdout
    assert json.loads(run("voice", "model").stdout)["interactionModel"]
