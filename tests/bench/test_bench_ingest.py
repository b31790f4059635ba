"""`bench ingest` over two small policies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from smallprint.bench import ingest, search_data
from smallprint.bench.data import DataDir
from smallprint.errors import DataMissing

TEXT = "# Privacy Policy\n\nWe collect your name. {name} keeps it for a year and shares it with nobody at all."


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    monkeypatch.setattr(ingest, "_EVERY", 1)
    rows = [{"id": name, "service": name, "text": TEXT.format(name=name)} for name in ("Acme", "Lamps and Sons")]
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/policies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return DataDir(tmp_path)


def test_the_pipeline_is_measured_beside_the_reader(data: DataDir) -> None:
    report = ingest.run(data)
    assert report.n == 2
    assert set(report.systems) == set(ingest.ROWS)
    assert report.systems["smallprint"]["cost_of_reader"] > report.systems["quick"]["cost_of_reader"] > 0
    assert all(row["policies_per_cpu_second"] > 0 for row in report.systems.values())


def test_memory_is_told_on_the_way(data: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "MARKS", {"two": 2, "many": 9})
    monkeypatch.setattr(search_data, "CORPUS", search_data.CORPUS[:1])
    row = ingest.run(data, "memory").systems["memory"]
    assert set(row) == {"resident_mb_two"}
    assert row["resident_mb_two"] > 1


def test_unknown_rows_are_named(data: DataDir) -> None:
    with pytest.raises(DataMissing, match="known: smallprint"):
        ingest.run(data, "spark")
