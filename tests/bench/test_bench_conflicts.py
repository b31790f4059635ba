from __future__ import annotations

import json
from pathlib import Path

import pytest

from smallprint.bench.conflicts import negation_rule, run, scores
from smallprint.bench.data import DataDir
from smallprint.errors import DataMissing


def row(first: str, second: str, label: str) -> dict[str, str]:
    return {"doc_id": first, "a": first, "b": second, "a_heading": "", "b_heading": "", "label": label}


def test_labels_pay_for_false_alarms_and_for_contradictions_called_so() -> None:
    gold = ["contradiction", "contradiction", "qualified", "compatible", "unrelated", "unrelated"]
    given = ["contradiction", "unrelated", "contradiction", "compatible", "unrelated", "compatible"]
    found = scores(gold, given)
    assert found["recall"] == 0.5
    assert found["false_alarm"] == 0.25
    assert found["f1_qualified"] == 0
    assert found["f1_unrelated"] == 0.5
    assert found["macro_f1"] == pytest.approx((0 + 2 / 3 + 1 / 2) / 3)


def test_the_rival_goes_by_denying_words() -> None:
    pairs = [
        ("We never sell personal data.", "We sell personal data."),
        ("We never sell personal data unless asked.", "We sell personal data."),
        ("We sell personal data.", "We sell personal data daily."),
        ("We never sell personal data.", "Cookies stay small."),
    ]
    assert negation_rule([row(a, b, "") for a, b in pairs]) == [
        "contradiction",
        "qualified",
        "compatible",
        "unrelated",
    ]


def test_the_bench_has_a_row_for_product_and_rival(tmp_path: Path) -> None:
    rows = [
        row("We never sell your personal data.", "We sell your personal data to brokers.", "contradiction"),
        row("Our office is in Rome.", "We never share your data without your consent.", "unrelated"),
    ]
    folder = tmp_path / "conflicts"
    folder.mkdir()
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    report = run(DataDir(tmp_path))
    assert (report.n, report.seen) == (2, 0.0)
    assert set(report.systems) == {"smallprint", "negation-rule"}
    assert report.systems["smallprint"]["recall"] == 1
    assert report.systems["smallprint"]["false_alarm"] == 0
    with pytest.raises(DataMissing):
        run(DataDir(tmp_path), "magic")
