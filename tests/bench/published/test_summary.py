"""The networks over question × segment by hand, and the rows and the table made from them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.published.pairs import Segments, best_spans, convolved, networks
from smallprint.bench.published.paraphrase import METHODS
from smallprint.bench.published.summary import SUMMARY, summary, without_expansion, without_expansion_and_detector

SENTENCES = [
    "We share your location with advertisers.",
    "Passwords are stored encrypted.",
    "You can delete your account at any time.",
    "Children under 13 may not use the service.",
    "This policy may change.",
    "Write to us at any time.",
]
POLICY = reading_of({"doc_id": "d", "sentences": SENTENCES})


def test_the_best_span_never_ends_before_it_starts() -> None:
    starts = np.array([[1, 5, 0], [0, 0, 9]], dtype=np.float32)
    ends = np.array([[7, 0, 2], [9, 1, 0]], dtype=np.float32)
    assert best_spans(starts, ends) == pytest.approx([8, 9])


def test_a_convolution_sees_its_neighbours_and_nothing_past_the_ends() -> None:
    rows = np.array([[1], [2], [4]], dtype=np.float32)
    weights = np.array([[100], [10], [1]], dtype=np.float32)
    assert convolved(rows, weights)[:, 0] == pytest.approx([12, 124, 240])


def test_segments_lie_apart_and_the_best_of_each_is_found() -> None:
    segments = Segments.of(["we share data", "", "we delete"])
    assert segments.starts.tolist() == [2, 7, 10]
    assert segments.ends.tolist() == [5, 8, 12]
    assert not segments.words[[0, 1, 5, 6, 7, 8, 9, 12, 13]].any()
    scores = np.arange(len(segments.words), dtype=np.float32)
    assert segments.best(scores) == pytest.approx([4, 7, 11])
    assert segments.padded(scores)[2].tolist() == [10, 11, -np.inf]


def test_a_segment_scores_the_same_whatever_stands_beside_it() -> None:
    for network in networks():
        alone = network("do you share my location?", network.prepare(Segments.of(SENTENCES[:1])))
        beside = network("do you share my location?", network.prepare(Segments.of(SENTENCES)))
        assert alone[0] == pytest.approx(beside[0], abs=1e-4)


def test_relevance_finds_what_a_question_is_about() -> None:
    ask = without_expansion_and_detector(POLICY)
    assert ask("is my password encrypted?").ranking[0] == 1
    assert ask("how do i delete my account?").ranking[0] == 2


@pytest.mark.parametrize("row", [summary, without_expansion, without_expansion_and_detector])
def test_five_segments_make_a_summary(row: object) -> None:
    pytest.importorskip("HanTa")
    outcome = row(POLICY)("do you share where i am?")  # type: ignore[operator]
    assert sorted(outcome.ranking) == list(range(6))
    assert len(outcome.shown) == SUMMARY
    assert outcome.shown == outcome.ranking[:SUMMARY]


def test_the_wording_that_fits_best_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"qwerty?": ["are passwords stored encrypted?"]}
    monkeypatch.setattr("smallprint.bench.published.summary.paraphrases", lambda question: said[question])
    assert without_expansion(POLICY)("qwerty?").ranking[0] != 1
    assert summary(POLICY)("qwerty?").ranking[0] == 1


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    question = {"query_id": "1", "doc_id": "d", "question": "do you share my location?", "categories": []}
    labels = {"any_relevant": [0], "majority_relevant": [0], "unknown": [5]}
    (tmp_path / "privacyqa").mkdir()
    for name, row in {"docs": {"doc_id": "d", "sentences": SENTENCES}, "questions": {**question, **labels}}.items():
        (tmp_path / f"privacyqa/{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    return DataDir(tmp_path)


def test_every_row_runs(data: DataDir) -> None:
    pytest.importorskip("HanTa")
    for name in ("summary", "summary-expansion", "summary-expansion-detector"):
        row = registry.run("privacyqa", data, name).systems[name]
        assert 0 < row["MRR"] <= 1, name
        assert row["sentences_returned"] > 0, name


def test_the_table_of_paraphrases_has_a_row_for_each_method(data: DataDir) -> None:
    pytest.importorskip("HanTa")
    report = registry.run("paraphrases", data)
    assert set(report.systems) == {*METHODS, "all"}
    counts = {name: row["paraphrases"] for name, row in report.systems.items()}
    assert counts["rules-one"] >= 2
    assert counts["all"] <= sum(count for name, count in counts.items() if name != "all")
    assert all(0 <= row[m] <= 1 for row in report.systems.values() for m in ("retrieved", "answerable"))
