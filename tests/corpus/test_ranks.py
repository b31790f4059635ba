from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from smallprint.corpus.ranks import read_ranks
from smallprint.errors import FileUnreadable, UnsupportedFormat


def test_the_usual_form(tmp_path: Path) -> None:
    path = tmp_path / "top.csv"
    path.write_text("1,google.com\n2,www.Acme.com\n3,google.com\n\nx,y\n")
    assert read_ranks(path) == {"google.com": 1, "acme.com": 2}


def test_a_packed_table_with_a_head_takes_the_best_rank(tmp_path: Path) -> None:
    path = tmp_path / "ranks.tsv.gz"
    path.write_bytes(
        gzip.compress(b"domain\ttop_bucket\tlisted\trank2023\na.com\t1000\t1\t\nb.org\t5000\t1\t77\nc.de\t\t1\t\n")
    )
    assert read_ranks(path) == {"a.com": 1000, "b.org": 77}


def test_what_is_no_list_of_ranks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("hello\n")
    with pytest.raises(UnsupportedFormat, match="is no list of ranks"):
        read_ranks(tmp_path / "a.csv")
    with pytest.raises(FileUnreadable):
        read_ranks(tmp_path / "missing.csv")
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b broken")
    with pytest.raises(FileUnreadable):
        read_ranks(tmp_path / "b.gz")
