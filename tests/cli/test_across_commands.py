"""`surprise`, `ambiguity`, `compare`, `find`, `check` and `norms` as a person uses them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from smallprint.cli.commands import smallprint
from smallprint.errors import SmallprintError

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
PLAZALY, QUIETLANE = str(SAMPLES / "plazaly.html"), str(SAMPLES / "quietlane.html")
Run = Callable[..., Result]


@pytest.fixture
def run(home: Path) -> Run:
    def command(*arguments: str, stdin: bytes | None = None) -> Result:
        done = CliRunner().invoke(smallprint, arguments, input=stdin)
        if done.exception and not isinstance(done.exception, SystemExit | SmallprintError):
            raise done.exception
        return done

    assert not home.exists()
    return command


def load(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_surprise_says_what_few_of_its_kind_do(run: Run) -> None:
    made = load(run("surprise", PLAZALY, "--json"))
    sold = next(one for one in made["surprises"] if one["trait"] == "sells/data")
    assert sold["sentence"]["text"].startswith("We may sell profile information")
    assert made["measured_against"]["policies"] >= 50
    shown = run("surprise", PLAZALY, "--sector", "all").stdout
    assert "Few of its kind do this" in shown
    assert "policies say this" in " ".join(shown.split())


def test_ambiguity_has_a_yardstick(run: Run) -> None:
    made = load(run("ambiguity", QUIETLANE, "--json"))
    assert 0 < made["usual"] < 1
    worst = [sentence for practice in made["practices"] for sentence in practice["worst"]]
    assert worst
    assert all(sentence["words"] for sentence in worst)
    assert "half of its kind are below" in run("ambiguity", QUIETLANE).stdout


def test_compare_has_a_sentence_or_silence_in_every_cell(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    made = load(run("compare", PLAZALY, QUIETLANE, "--ask", "Do you sell my data?", "--csv", str(table), "--json"))
    assert made["names"] == ["Plazaly", "Quietlane VPN"]
    cells = [cell for row in made["rows"] for cell in row["cells"]]
    assert all((cell["stance"] is None) == (cell["sentence"] is None) for cell in cells)
    rows = list(csv.reader(table.read_text("utf-8").splitlines()))
    assert rows[0] == ["question or practice", "Plazaly", "Quietlane VPN"]
    assert rows[1][0] == "Do you sell my data?"
    assert len(rows) == len(made["rows"]) + 2


def test_compare_on_a_topic_in_the_terminal(run: Run) -> None:
    shown = run("compare", PLAZALY, QUIETLANE, "--on", "location").stdout
    assert "What do you do about location?" in shown
    assert "where you are" in shown
    assert "says nothing" in shown


def test_misuse(run: Run, tmp_path: Path) -> None:
    assert run("compare", PLAZALY).exit_code == 2
    assert run("compare", "-", "-").exit_code == 2
    assert run("check", PLAZALY, "--against", "hipaa").exit_code == 2
    assert "no sector" in str(run("surprise", PLAZALY, "--sector", "plumbing").exception)
    missing = run("compare", PLAZALY, QUIETLANE, "--csv", str(tmp_path / "none" / "x.csv"))
    assert "can't be written" in str(missing.exception)


def test_two_of_one_name_are_told_apart(run: Run) -> None:
    assert load(run("compare", PLAZALY, PLAZALY, "--on", "cookies", "--json"))["names"] == [
        "Plazaly (1)",
        "Plazaly (2)",
    ]


def test_find_lists_who_says_so_and_calls_silence_no_promise(run: Run) -> None:
    run("add", PLAZALY, QUIETLANE, str(SAMPLES / "northwind-bank.html"))
    made = load(run("find", "doesn't sell my data", "--json"))
    assert {match["service"] for match in made["matches"]} == {"Quietlane VPN", "Northwind Bank"}
    shown = run("find", "doesn't sell my data", "--against").stdout
    assert "These say they don't: sell my data" in shown
    assert "that is no promise" in " ".join(shown.split())


def test_find_in_an_empty_library_says_how_to_fill_it(run: Run) -> None:
    done = run("find", "doesn't sell my data")
    assert "smallprint add SOURCE" in done.stdout
    assert "promise" not in done.stdout


def test_check_gives_each_item_and_the_warning(run: Run) -> None:
    made = load(run("check", PLAZALY, "--against", "coppa", "--json"))
    assert made["items"][0]["law"].startswith("16 CFR")
    shown = run("check", PLAZALY, "--against", "coppa").stdout
    assert "This is no legal advice" in " ".join(shown.split())


def test_norms_of_the_own_library_and_back(run: Run) -> None:
    assert "No stored policy" in str(run("norms", "build").exception)
    run("add", QUIETLANE)
    assert load(run("norms", "build", "--json"))["policies"]["all"] == 1
    own = load(run("norms", "show", "--json"))
    assert (own["own"], own["policies"]) == (True, 1)
    shown = run("norms", "show")
    assert "These are few" in shown.stdout
    assert "edition" not in shown.stderr
    assert "are back" in run("norms", "reset").stderr
    run("norms", "build")
    run("forget", "--all", "--yes")
    assert load(run("norms", "show", "--json"))["policies"] > 1_000
    assert "already" in run("norms", "reset").stderr
