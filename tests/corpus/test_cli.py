"""`smallprint ingest` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from corpus_helpers import row, write_rows

from smallprint.cli.commands import smallprint
from smallprint.library import Library
from smallprint.settings import Settings


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMALLPRINT_HOME", str(tmp_path / "home"))
    return write_rows(tmp_path / "c.jsonl", [row("A"), "{", row("B")])


def run(*arguments: object) -> Result:
    return CliRunner().invoke(smallprint, ["ingest", *map(str, arguments), "--workers", "0", "--quick"])


def call(*arguments: str) -> Result:
    return CliRunner().invoke(smallprint, list(arguments))


def test_data_goes_to_stdout_as_one_document(corpus: Path, tmp_path: Path) -> None:
    report = tmp_path / "bad.jsonl"
    result = run(corpus, "--json", "--report", report)
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert (said["stored"], said["refused"], said["problems"]) == (2, 1, {"BadRow": 1})
    (problem,) = map(json.loads, report.read_text().splitlines())
    assert (problem["place"], problem["kind"]) == (f"{corpus}:2", "BadRow")
    assert problem["reason"]


def test_talk_goes_to_stderr(corpus: Path) -> None:
    result = run(corpus)
    assert result.stdout == ""
    assert "Stored 2 policies" in result.stderr
    assert "1 could not be stored: 1 BadRow." in result.stderr
    assert "Done before: 2 documents." in run(corpus).stderr


def test_ranks_reach_the_services(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "ranks.csv").write_text("7,a.com\n")
    assert json.loads(run(corpus, "--json", "--ranks", tmp_path / "ranks.csv").stdout)["ranked"] == 1
    with Library.open(Settings(home=tmp_path / "home")) as library:
        assert [shelved.rank for shelved in library.shelved([1, 2])] == [7, None]


def test_the_index_has_caught_up_at_the_end(corpus: Path, tmp_path: Path) -> None:
    run(corpus)
    with Library.open(Settings(home=tmp_path / "home")) as library:
        assert library.pending(1) == ()


def test_reannotate_reads_what_a_quick_run_left_out_once(corpus: Path) -> None:
    run(corpus)
    assert json.loads(call("reannotate", "--json").stdout) == {"done": 2, "outdated": 2}
    again = call("reannotate")
    assert (again.stdout, again.stderr) == ("", "Everything is up to date.\n")
    facets = json.loads(call("search", "--json").stdout)["facets"]
    assert facets["practice"]


@pytest.mark.parametrize("arguments", [(), ("missing.jsonl",), ("--workers", "-1", "x")])
def test_misuse(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code != 0


@pytest.mark.parametrize("report", ["missing/r.jsonl", ".", ""])
def test_a_report_that_cannot_be_written_is_misuse_before_anything_is_read(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(corpus, "--report", report)
    assert result.exit_code == 2
    assert "Error: Invalid value for '--report'" in result.stderr
    assert not (tmp_path / "home").exists()


def test_trying_the_reports_place_leaves_what_is_there(corpus: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.jsonl"
    report.write_text("before")
    assert run(corpus, tmp_path / "missing.jsonl", "--report", report).exit_code != 0
    assert report.read_text() == "before"
    assert not list(tmp_path.glob("*.part"))
