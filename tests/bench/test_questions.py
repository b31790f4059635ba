from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.questions import Asked, asked_scores
from smallprint.bench.systems import Outcome
from smallprint.errors import DataMissing
from smallprint.records import Stance

SENTENCES = ["Sharing", "We share with:", "advertisers", "We keep location for a year.", "Bye."]
KINDS = ["heading", "p", "li", "p", "p"]


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    write(tmp_path / "privacyqa/docs.jsonl.gz", [{"doc_id": "d", "sentences": SENTENCES}])
    question = {"query_id": "1", "doc_id": "d", "question": "how long is location kept?", "categories": []}
    labels = {"any_relevant": [3], "majority_relevant": [3], "unknown": [4]}
    hopeless: dict[str, object] = {"any_relevant": [], "majority_relevant": [], "unknown": []}
    write(tmp_path / "privacyqa/questions.jsonl.gz", [{**question, **labels}, {**question, **hopeless}])
    write(
        tmp_path / "asked/docs.jsonl.gz",
        [{"doc_id": "d", "service": "A", "sentences": SENTENCES, "kinds": KINDS, "headings": ["", *["Sharing"] * 4]}],
    )
    answerable = {"doc_id": "d", "question": "how long do you keep location?", "kind": "answerable", "stance": "na"}
    priced: dict[str, object] = {"doc_id": "d", "question": "how much does the app cost?", "kind": "out_of_scope"}
    priced |= {"relevant": [], "span": "", "stance": "na"}
    gold = {"relevant": [[3, 2], [2, 1]], "span": "keep location for a year"}
    write(tmp_path / "asked/questions.jsonl.gz", [{**answerable, **gold}, priced])
    return DataDir(tmp_path)


def test_privacyqa_prints_the_contract(data: DataDir) -> None:
    report = registry.run("privacyqa", data)
    assert report.n == 2
    assert {"random", "word-count", "bm25", "smallprint"} <= set(report.systems)
    row = report.systems["smallprint"]
    assert {"F@1", "NDCG@5", "MAP_majority", "precision_majority", "f1_any", "confident_wrong"} <= set(row)
    assert row["F@1"] == 1
    assert set(report.as_json()["data"]) == {"privacyqa/docs.jsonl.gz", "privacyqa/questions.jsonl.gz"}


def test_asked_scores_kinds_spans_and_grades(data: DataDir) -> None:
    row = registry.run("asked", data, "smallprint").systems["smallprint"]
    assert row["F@1_majority"] == 1
    assert row["kind_accuracy"] == 1
    assert row["unanswerable_f1"] == 1
    assert 0 < row["span_f1"] <= 1
    assert 0 <= row["ece"] <= 1


def test_a_no_for_a_yes_counts_for_more_than_a_mixed_one() -> None:
    row = {"kind": "answerable", "stance": "yes", "relevant": [[1, 2]], "span": ""}
    told = [
        Asked(row, Outcome((1,), (1,), stance=stance)) for stance in (Stance.YES, Stance.NO, Stance.MIXED, Stance.NA)
    ]
    scores = asked_scores(told)
    assert (scores["stance_accuracy"], scores["stance_reversed"]) == (0.25, 0.25)


def test_a_missing_stance_is_none_and_so_is_a_grade_of_0() -> None:
    row = {"kind": "answerable", "stance": "yes", "relevant": [[1, 2], [2, 0]]}
    told = Asked(row, Outcome((1, 2), (1,), stance=Stance.YES))
    scores = asked_scores([told, Asked({**row, "stance": None}, Outcome((2, 1), (2,)))])
    assert (scores["stance_accuracy"], scores["F@1"], scores["span_f1"]) == (1, 0.5, 0)


def test_headings_are_not_ranked(data: DataDir) -> None:
    reading = reading_of(data.rows("asked/docs.jsonl")[0])
    assert [s.lead_in for s in reading.sentences] == ["", "", "We share with:", "", ""]
    assert reading.sentences[2].headings == ("Sharing",)


def test_unknown_names_are_told(data: DataDir, tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="no bench 'nope'"):
        registry.run("nope", data)
    with pytest.raises(DataMissing, match="no system 'nope'"):
        registry.run("privacyqa", data, "nope")
    with pytest.raises(DataMissing, match="no opp115"):
        data.rows("opp115/segments.jsonl")
    (tmp_path / "torn.jsonl.gz").write_bytes(b"\x1f\x8b not gzip")
    with pytest.raises(DataMissing, match="damaged"):
        data.rows("torn.jsonl")


def test_a_question_is_measured_beside_a_judge_that_reads_everything(data: DataDir) -> None:
    report = registry.run("asking", data)
    assert set(report.systems) == {"smallprint", "judge-all"}
    for row in report.systems.values():
        assert set(row) == {"F@5", "F@10", "units", "wall_p50", "wall_p95"}
        assert row["F@5"] == 1
        assert 0 < row["wall_p50"] <= row["wall_p95"]
