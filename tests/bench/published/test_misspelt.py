"""Slips of the finger, and the rows that are asked with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.published.misspelt import ROWS, misspelt

SENTENCES = ["We share your location with advertisers.", "Passwords are stored encrypted.", "This policy may change."]


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    question = {"query_id": "1", "doc_id": "d", "question": "do you share my location?", "categories": []}
    labels = {"any_relevant": [0], "majority_relevant": [0], "unknown": [2]}
    (tmp_path / "privacyqa").mkdir()
    for name, row in {"docs": {"doc_id": "d", "sentences": SENTENCES}, "questions": {**question, **labels}}.items():
        (tmp_path / f"privacyqa/{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    return DataDir(tmp_path)


def test_slips_are_the_same_each_time_and_spare_short_words() -> None:
    text = "do you share my personal information with advertisers"
    assert misspelt(text) == misspelt(text) != text
    assert misspelt("do you") == "do you"
    assert len(misspelt(text).split()) == len(text.split())


def test_questions_are_asked_as_they_are_and_misspelt(data: DataDir) -> None:
    report = registry.run("misspelt", data)
    assert set(report.systems) == set(ROWS)
    assert {"F@1", "MRR", "F@1_misspelt", "MRR_misspelt"} <= set(report.systems["pribot"])


@pytest.mark.parametrize("name", ["bm25+expansion", "bm25-corpus", "pribot", "semvec"])
def test_every_row_runs(data: DataDir, name: str) -> None:
    row = registry.run("privacyqa", data, name).systems[name]
    assert 0 < row["MRR"] <= 1
    assert row["sentences_returned"] > 0
