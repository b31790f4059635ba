"""Which rows count, and what they may lack: the same for every bench, on one or two made-up rows each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.judged import ANSWERABILITY
from smallprint.bench.report import Report
from smallprint.bench.systems import SYSTEMS
from smallprint.errors import DataMissing

Row = dict[str, Any]
POLICY: Row = {"doc_id": "d", "sentences": ["We sell names to brokers.", "We keep emails for a year."]}
QUESTION: Row = {"doc_id": "d", "question": "do you sell my name?", "any_relevant": [0], "majority_relevant": [0]}
ASKED: Row = {"doc_id": "d", "question": "do you sell my name?", "kind": "answerable"}
SAID = "We may sell your name to certain brokers."
CATEGORY = "Third Party Sharing/Collection"

# bench → file of its gold rows, and a row with nothing but what it cannot do without
ROWS: dict[str, tuple[str, Row]] = {
    "privacyqa": ("privacyqa/questions", QUESTION),
    "asked": ("asked/questions", ASKED),
    "answerability": ("privacyqa/questions", QUESTION),
    "question-category": ("privacyqa/questions", {"question": "do you sell my name?", "categories": ["third"]}),
    "policyqa": ("policyqa/dev", {"context": SAID, "question": "to whom?", "answers": [{"text": "certain brokers"}]}),
    "opp115": ("opp115/segments", {"text": SAID, "majority": [CATEGORY]}),
    "vagueness": ("vagueness/sentences", {"text": SAID, "mean": 3.5}),
    "detector": ("detector/documents", {"text": SAID, "label": 1, "clean": True}),
    "sectors": ("sectors/services", {"text": "We are a bank.", "sector": "finance", "sure": 2}),
    "conflicts": ("conflicts/pairs", {"a": SAID, "b": "We never sell names.", "label": "contradiction"}),
    "changes": ("changes/pairs", {"old": ["We never sell names."], "new": [SAID], "items": [{"type": "weakened"}]}),
}
LEFT_OUT: dict[str, Row] = {
    "privacyqa": {"doc_id": "of another set"},
    "asked": {"doc_id": "of another set"},
    "answerability": {"doc_id": "of another set"},
    "question-category": {"categories": None},
    "policyqa": {"answers": []},
    "opp115": {"majority": None},
    "detector": {"clean": None},
    "sectors": {"sure": None},
}


def write(root: Path, name: str, rows: list[Row]) -> None:
    path = root / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def data_of(root: Path, bench: str, rows: list[Row], policies: list[Row] | None = None) -> DataDir:
    for folder in ("privacyqa", "asked"):
        write(root, f"{folder}/docs", policies or [POLICY])
    write(root, ROWS[bench][0], rows)
    return DataDir(root)


def run(root: Path, bench: str, rows: list[Row]) -> Report:
    return registry.run(bench, data_of(root, bench, rows), "smallprint")


@pytest.mark.parametrize("bench", ROWS)
def test_only_the_test_split_counts(bench: str, tmp_path: Path) -> None:
    row = ROWS[bench][1]
    assert run(tmp_path, bench, [{**row, "split": "train"}, {**row, "split": "test"}, row]).n == 1


@pytest.mark.parametrize("bench", ROWS)
def test_a_bench_without_rows_says_so(bench: str, tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=f"no row in {ROWS[bench][0]}.jsonl to measure on"):
        run(tmp_path, bench, [])


@pytest.mark.parametrize("bench", LEFT_OUT)
def test_rows_that_do_not_count_are_left_out_of_everything(bench: str, tmp_path: Path) -> None:
    row = ROWS[bench][1]
    other = {**row, **LEFT_OUT[bench]}
    assert run(tmp_path, bench, [row, other]).n == 1
    lacking = {name: value for name, value in other.items() if value is not None}
    with pytest.raises(DataMissing, match="to measure on"):
        run(tmp_path, bench, [lacking])


@pytest.mark.parametrize(
    ("bench", "fields"),
    [
        ("privacyqa", ("unknown",)),
        ("asked", ("relevant", "span", "stance")),
        ("opp115", ("annotations",)),
        ("vagueness", ("vague_phrases",)),
        ("sectors", ("service", "domain")),
        ("conflicts", ("a_heading", "b_heading")),
        ("changes", ("items",)),
    ],
)
def test_what_may_be_absent_may_be_null(bench: str, fields: tuple[str, ...], tmp_path: Path) -> None:
    row = ROWS[bench][1]
    bare = run(tmp_path, bench, [row]).systems
    assert set(bare) == {"smallprint"}
    assert set(run(tmp_path, bench, [{**row, **dict.fromkeys(fields)}]).systems) == {"smallprint"}


@pytest.mark.parametrize("policy", [{"sentences": []}, {"kinds": ["heading", "heading"]}])
@pytest.mark.parametrize(
    ("bench", "rows"), [("privacyqa", SYSTEMS), ("asked", SYSTEMS), ("answerability", ANSWERABILITY)]
)
def test_every_row_stands_a_policy_without_text(bench: str, rows: dict[str, str], policy: Row, tmp_path: Path) -> None:
    question = {**ROWS[bench][1], "any_relevant": [], "majority_relevant": [], "kind": "silent"}
    report = registry.run(bench, data_of(tmp_path, bench, [question], [{**POLICY, **policy}]))
    assert set(rows) - set(report.systems) <= {"minilm"}


def test_a_policy_without_sentences_answers_nothing(tmp_path: Path) -> None:
    data = data_of(tmp_path, "answerability", [{**QUESTION, "majority_relevant": []}], [{**POLICY, "sentences": []}])
    assert registry.run("answerability", data, "smallprint").systems["smallprint"]["recall"] == 1
