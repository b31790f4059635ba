from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from corpus_helpers import at, page, policy_text, row, write_rows

from smallprint.corpus.documents import Document, Form, date_of, key_of
from smallprint.corpus.sources import open_corpus
from smallprint.errors import FileUnreadable, UnsupportedFormat
from smallprint.library import Refusal
from smallprint.library.names import leads_back


def documents(*paths: Path, run: int = 1) -> list[Document | Refusal]:
    return list(open_corpus([str(path) for path in paths], at(paths[0].parent)).documents(run))


def zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").compress(data))


@pytest.mark.parametrize(
    ("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress), (".zst", zstd)]
)
def test_rows_in_any_packing(tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"c.jsonl{ending}"
    path.write_bytes(pack("".join(json.dumps(row(name)) + "\n" for name in ("A", "B")).encode()))
    one, two = documents(path)
    assert isinstance(one, Document)
    assert isinstance(two, Document)
    assert (one.place, one.name, one.url) == (f"{path}:1", "A", "https://a.com/privacy")
    assert (one.seen, one.form, one.content) == (
        datetime(2020, 1, 1, tzinfo=UTC),
        Form.BYTES,
        policy_text("A").encode(),
    )
    assert one.key != two.key
    assert 0 < two.position <= path.stat().st_size


def test_bad_rows_are_named_and_passed_over(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "c.jsonl", [row("A"), "{", "[]", "{}", '{"text": 7}', "", row("B")])
    found = documents(path)
    assert [type(item) for item in found] == [Document, *[Refusal] * 4, Document]
    assert [item.place for item in found] == [f"{path}:{n}" for n in (1, 2, 3, 4, 5, 7)]
    assert len({item.key for item in found}) == 6


def test_rows_that_nest_too_deep_are_passed_over(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "c.jsonl", [row("A"), "[" * 100_000, '{"text": ' * 100_000, row("B")])
    found = documents(path)
    assert [type(item) for item in found] == [Document, Refusal, Refusal, Document]
    assert [item.kind for item in found if isinstance(item, Refusal)] == ["BadRow"] * 2


def test_no_depth_of_a_history_stops_the_run(tmp_path: Path) -> None:
    """Just below what can be read there is what can be read and not be written again."""
    history = '{"url": %s, "paras": ["We collect your name."], "versions": [{"date": "2020", "paras": [0]}]}'
    depths = range(sys.getrecursionlimit() - 100, sys.getrecursionlimit() + 1)
    path = write_rows(tmp_path / "c.jsonl", [history % ("[" * depth + "]" * depth) for depth in depths])
    assert len(documents(path)) == len(depths)


def test_a_row_with_a_page_is_a_page(tmp_path: Path) -> None:
    (one,) = documents(write_rows(tmp_path / "c.jsonl", [row("A", html="<p>Hi</p>")]))
    assert isinstance(one, Document)
    assert (one.content_type, one.content) == ("text/html", b"<p>Hi</p>")


def test_a_row_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    from smallprint.corpus.rows import Rows

    path = write_rows(tmp_path / "c.jsonl", [row("A"), row("B", text="x" * 90_000), row("C")])
    found = list(Rows(path, 20_000).documents(1))
    assert [type(item) for item in found] == [Document, Refusal, Document]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_file_that_is_cut_short_gives_what_it_holds(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"c.jsonl{ending}"
    packed = pack("".join(json.dumps(row(f"S{n}")) + "\n" for n in range(200)).encode())
    path.write_bytes(packed[: len(packed) * 3 // 4])
    *good, last = documents(path)
    assert isinstance(last, Refusal)
    assert last.kind == "Damaged"
    assert len(good) > 50


def test_a_folder_is_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.html", "b/a.md", "a.txt", "x.pdf", "skip.png", ".hidden.txt"):
        (tmp_path / name).write_text("x")
    write_rows(tmp_path / "rows.jsonl", [row("A")])
    found = documents(tmp_path)
    assert [Path(item.place).name for item in found] == ["a.txt", "a.md", "x.pdf", "z.html", "rows.jsonl:1"]
    (tmp_path / "a.txt").write_text("changed")
    assert documents(tmp_path)[0].key != found[0].key
    assert documents(tmp_path)[1].key == found[1].key


def test_a_list_of_addresses(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_text("# ours\nhttps://acme.com/privacy\n\nexample.org # a remark\nno address\n")
    found = documents(path)
    assert [item.source for item in found if isinstance(item, Document)] == [
        "https://acme.com/privacy",
        "https://example.org",
    ]
    assert [item.place for item in found if isinstance(item, Refusal)] == [f"{path}:5"]
    assert found[0].key != documents(path, run=2)[0].key


def warc(path: Path, records: list[tuple[str, str, bytes]]) -> Path:
    with path.open("wb") as file:
        for url, head, body in records:
            http = head.encode() + b"\r\n\r\n" + body
            file.write(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2021-03-04T05:06:07Z\r\n"
                + f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n".encode()
                + f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{len(url):012}>\r\n".encode()
                + f"Content-Length: {len(http)}\r\n\r\n".encode()
                + http
                + b"\r\n\r\n"
            )
    return path


def test_pages_of_a_web_archive(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    ok = "HTTP/1.1 200 OK\r\nContent-Type: {}"
    body = page("Acme").encode()
    path = warc(
        tmp_path / "c.warc",
        [
            ("https://acme.com/robots.txt", ok.format("text/plain"), b"User-agent: *"),
            ("https://acme.com/privacy", ok.format("text/html; charset=utf-8"), body),
            ("https://acme.com/logo.png", ok.format("image/png"), b"\x89PNG"),
            ("https://acme.com/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"<p>Gone</p>"),
        ],
    )
    packed = path.with_suffix(".warc.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for file in (path, packed):
        (one,) = documents(file)
        assert isinstance(one, Document)
        assert (one.url, one.content_type, one.charset) == ("https://acme.com/privacy", "text/html", "utf-8")
        assert (one.seen, one.content) == (datetime(2021, 3, 4, tzinfo=UTC), body)


def test_documents_without_an_address_lead_nowhere(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    history = {"paras": ["We share it."], "versions": [{"date": "May 2019", "paras": [0]}]}
    rows = write_rows(tmp_path / "c.jsonl", [row("A"), {"text": "We sell it."}, history])
    pages = warc(tmp_path / "c.warc", [("", "HTTP/1.1 200 OK\r\nContent-Type: text/html", b"<p>We sell it.</p>")])
    found = [item for item in documents(rows, pages) if isinstance(item, Document)]
    assert [leads_back(document.source) for document in found] == [True, False, False, False]


@pytest.mark.parametrize(
    "url", ["/etc/hosts", "file:///etc/passwd", "~/.ssh/id_rsa", "policy.html", "javascript:a.com"]
)
def test_what_a_document_calls_its_address_never_leads_to_a_file(tmp_path: Path, url: str) -> None:
    pytest.importorskip("fastwarc")
    rows = write_rows(tmp_path / "c.jsonl", [row("A", url=url, domain=None), row("B", url=url)])
    pages = warc(tmp_path / "c.warc", [(url, "HTTP/1.1 200 OK\r\nContent-Type: text/html", b"<p>We sell it.</p>")])
    found = [item for item in documents(rows, pages) if isinstance(item, Document)]
    assert [document.url for document in found] == [None, "https://b.com", None]
    assert [document.source for document in found] == [f"{rows}:1", "https://b.com", f"{pages}@0"]


def test_an_address_without_its_scheme_never_names_a_file(tmp_path: Path) -> None:
    """`acme.com` may be a file in the folder that a policy is fetched again from."""
    rows = write_rows(tmp_path / "c.jsonl", [row("A", url="acme.com/privacy")])
    (tmp_path / "urls.txt").write_text("acme.com/?to=https://acme.com/privacy\n")
    assert [item.source for item in documents(rows, tmp_path / "urls.txt") if isinstance(item, Document)] == [
        "https://acme.com/privacy",
        "https://acme.com/?to=https://acme.com/privacy",
    ]


def test_an_address_that_is_none_does_not_end_an_archive(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html"
    records = [(url, ok, b"<p>We sell it.</p>") for url in ("https://[", "https://acme.com/privacy")]
    found = documents(warc(tmp_path / "c.warc", records))
    assert [item.url for item in found if isinstance(item, Document)] == [None, "https://acme.com/privacy"]


def test_what_is_no_corpus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>Hi</p>")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnsupportedFormat, match="is no corpus"):
        documents(tmp_path / "a.html")
    with pytest.raises(FileUnreadable, match="There is no file"):
        documents(tmp_path / "missing.jsonl")
    with pytest.raises(FileUnreadable, match="holds nothing to read"):
        documents(tmp_path / "empty")


def test_positions_go_on_over_several_sources(tmp_path: Path) -> None:
    one = write_rows(tmp_path / "1.jsonl", [row("A")])
    two = write_rows(tmp_path / "2.jsonl", [row("B")])
    corpus = open_corpus([str(one), str(two)], at(tmp_path))
    positions = [item.position for item in corpus.documents(1) if isinstance(item, Document)]
    assert positions == [one.stat().st_size, corpus.size]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2020", (2020, 1, 1)),
        ("2020-7", (2020, 7, 1)),
        ("2020-07-31T10:00:00Z", (2020, 7, 31)),
        ("", None),
        (None, None),
        ("2020-99", None),
        ("last week", None),
        (2019, (2019, 1, 1)),
    ],
)
def test_dates(text: object, date: tuple[int, int, int] | None) -> None:
    assert date_of(text) == (None if date is None else datetime(*date, tzinfo=UTC))


def test_keys_tell_parts_apart() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("a", 1) == key_of("a", "1")
    assert len(key_of("a")) == 16


def test_a_history_is_one_document_for_each_version(tmp_path: Path) -> None:
    history = {
        "service": "Acme",
        "domain": "acme.example",
        "sep": "\n\n",
        "paras": ["We collect data.", "We share it.", "We sell it."],
        "versions": [{"date": "2019-05-01", "paras": [0, 1]}, {"date": "2021-02-03", "paras": [0, 2]}, {"paras": [9]}],
    }
    one, two, bad = documents(write_rows(tmp_path / "h.jsonl", [history]))
    assert isinstance(one, Document)
    assert isinstance(two, Document)
    assert (one.name, one.url, one.seen) == ("Acme", "https://acme.example", datetime(2019, 5, 1, tzinfo=UTC))
    assert (two.content, two.seen) == (b"We collect data.\n\nWe sell it.", datetime(2021, 2, 3, tzinfo=UTC))
    assert one.key != two.key
    assert isinstance(bad, Refusal)


@pytest.mark.parametrize(
    ("path", "name", "day"),
    [
        ("Acme/2021-04-30.txt", "Acme", (2021, 4, 30)),
        ("Acme/20210430.txt", "Acme", (2021, 4, 30)),
        ("acme_2021-04.txt", "acme", (2021, 4, 1)),
        ("2021-04-30 Acme Ltd.txt", "Acme Ltd", (2021, 4, 30)),
    ],
)
def test_a_dated_file_is_a_version(tmp_path: Path, path: str, name: str, day: tuple[int, int, int]) -> None:
    file = tmp_path / "corpus" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("We collect data.")
    (one,) = documents(tmp_path / "corpus")
    assert isinstance(one, Document)
    assert (one.name, one.seen) == (name, datetime(*day, tzinfo=UTC))


def test_a_file_without_a_date_is_named_by_its_text(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "acme-990123.txt").write_text("We collect data.")
    (one,) = documents(tmp_path / "corpus")
    assert isinstance(one, Document)
    assert one.name is None
