from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.judged import ANSWERABILITY, detection
from smallprint.bench.published.baselines import Svm, no_answer, word_count_2, word_count_5
from smallprint.bench.published.cnn import WIDTH, Cnn
from smallprint.errors import DataMissing
from smallprint.records import Verdict

SENTENCES = ["We sell names.", "We sell names and emails.", "We keep emails.", "Names are kept.", "Emails.", "Names."]


def as_bytes(*words: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    def write(name: str, rows: list[dict[str, object]]) -> None:
        (tmp_path / "privacyqa").mkdir(exist_ok=True)
        (tmp_path / "privacyqa" / name).write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))

    write("docs.jsonl.gz", [{"doc_id": "d", "sentences": SENTENCES}])
    row = {"doc_id": "d", "categories": [], "unknown": []}
    write(
        "questions.jsonl.gz",
        [
            {
                **row,
                "query_id": "1",
                "question": "do you sell names?",
                "any_relevant": [0, 1],
                "majority_relevant": [1],
            },
            {**row, "query_id": "2", "question": "is it fun?", "any_relevant": [], "majority_relevant": []},
        ],
    )
    return DataDir(tmp_path)


def test_showing_nothing_is_right_where_there_is_nothing(data: DataDir) -> None:
    row = registry.run("privacyqa", data, "no-answer").systems["no-answer"]
    assert row["precision_majority"] == row["recall_majority"] == row["f1_majority"] == 0.5
    outcome = no_answer(reading_of({"doc_id": "d", "sentences": SENTENCES}))("anything?")
    assert (outcome.shown, outcome.verdict) == ((), Verdict.SILENT)


def test_word_count_shows_as_many_sentences_as_its_name_says() -> None:
    reading = reading_of({"doc_id": "d", "sentences": SENTENCES})
    question = "who will sell names and emails?"
    assert word_count_2(reading)(question).shown == (1, 0)
    assert word_count_5(reading)(question).shown == (1, 0, 2, 3, 4)


def test_word_counts_are_rows_with_sentence_measures(data: DataDir) -> None:
    row = registry.run("privacyqa", data, "word-count-2").systems["word-count-2"]
    # Two sentences shown for the first question, one of them right; none for the second.
    assert row["precision_majority"] == pytest.approx((0.5 + 1) / 2)
    assert row["recall_majority"] == 1


def test_every_row_of_answerability_runs(data: DataDir) -> None:
    pytest.importorskip("HanTa")
    report = registry.run("answerability", data)
    assert list(report.systems) == list(ANSWERABILITY)
    majority = report.systems["majority"]
    assert (majority["precision"], majority["recall"], majority["accuracy"], majority["auc"]) == (0.5, 1, 0.5, 0.5)
    assert all(0 <= value <= 1 for row in report.systems.values() for value in row.values())


def test_a_row_without_its_package_is_left_out_or_refused(data: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    from smallprint.bench.published import baselines

    baselines._tagger.cache_clear()
    monkeypatch.setitem(sys.modules, "HanTa", None)
    monkeypatch.delitem(sys.modules, "HanTa.HanoverTagger", raising=False)
    with pytest.raises(DataMissing, match="HanTa"):
        registry.run("answerability", data, "svm-bow+len+pos")
    report = registry.run("answerability", data)
    assert "svm-bow+len+pos" not in report.systems
    assert any("HanTa" in note and "svm-bow+len+pos" in note for note in report.notes)


def test_svm_adds_up_words_length_and_shift() -> None:
    weights = {"bow": [2.0, -1.0, 0.5], "len": [2.0, -1.0, 3.0, 0.5], "pos": [0.0, 0.0, 0.0, 1.0, 0.0]}
    stored = {name: np.array(row, np.float16) for name, row in weights.items()}
    svm = Svm({"words": as_bytes("fun", "data"), "tags": as_bytes("XX0"), **stored})
    questions = ["fun fun data?", "who?"]
    assert svm.margins(questions, "bow").tolist() == pytest.approx([3.5, 0.5])
    assert svm.margins(questions, "len").tolist() == pytest.approx([3.5 + 0.9, 0.5 + 0.3], abs=1e-3)


def test_cnn_takes_the_best_window_of_each_filter() -> None:
    filters = np.zeros((WIDTH, 2))
    filters[2, 0] = 1  # the word in the middle
    filters[1, 1] = filters[2, 1] = 1  # two words in a row
    stored: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {
        "words": as_bytes("a", "b"),
        "table": np.array([[0], [1], [2]], np.int8),
        "table_scales": np.ones((3, 1), np.float16),
        "filters": filters,
        "shifts": np.array([0.0, -2.5]),
        "output": np.array([1.0, 10.0]),
        "shift": np.array(-1.0),
    }
    model = Cnn(stored)
    assert model.margin("a b") == pytest.approx(2 + 10 * 0.5 - 1)
    assert model.margin("a unknown b") == pytest.approx(2 - 1)
    assert model.margin("?!") == pytest.approx(-1)


def test_detection_counts_ties_half() -> None:
    gold = np.array([True, True, False, False])
    scores = detection(gold, np.array([1.0, -1.0, -1.0, -2.0]))
    assert scores == {"precision": 1, "recall": 0.5, "f1": pytest.approx(2 / 3), "accuracy": 0.75, "auc": 0.875}
