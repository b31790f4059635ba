"""Questions mapped onto labels by counts of words or of word clusters."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.published.clusters import MAPPERS, Profiles, word_clusters, words
from smallprint.errors import DataMissing

LABELS = (("Sharing", "Who", "Advertiser"), ("Sharing", "Who", "Police"), ("Keeping", "How long", "A year"))


def test_the_highest_cosine_wins_by_hand() -> None:
    columns = {"advertiser": 0, "police": 1, "keep": 2}
    counts = np.array([[3, 0, 4], [0, 2, 0], [0, 0, 9]], dtype=np.float32)
    profiles = Profiles(LABELS, counts, columns.get)
    assert profiles.nearest("police?") == LABELS[1]
    assert profiles.nearest("keep keep keep advertiser advertiser") == LABELS[0]  # 3.6 against 3 and 0
    assert profiles.nearest("keep it") == LABELS[2]


def test_clusters_join_words_that_plain_words_part() -> None:
    assert word_clusters()("are the servers encrypted?")[0] == "Data Security"
    assert words()("encryption")[0] == "Data Security"


def test_the_bench_counts_three_levels_and_peoples_categories(tmp_path: Path) -> None:
    triple = ["Data Security", "Security Measure", "Generic"]
    label = {"question": "is information encrypted?", "triple": triple, "context": "", "answers": []}
    asked = {"question": "is it encrypted?", "categories": ["datasecurity"], "doc_id": "d"}
    for name, rows in {"policyqa/dev": [label], "privacyqa/questions": [asked]}.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir()
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    report = registry.run("mapping", DataDir(tmp_path))
    assert report.n == 2
    assert set(report.systems) == set(MAPPERS)
    for row in report.systems.values():
        assert row["category"] >= row["attribute"] >= row["value"]
    assert report.systems["smallprint"]["category"] == 1
    assert report.systems["smallprint"]["category_people"] == 1
    with pytest.raises(DataMissing, match="bilstm"):
        registry.run("mapping", DataDir(tmp_path), "bilstm")
