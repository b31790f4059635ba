"""What a row of a snapshot may say of where it came from."""

from __future__ import annotations

import pytest
from library_helpers import policy

from smallprint.library.names import leads_back
from smallprint.library.serial import to_row
from smallprint.library.snapshot_row import SHAPE, SnapshotRow, from_columns, row_key

SEEN = "2020-01-02T03:04:05Z"


def read(service_source: str, source: str = "-") -> SnapshotRow:
    told = policy("We collect your name.", source=source)
    facts = {"number": 3, "key": row_key("Acme", told.digest, SEEN, None), "digest": told.digest, "documents": []}
    service = {"service": "Acme", "service_source": service_source, "last_seen": SEEN, "seen": SEEN}
    return from_columns({**dict.fromkeys(SHAPE.columns), **to_row(told), **facts, **service})


@pytest.mark.parametrize(
    "told",
    ["/etc/hosts", "file:///etc/passwd", "~/.ssh/id_rsa", "policy.html", "ftp://acme.com/p", "", "/c.jsonl:1/../x"],
)
def test_nothing_but_the_web_leads_back_from_a_snapshot(told: str) -> None:
    assert read(told).source == "snapshot.parquet:3"
    assert not leads_back("snapshot.parquet:3")


@pytest.mark.parametrize(
    ("told", "source"),
    [
        ("https://acme.com/p", "https://acme.com/p"),
        ("acme.com", "https://acme.com"),
        ("-", "-"),
        ("crawl.warc.gz@4711", "crawl.warc.gz@4711"),
        ("snapshot.parquet:9", "snapshot.parquet:9"),
    ],
)
def test_what_leads_to_the_web_or_nowhere_stays(told: str, source: str) -> None:
    assert read(told).source == source


def test_a_file_of_an_odd_name_does_not_spoil_a_snapshot() -> None:
    assert read("c.jsonl:1@2020\n\x1b[31m", "c.jsonl:1@2020\n\x1b[31m").source == "c.jsonl:1@2020 [31m"
    assert read("-", "/data/a\u202eb.html").policy.source == "/data/ab.html"
