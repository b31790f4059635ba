"""`bench scale`: the arithmetic, the picture, and what can be measured without a cluster."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from smallprint.bench import scale, scale_stages, scale_store
from smallprint.bench.data import DataDir
from smallprint.bench.scale_plan import Cost, plan
from smallprint.bench.scale_plot import svg
from smallprint.bench.scale_whole import processor_seconds
from smallprint.errors import DataMissing
from smallprint.library.folding import similarity
from smallprint.settings import Settings

TEXT = "# Privacy Policy\n\nWe collect your name. {name} keeps it for a year and shares it with nobody at all."


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    rows = [{"id": name, "service": name, "text": TEXT.format(name=name)} for name in ("Acme", "Lamps and Sons")]
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/policies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return DataDir(tmp_path)


def test_a_plan_is_arithmetic() -> None:
    cost = Cost(read=1.8, read_quick=0.036, driver=0.0036, library=50_000, index=40_000, parts=30_000)
    assert plan(cost, 1_000_000) == {
        "policies": 1_000_000,
        "core_hours": 500,
        "core_hours_quick": pytest.approx(10),
        "driver_hours": pytest.approx(1),
        "library_terabytes": pytest.approx(0.05),
        "index_terabytes": pytest.approx(0.08),  # two copies
        "parts_terabytes": pytest.approx(0.03),
        "reading_nodes": 1,  # a machine of 32 cores does 768 core hours in a day
        "search_nodes": 3,
    }
    assert plan(cost, 10_000_000)["reading_nodes"] == 7
    assert plan(cost, 100_000_000)["search_nodes"] == 3
    assert plan(cost, 200_000_000)["search_nodes"] == 6  # 16 TB in disks of 4 that are 70 % full


def test_the_index_weighs_what_opensearch_takes() -> None:
    rows = {
        "spark": dict.fromkeys((f"{stage}_ms" for stage in scale_stages.STAGES), 100.0),
        "driver": {"hand_out_ms": 1.0, "collect_ms": 2.0, "store_ms": 3.0, "index_ms": 20.0},
        "bytes": {"library": 30.0, "practices": 10.0, "index": 50.0, "parts": 5.0},
    }
    found = scale.cost(rows)
    assert (found.read, found.read_quick, found.driver, found.library, found.parts) == (0.5, 0.4, 0.006, 40, 5)
    assert found.index == pytest.approx(110)
    rows |= {"tantivy@31032": {"bytes_per_policy": 10.0}, "opensearch@31032": {"bytes_per_policy": 30.0}}
    assert scale.cost(rows).index == 150


def test_the_picture_is_well_formed_and_names_its_lines() -> None:
    cost = Cost(read=1.8, read_quick=0.036, driver=0.0036, library=50_000, index=40_000, parts=30_000)
    root = ElementTree.fromstring(svg({"100M": plan(cost, 100_000_000)}))
    told = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"reading", "--quick", "driver", "index, two copies", "library", "parts", "1.4 M"} <= told


def test_every_stage_is_clocked(data: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "_CORPUS", 2)
    settings = Settings(home=tmp_path / "home")
    documents = scale._documents(scale._corpus(tmp_path / "c.jsonl", scale.sample(data, 2)), settings)
    assert [document.name for document in documents] == ["Acme", "Lamps and Sons"]
    costs = scale_stages.here(documents, settings)
    assert set(costs) == set(scale_stages.STAGES)
    assert costs["reader"] > costs["signature"] >= 0


def test_the_driver_is_measured_and_what_it_keeps(
    data: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow", reason="parts need pyarrow: pip install 'smallprint[spark]'")
    monkeypatch.setattr(scale, "_CORPUS", 2)
    settings = Settings(home=tmp_path / "home")
    rows = scale.driver(scale._corpus(tmp_path / "c.jsonl", scale.sample(data, 2)), settings)
    assert set(rows["driver"]) == {"hand_out_ms", "collect_ms", "store_ms", "index_ms"}
    assert all(value > 0 for row in rows.values() for value in row.values())
    assert rows["bytes"]["library"] > rows["bytes"]["source"]


def test_storing_is_measured_as_the_library_grows() -> None:
    rows = scale_store.growth((20, 60), 20)
    assert list(rows) == ["store@20", "store@60"]
    assert all(value > 0 for row in rows.values() for value in row.values())
    first, second = islice(scale_store.arrivals(), 2)
    assert similarity(first.signature, second.signature) < 0.1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_run_is_measured_with_all_its_processes(tmp_path: Path) -> None:
    corpus = scale._corpus(tmp_path / "c.jsonl", [{"service": "Acme", "text": TEXT.format(name="Acme")}])
    assert processor_seconds(corpus, tmp_path / "home", "--quick", "--workers", "1") > 0.1
    with pytest.raises(DataMissing, match="no file or folder"):
        processor_seconds(tmp_path / "none.jsonl", tmp_path / "home")


def test_without_a_cluster_the_report_says_so(data: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smallprint.bench.scale_search", None)
    report = scale.run(data, "search")
    assert report.systems == {}
    assert "Searching was not compared" in report.notes[0]
    with pytest.raises(DataMissing, match="known: stages, store, search, 300k"):
        scale.run(data, "abacus")
