"""The quality gate: real data where it is at hand, and proof that the gate can close."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.floors import breaches, floors
from smallprint.bench.report import Report


@pytest.mark.parametrize("name", sorted(floors()))
def test_quality_holds(name: str) -> None:
    folder = os.environ.get("SMALLPRINT_DATA")
    if not folder and name not in registry.WITHOUT_DATA:
        pytest.skip("SMALLPRINT_DATA is not set: no data to measure on")
    report = registry.run(name, DataDir(Path(folder or ".")), "smallprint")
    assert breaches(report) == []


def test_a_fall_is_a_breach() -> None:
    perfect = dict.fromkeys([*floors()["privacyqa"]["at_least"]], 1.0)
    assert breaches(Report("privacyqa", {}, 1, {"smallprint": {**perfect, "confident_wrong": 0.0}})) == []
    fallen = {**perfect, "MRR": 0.1, "confident_wrong": 0.5}
    assert len(breaches(Report("privacyqa", {}, 1, {"smallprint": fallen}))) == 2
