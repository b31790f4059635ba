from __future__ import annotations

import builtins
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from smallprint.errors import QueryError
from smallprint.index import export
from smallprint.index.labels import label
from smallprint.index.protocol import Hit, Snippet
from smallprint.index.searching import filters_of
from smallprint.index.stance import SentenceStance
from smallprint.records import Facets

ABOUT = {"query": "sell", "fingerprint": "abc"}
HITS = [
    Hit(
        "1",
        "Acme, Inc.",
        "=SUM(A1)",
        "https://acme.example",
        "2021",
        1.5,
        100,
        "en",
        0.9,
        10.0,
        Facets(sector="medical", regulations=("GDPR", "CCPA")),
        sentence=Snippet('We "never" sell.\nTruly.', ((12, 16),)),
        number=3,
        stance=SentenceStance.DOES_NOT,
    ),
    Hit("2", "Bolt", "Bolt", "", "", 1.0, 5, "en", 1.0, 10.0, Facets()),
]


def test_jsonl(tmp_path: Path) -> None:
    assert export.write(tmp_path / "out.jsonl", HITS, ABOUT) == 2
    head, first, second = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert head == {"smallprint": ABOUT}
    assert first["regulations"] == ["GDPR", "CCPA"]
    assert (first["sentence"], first["number"], first["stance"]) == ('We "never" sell.\nTruly.', 3, "does-not")
    assert second["sentence"] is None


def test_csv(tmp_path: Path) -> None:
    assert export.write(tmp_path / "out.csv", HITS, ABOUT) == 2
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        assert json.loads(file.readline().removeprefix("# ")) == {"smallprint": ABOUT}
        rows = list(csv.DictReader(file))
    assert rows[0]["regulations"] == "GDPR; CCPA"
    assert rows[0]["sentence"] == 'We "never" sell.\nTruly.'
    assert rows[0]["title"] == "'=SUM(A1)"  # no formula for a spreadsheet
    assert [row["service"] for row in rows] == ["Acme, Inc.", "Bolt"]


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert export.write(tmp_path / "out.parquet", HITS, ABOUT) == 2
    table = parquet.read_table(tmp_path / "out.parquet")
    assert json.loads(table.schema.metadata[b"smallprint"]) == ABOUT
    assert table.column("regulations").to_pylist() == [["GDPR", "CCPA"], []]
    assert table.column("number").to_pylist() == [3, None]


def test_parquet_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_arrow(name: str, *args: Any, **named: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", no_arrow)
    with pytest.raises(QueryError, match=r"pip install 'smallprint\[parquet\]'"):
        export.write(tmp_path / "out.parquet", HITS, ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_what_can_not_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match=r"ends in .jsonl, .csv or .parquet"):
        export.write(tmp_path / "out.xls", HITS, ABOUT)
    with pytest.raises(QueryError, match="can't be written"):
        export.write(tmp_path / "missing" / "out.csv", HITS, ABOUT)


def test_ranges_as_people_write_them() -> None:
    chosen = filters_of(
        {"sector": ("medical",), "body": (), "regulation": ("UK GDPR", "ccpa"), "stance": ("does-not",)},
        {"grade": "..12", "words": "500", "date": "2019..2021-06"},
    )
    assert chosen.values == {
        "sector": ("medical",),
        "regulation": ("uk_gdpr", "ccpa"),
        "stance": ("does-not",),
    }
    assert chosen.ranges == {"grade": (None, 12.0), "words": (500.0, 500.0), "date": (20190000, 20210699)}


@pytest.mark.parametrize(("name", "text"), [("grade", "easy"), ("grade", ".."), ("date", "soon.."), ("words", "1-2")])
def test_a_bad_range_is_told(name: str, text: str) -> None:
    with pytest.raises(QueryError):
        filters_of({}, {name: text})


def test_a_value_is_known_by_key_spelling_or_name() -> None:
    chosen = filters_of({"practice": ("Whom it shares with",), "data_type": ("Official-IDs",), "language": ("DE",)}, {})
    assert chosen.values == {"practice": ("third",), "data_type": ("official_ids",), "language": ("de",)}


@pytest.mark.parametrize("facet", ["sector", "regulation", "tracking", "body", "practice", "data_type", "third_party"])
def test_a_value_that_a_facet_does_not_have_is_told(facet: str) -> None:
    with pytest.raises(QueryError, match=r"There is no .* 'magic' \(known: "):
        filters_of({facet: ("magic",)}, {})


def test_values_have_names_for_people() -> None:
    assert label("regulation", "uk_gdpr") == "UK GDPR"
    assert label("practice", "user_choice") == "Your choices"
    assert label("data_type", "health_data") == "health data"
