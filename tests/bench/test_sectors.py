from __future__ import annotations

import json
from pathlib import Path

import pytest

from smallprint.bench.data import DataDir
from smallprint.bench.sectors import run, scores
from smallprint.errors import DataMissing


def test_unknown_is_no_sector_but_calling_a_row_so_is_a_miss() -> None:
    found = scores(["it", "it", "media", "unknown"], ["it", "unknown", "media", "it"])
    assert found["accuracy"] == 0.5
    assert found["macro_f1"] == pytest.approx((0.5 + 1.0) / 2)
    assert found["macro_f1_with_unknown"] == pytest.approx(0.5)
    assert found["called_unknown"] == 0.25


def test_the_bench_reads_rows_that_are_sure(tmp_path: Path) -> None:
    rows = [
        {
            "service": "Ardmore University",
            "domain": "ardmore.edu",
            "sector": "education",
            "sure": 2,
            "text": "Students",
        },
        {"service": "X", "domain": "x.com", "sector": "it", "sure": 0, "text": "x"},
    ]
    folder = tmp_path / "sectors"
    folder.mkdir()
    (folder / "services.jsonl").write_text("\n".join(map(json.dumps, rows)))
    report = run(DataDir(tmp_path))
    assert (report.n, report.seen) == (1, 0.0)
    assert report.systems["smallprint"]["accuracy"] == 1
    assert report.systems["most-common"]["accuracy"] == 0
    assert set(run(DataDir(tmp_path), "smallprint").systems) == {"smallprint"}
    with pytest.raises(DataMissing):
        run(DataDir(tmp_path), "magic")
