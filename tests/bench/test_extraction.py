from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from smallprint.bench import extraction
from smallprint.bench.data import DataDir
from smallprint.bench.extraction import Extract, Gold, run, score
from smallprint.errors import DataMissing

SAID = "We collect your name and address when you open an account with us."
PAGE = f"""<html><body><nav><a href="/">Start page of us</a></nav><h2>What we collect</h2><p>{SAID}</p>
<p><b>Sharing</b></p>
<ul><li>with banks we trust</li><li>with <i>the</i> post office</li><li>nowhere else at all</li></ul>
<div class="footer"><h4>Elsewhere</h4><p>Made by Acme.</p></div></body></html>"""
SEGMENT = (
    f"What we collect <br> <br> {SAID} <br> <strong> Sharing </strong> <br> "
    "<ul> <li> with banks we trust </ul> </li> <ul> <li> with the post office </ul> </li>"
)


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    rows: list[dict[str, Any]] = [{"policy_id": 1, "text": extraction._TAG.sub(" ", SEGMENT), "html": SEGMENT}]
    pages: list[dict[str, Any]] = [
        {"policy_id": 1, "file": "one.html", "html": PAGE},
        {"policy_id": 2, "file": "no segments.html", "html": PAGE},
    ]
    folder = tmp_path / "opp115"
    folder.mkdir()
    (folder / "segments.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "html.jsonl").write_text("\n".join(map(json.dumps, pages)), encoding="utf-8")
    return DataDir(tmp_path)


def test_gold_headings_and_items_are_lines_of_the_segments(data: DataDir) -> None:
    (gold,) = extraction.gold_pages(data)
    assert gold.headings == {("what", "we", "collect"), ("sharing",)}
    assert gold.items == {("with", "banks", "we", "trust"), ("with", "the", "post", "office")}


def test_the_report_has_both_systems_and_names_the_worst_pages(data: DataDir) -> None:
    report = run(data)
    assert report.n == 1
    assert set(report.systems) == {"smallprint", "trafilatura"}
    assert set(report.data) == {"opp115/html.jsonl", "opp115/segments.jsonl"}
    ours = report.systems["smallprint"]
    assert ours["recall"] == ours["heading_recall"] == ours["list_recall"] == 1.0
    # "nowhere else at all" is on the page but not in the gold: 4 of 29 words.
    assert ours["precision"] == pytest.approx(25 / 29)
    assert any(note.startswith("smallprint one.html: f1") for note in report.notes)


def test_one_system_can_run_alone(data: DataDir) -> None:
    assert set(run(data, "trafilatura").systems) == {"trafilatura"}
    with pytest.raises(DataMissing, match="no system"):
        run(data, "guess")


def test_scores_count_repeated_words_once_per_use() -> None:
    gold = Gold("p", "", Counter({"data": 2, "we": 1}), frozenset(), frozenset())
    found = score(gold, Extract(Counter({"data": 3, "sell": 1}), frozenset(), frozenset()))
    assert found.precision == 0.5
    assert found.recall == pytest.approx(2 / 3)
    assert found.headings is None
    assert found.items is None


def test_headings_may_lose_their_number_and_items_their_later_paragraphs() -> None:
    found = Extract(Counter("x"), frozenset({("sharing",)}), frozenset({("we", "keep", "logs")}))
    assert extraction._has_heading(("4", "sharing"), found)
    assert not extraction._has_heading(("4", "keeping"), found)
    assert extraction._has_item(("we", "keep", "logs", "for", "long"), found)
    assert not extraction._has_item(("we", "keep"), found)


def test_a_rival_that_is_not_installed_is_left_out_with_a_note(data: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    report = run(data)
    assert set(report.systems) == {"smallprint"}
    assert "trafilatura is not installed" in report.notes[-1]
    with pytest.raises(DataMissing, match="trafilatura is not installed"):
        run(data, "trafilatura")


@pytest.mark.parametrize("markup", ["", " ", "<!-- nothing -->"])
def test_a_page_without_text_loses_everything(markup: str, data: DataDir) -> None:
    rows = [{"policy_id": 1, "html": markup}]
    (data.root / "opp115/html.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert {row["recall"] for row in run(data).systems.values()} == {0.0}


@pytest.mark.parametrize("segment", [{}, {"html": None}])
def test_segments_without_markup_have_no_gold_headings(segment: dict[str, Any], data: DataDir) -> None:
    row = {"policy_id": 1, "text": SAID, **segment}
    (data.root / "opp115/segments.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (gold,) = extraction.gold_pages(data)
    assert (gold.headings, gold.items) == (frozenset(), frozenset())
