"""`bench search` over a corpus small enough to check by hand."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from smallprint.bench import search, search_data, search_speed
from smallprint.bench.data import DataDir
from smallprint.bench.search_furniture import whole_text
from smallprint.bench.search_queries import QUERIES, judgements
from smallprint.errors import DataMissing

RELEVANT = "tosdr-2023:telegram"  # judged relevant for "payment information"


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    folder = tmp_path / "corpus"
    folder.mkdir()
    row = {
        "id": RELEVANT,
        "service": "Acme",
        "domain": "help.acme.com",
        "text": "We keep payment information.",
        "p_policy": 0.9,
    }
    with lzma.open(folder / "policies.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    with gzip.open(folder / "websites.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": "dmoz:other.example", "text": "We encrypt nothing.", "words": 3}) + "\n")
    ranks = "domain\tcloudflare_bucket\trank2023\tcc_pagerank_pos\nacme.com\t1000\t500\t\nother.com\t\t\t\n"
    (folder / "domain_ranks.tsv").write_text(ranks, encoding="utf-8")
    return DataDir(tmp_path)


def test_rankings(data: DataDir) -> None:
    report = search.run(data, "rankings")
    assert set(report.systems) == {"custom", "relevance", "popularity"}
    custom = report.systems["custom"]
    assert custom["P@5 PI"] == pytest.approx(1 / 5 / 7)
    assert custom["P@10 PI"] == pytest.approx(1 / 10 / 7)
    assert custom["P@5 S"] == 0
    assert custom["unjudged"] == 0.5  # the other one, for "encryption"
    assert len(report.data) == 3


def test_pages_are_measured_beside_sqlite(data: DataDir) -> None:
    rows = search_speed.pages(search_data.documents(data), "tiny")
    assert set(rows) == {"smallprint", "sqlite-fts5"}
    assert all(row["p95_ms_tiny"] >= row["p50_ms_tiny"] > 0 for row in rows.values())


def test_rates_are_measured_beside_a_bare_load(data: DataDir) -> None:
    rows = search_speed.rates(data)
    assert rows["smallprint"]["rate_of_bare_load"] > 0
    assert rows["tantivy-bare"]["policies_per_second"] > 0


def test_ranks(data: DataDir) -> None:
    known = search_data.ranks(data)
    assert known == {"acme.com": 500, "other.com": 1_000_000}
    assert search_data.rank_of("help.acme.com", known) == 500
    assert search_data.rank_of("nobody.example", known) is None


def test_synthetic_policies_have_the_length_asked_for(data: DataDir) -> None:
    made = list(search_data.synthetic(data, 3, words=20))
    assert len({one.id for one in made}) == 3
    assert all(len(one.text.split()) >= 20 for one in made)


def test_an_unknown_part_is_said(data: DataDir) -> None:
    with pytest.raises(DataMissing, match="rankings, furniture, speed, 300k"):
        search.run(data, "colour")


def test_missing_data_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataMissing):
        search.run(DataDir(tmp_path), "rankings")


def test_judgements_are_of_the_queries_and_quote_no_policy() -> None:
    queries = {query for queries in QUERIES.values() for query in queries}
    assert len(queries) == 17
    assert {query for query, _ in judgements()} == queries
    folder = Path(search.__file__).parent
    rows = [json.loads(line) for line in (folder / "search_judgements.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == len(judgements())  # none twice
    assert all(set(row) == {"query", "id", "relevant", "why"} and len(row["why"]) < 70 for row in rows)


def test_the_whole_text_of_a_page_has_its_menu_and_no_script() -> None:
    page = "<html><nav>Home Careers</nav><script>let x</script><style>a{}</style><p>We care.</p><!-- no --></html>"
    assert whole_text(page) == "Home Careers\nWe care."
