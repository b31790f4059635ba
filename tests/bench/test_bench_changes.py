"""Made-up pairs small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smallprint.bench.changes import compared, run, scores, text_diff
from smallprint.bench.data import DataDir
from smallprint.bench.histories import kinship
from smallprint.records import Change, ChangeKind

OLD = ["We never sell your data. We keep it for a year.", "Updated in May."]
NEW = ["We may sell your data. We keep it for a year.", "Updated in June.", "Partners follow you across sites."]
ROW: dict[str, Any] = {
    "old": OLD,
    "new": NEW,
    "items": [
        {"type": "weakened", "severity": 3, "old": "We never sell your data.", "new": "We may sell your data."},
        {"type": "added", "severity": 1, "old": "", "new": "Partners follow you across sites."},
        {"type": "housekeeping", "severity": 0, "old": "Updated in May.", "new": "Updated in June."},
    ],
}


def change(kind: ChangeKind, old: str, new: str) -> Change:
    return Change(kind, "other", "", old, new, 1, 1.0)


def test_half_of_the_words_at_their_places_is_a_meeting() -> None:
    right = [change(ChangeKind.WEAKENED, "We never sell", "We may sell"), change(ChangeKind.ADDED, "", NEW[2])]
    assert scores([compared(ROW, right)]) == {
        "precision": 1.0,
        "recall": 1.0,
        "type_accuracy": 1.0,
        "false_alarm": 0.0,
        "false_alarm_alone": 0.0,
        "reported": 2.0,
    }


def test_wrong_kinds_wrong_places_and_false_alarms_count() -> None:
    wrong = [
        change(ChangeKind.CHANGED, "", "We may sell your data."),
        change(ChangeKind.ADDED, "", "Updated in June."),
        change(ChangeKind.ADDED, "", "We keep it for a year."),
        change(ChangeKind.REWORDED, "", "Partners follow you across sites."),
    ]
    found = scores([compared(ROW, wrong)])
    assert found["precision"] == 1 / 3
    assert found["recall"] == 0.5
    assert found["type_accuracy"] == 0
    assert found["false_alarm"] == 1


def test_the_same_words_elsewhere_do_not_meet() -> None:
    row = {**ROW, "new": [*NEW, "We may sell our shop."], "items": ROW["items"][:1]}
    assert scores([compared(row, [change(ChangeKind.WEAKENED, "", "We may sell our shop.")])])["precision"] == 0


def test_a_report_that_meets_both_is_a_false_alarm_but_not_alone() -> None:
    clause = {"type": "reworded", "severity": 0, "old": "", "new": "We may sell your data."}
    row = {**ROW, "items": [*ROW["items"][:1], clause]}
    found = scores([compared(row, [change(ChangeKind.WEAKENED, "", "We may sell your data.")])])
    assert (found["precision"], found["false_alarm"], found["false_alarm_alone"]) == (1, 1, 0)


@pytest.mark.parametrize(("told", "meets"), [("We may sell your data.", True), ("Updated in June.", False)])
def test_a_quote_that_is_not_in_the_text_is_met_by_its_words(told: str, meets: bool) -> None:
    item = {"type": "weakened", "severity": 3, "new": "We may … sell all of your data"}
    found = scores([compared({**ROW, "items": [item]}, [change(ChangeKind.WEAKENED, "", told)])])
    assert (found["precision"], found["recall"]) == (meets, meets)


@pytest.mark.parametrize("item", [{"type": "added"}, {"type": "added", "old": None, "new": None, "severity": None}])
def test_an_item_may_lack_quotes_and_severity(item: dict[str, Any]) -> None:
    assert scores([compared({**ROW, "items": [item]}, [])])["recall"] == 0


def test_text_diff_reports_every_changed_sentence() -> None:
    (found,) = text_diff([ROW])
    assert [(c.kind, c.old or c.new) for c in found] == [
        (ChangeKind.DROPPED, "We never sell your data."),
        (ChangeKind.DROPPED, "Updated in May."),
        (ChangeKind.ADDED, "We may sell your data."),
        (ChangeKind.ADDED, "Updated in June."),
        (ChangeKind.ADDED, "Partners follow you across sites."),
    ]
    figures = scores([compared(ROW, found)])
    assert (figures["precision"], figures["recall"], figures["false_alarm"]) == (3 / 5, 1, 1)


def test_all_versions_of_all_services_are_compared(tmp_path: Path) -> None:
    paras = ["We never sell your data to anybody.", "We may sell your data to partners.", "Write to us."]
    versions = [{"paras": [0, 2]}, {"paras": [1, 2]}, {"paras": [2, 1]}]
    rows = [{"paras": paras, "versions": versions}] * 3 + [{"paras": paras, "versions": versions[:1]}]
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "histories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    counted = run(DataDir(tmp_path), "histories").systems["histories"]
    assert (counted["services"], counted["revisions"]) == (4, 6)
    assert counted["changes"] == 3, "moving a paragraph is no change"


def test_services_with_text_in_common_are_kindred() -> None:
    long = [f"{word} " * 100 for word in ("data", "name", "cookie")]
    assert kinship({"paras": [*long, "Home"]}) == kinship({"paras": ["Menu", *reversed(long)]})
    assert kinship({"paras": long[:1]}) != kinship({"paras": long[1:2]})
    assert kinship({"paras": ["Home"]}) == kinship({"paras": []}) == 0
