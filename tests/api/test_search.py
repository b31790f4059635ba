from __future__ import annotations

import csv
import io
import json

import pytest

from served import Served

SEARCH = "/api/v1/search"


def test_words_and_facets_find(server: Served) -> None:
    found = server.ask("GET", f"{SEARCH}?q=advertising+partners").json
    assert [hit["service"] for hit in found["hits"]] == ["Fernhill"]
    assert found["total"] == 1
    assert found["facets"]["language"][0]["value"] == "en"
    nothing = server.ask("GET", f"{SEARCH}?q=advertising+partners&sector=government&language=en").json
    assert nothing["total"] == 0
    assert nothing["hints"]


def test_sentences_are_found_by_what_they_say(server: Served) -> None:
    hits = server.ask("GET", f"{SEARCH}?q=%22do+not+sell+your%22&stance=does-not&sentences=true").json["hits"]
    assert "We do not sell your personal information." in [hit["sentence"]["text"] for hit in hits]


def test_pages_follow_one_another(server: Served) -> None:
    first = server.ask("GET", f"{SEARCH}?q=your&sentences=1&limit=2").json
    second = server.ask("GET", f"{SEARCH}?q=your&sentences=1&limit=2&cursor={first['next']}").json
    assert second["offset"] == 2
    assert not {hit["number"] for hit in first["hits"] if hit["id"] == "1"} & {
        hit["number"] for hit in second["hits"] if hit["id"] == "1"
    }
    assert server.ask("GET", f"{SEARCH}?q=other&cursor={first['next']}").kind == "bad-query"


def test_counts_alone(server: Served) -> None:
    counted = server.ask("GET", "/api/v1/facets?q=advertising+partners").json
    assert counted["total"] == 1
    assert "hits" not in counted
    assert counted["facets"]["language"][0]["count"] == 1


def test_a_result_is_exported_in_each_form(server: Served) -> None:
    path = "/api/v1/export?q=advertising+partners&format="
    lines = server.ask("GET", f"{path}jsonl").body.decode().splitlines()
    assert json.loads(lines[0])["smallprint"]["total"] == 1
    assert json.loads(lines[1])["service"] == "Fernhill"
    comma = server.ask("GET", f"{path}csv")
    assert comma.headers["content-type"].startswith("text/csv")
    assert "attachment" in comma.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(comma.body.decode().partition("\n")[2])))
    assert [row["service"] for row in rows] == ["Fernhill"]


def test_a_result_is_exported_as_parquet(server: Served) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found = server.ask("GET", "/api/v1/export?q=advertising+partners&format=parquet").body
    table = parquet.read_table(io.BytesIO(found))
    assert table.column("service").to_pylist() == ["Fernhill"]


def test_what_cannot_be_understood_is_told_before_the_first_byte(server: Served) -> None:
    for path in (SEARCH, "/api/v1/facets", "/api/v1/export"):
        assert server.ask("GET", f"{path}?q=%28sell").kind == "bad-query"
        assert server.ask("GET", f"{path}?words=9..1").kind == "bad-query"
        assert server.ask("GET", f"{path}?words=many").kind == "invalid-request"
        assert server.ask("GET", f"{path}?colour=red").kind == "invalid-request"


def test_an_unchanged_result_is_not_sent_again(server: Served) -> None:
    path = f"{SEARCH}?q=advertising+partners"
    tag = server.ask("GET", path).headers["etag"]
    assert server.ask("GET", path, If_None_Match=tag).status == 304
