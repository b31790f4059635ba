from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import pytest
from click.testing import CliRunner

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.judged import ANSWERABILITY
from smallprint.bench.published.headings import ROWS
from smallprint.bench.published.misspelt import ROWS as MISSPELT
from smallprint.bench.published.tables import published
from smallprint.bench.systems import SYSTEMS
from smallprint.cli.commands import smallprint
from smallprint.errors import DataMissing

SENTENCES = ["We sell names.", "We keep emails for a year.", "Bye."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "privacyqa").mkdir()
    (tmp_path / "privacyqa/docs.jsonl").write_text(json.dumps({"doc_id": "d", "sentences": SENTENCES}))
    row = {"query_id": "1", "doc_id": "d", "question": "do you sell names?", "categories": [], "unknown": []}
    gold = {"any_relevant": [0], "majority_relevant": [0]}
    hopeless: dict[str, object] = {"question": "is it fun?", "any_relevant": [], "majority_relevant": []}
    (tmp_path / "privacyqa/questions.jsonl").write_text(f"{json.dumps(row | gold)}\n{json.dumps(row | hopeless)}")
    return tmp_path


@pytest.mark.parametrize("table", published(), ids=lambda t: f"{t['system']} {t['place']}")
def test_published_tables_are_well_formed(table: dict[str, object]) -> None:
    assert {"system", "paper", "place", "bench", "measures", "note", "lines"} <= set(table)
    assert table["bench"] in registry.BENCHES
    measures, lines = table["measures"], table["lines"]
    assert isinstance(measures, list)
    assert isinstance(lines, list)
    for line in lines:
        assert set(line) <= {"name", "row", "figures"}
        assert "row" in line or "figures" in line
        assert len(line.get("figures", [])) <= len(measures)
        counts = {"words_returned", "sentences_returned", "paraphrases"}
        fractions = [f for m, f in zip(measures, line.get("figures", []), strict=False) if m not in counts]
        assert all(0 <= figure <= 1 for figure in fractions)


@pytest.mark.parametrize(
    ("bench", "known"),
    [("privacyqa", SYSTEMS), ("answerability", ANSWERABILITY), ("headings", ROWS), ("misspelt", MISSPELT)],
)
def test_tables_name_rows_that_there_are(bench: str, known: Collection[str]) -> None:
    named = {line["row"] for t in published() if t["bench"] == bench for line in t["lines"] if "row" in line}
    assert named
    assert named <= set(known)


def test_published_and_ours_stand_side_by_side(folder: Path) -> None:
    report = registry.run("tables", DataDir(folder), "S7")
    answerable, sentences = report.tables
    assert "Table 5" in answerable.title
    by_name = {line.name: line for line in sentences.lines}
    assert by_name["No answer"].published == (0.28, 0.28, 0.28)
    assert by_name["No answer"].ours == (0.5, 0.5, 0.5)
    assert by_name["People"].ours == (None, None, None)
    assert None not in by_name["Smallprint"].ours
    assert by_name["Smallprint"].published == (None, None, None)
    row = report.as_json()["systems"][f"{sentences.title}: No answer"]
    assert row["f1_majority"] == 0.5
    assert row["f1_majority_published"] == 0.28


def test_ours_is_what_the_bench_says(folder: Path) -> None:
    data = DataDir(folder)
    table = registry.run("tables", data, "S7").tables[1]
    line = next(line for line in table.lines if line.name == "Word count, 2")
    row = registry.run("privacyqa", data, "word-count-2").systems["word-count-2"]
    assert line.ours == tuple(row[measure] for measure in table.measures)


def test_missing_data_leaves_a_note_and_the_published_figure(folder: Path) -> None:
    report = registry.run("tables", DataDir(folder), "S4")
    assert report.tables[0].lines[0].published == (0.73, 0.85)
    assert report.tables[0].lines[0].ours == (None, None)
    assert any("corpus/policies" in note for note in report.notes)


def test_an_unknown_system_is_refused(folder: Path) -> None:
    with pytest.raises(DataMissing, match="S7"):
        registry.run("tables", DataDir(folder), "S77")


def test_the_terminal_shows_both_figures(folder: Path) -> None:
    result = CliRunner().invoke(smallprint, ["bench", "tables", "--system", "S7", "--data", str(folder)])
    assert result.exit_code == 0
    line = next(line for line in result.stdout.splitlines() if line.strip().startswith("No answer"))
    assert line.count("0.280 | 0.500") == 3
