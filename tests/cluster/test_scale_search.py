from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from index_contract import ACME

from smallprint.bench.opensearch_nodes import Nodes
from smallprint.bench.scale_search import compare
from smallprint.index.follow import open_index
from smallprint.index.protocol import Request
from smallprint.settings import Settings

MEASURES = {"policies", "policies_per_second", "page_p50_ms", "page_p95_ms", "bytes_per_policy"}


def test_both_engines_are_measured_and_the_cluster_s_own_index_is_left_alone(
    nodes: Nodes, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.environ.get("SMALLPRINT_DATA"):
        pytest.skip("needs policies: SMALLPRINT_DATA names their folder")
    place = nodes.index("precious", "?shards=1")
    monkeypatch.setenv("SMALLPRINT_INDEX", place)
    precious = open_index(replace(settings, index=place))
    precious.rebuild([ACME])
    rows = compare(Path(os.environ["SMALLPRINT_DATA"]), (30,))
    assert set(rows) == {"tantivy@30", "opensearch@30"}
    for measures in rows.values():
        assert set(measures) == MEASURES
        assert measures["policies"] == 30
        assert all(value > 0 for value in measures.values())
    assert precious.search(Request()).total == 1
    nodes.forget("precious")
    nodes.forget("smallprint-scale")
