"""The shipped norms against what PrivaSeer counted in 1.4 million policies."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.errors import DataMissing


def shares() -> dict[str, float]:
    report = registry.run("norms", DataDir(Path()))
    return {name: row["share"] for name, row in report.systems.items()}


def test_tracking_is_named_in_the_published_order() -> None:
    named = {key.removeprefix("tracking/"): share for key, share in shares().items() if key.startswith("tracking/")}
    assert named["cookies"] > 2.5 * max(named["logs"], named["web_beacon"])
    assert abs(named["logs"] - named["web_beacon"]) < 0.05
    assert min(named["logs"], named["web_beacon"]) > 2.5 * max(named["flash_cookies"], named["fingerprinting"])
    assert named["flash_cookies"] >= named["advertising_id"] - 0.02


def test_laws_are_named_in_the_published_order() -> None:
    named = {
        key.removeprefix("regulations/"): share for key, share in shares().items() if key.startswith("regulations/")
    }
    assert named["gdpr"] == max(named.values())
    assert named["coppa"] > named["privacy_shield"] > named["caloppa"]
    assert named["scc"] > named["hipaa"] > named["bcr"]


def test_published_and_ours_stand_side_by_side() -> None:
    tables = {table.title: table for table in registry.run("tables", DataDir(Path()), "S9").tables}
    tracking = next(table for title, table in tables.items() if title.endswith("Table 2"))
    cookies = tracking.lines[0]
    assert cookies.published == (0.842,)
    assert cookies.ours[0] is not None
    assert abs(cookies.ours[0] - 0.842) < 0.1


def test_an_unknown_row_is_told() -> None:
    with pytest.raises(DataMissing, match="tracking/cookies"):
        registry.run("norms", DataDir(Path()), "tracking/pigeons")
