from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.errors import UnsupportedFormat
from smallprint.ingest.sniff import Media, decode, media_of, refuse_binary

CURLY = "We don’t sell – ever. Café résumé: €5."


@pytest.mark.parametrize(
    ("data", "content_type", "suffix", "media"),
    [
        (b"%PDF-1.7 ...", "", "", Media.PDF),
        (b"\n\n%PDF-1.4", "text/html", ".html", Media.PDF),
        (b"<!DOCTYPE html><p>x", "", "", Media.HTML),
        (b"<!-- saved --> \n<HTML>", "text/plain", ".txt", Media.HTML),
        (b"<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml", "", Media.HTML),
        (b"\xef\xbb\xbf<html>", "", "", Media.HTML),
        ("<html>".encode("utf-16"), "", "", Media.HTML),
        (b"<!-- x -->" * 500, "", "", Media.TEXT),
        (b"<!-- x --> " * 50 + b"<p>", "", "", Media.HTML),
        (b"just words", "text/html", "", Media.HTML),
        (b"just words", "", ".htm", Media.HTML),
        (b"just words", "text/plain", "", Media.TEXT),
        (b"just words", "application/octet-stream", "", Media.TEXT),
        (b"just words", "", ".md", Media.MARKDOWN),
        (b"just words", "text/markdown", "", Media.MARKDOWN),
        (b"# Privacy\n\nWe [care](https://x.example).\n", "", "", Media.MARKDOWN),
        (b"# Privacy\n\n## Data\n", "", ".txt", Media.TEXT),
        (b"a < b and c > d", "", "", Media.TEXT),
    ],
)
def test_media(data: bytes, content_type: str, suffix: str, media: Media) -> None:
    assert media_of(data, content_type, suffix) is media


@pytest.mark.parametrize(
    ("data", "content_type", "words"),
    [
        (b"PK\x03\x04word/document.xml", "", "Word"),
        (b"\xd0\xcf\x11\xe0", "", "old Word"),
        (b"{\\rtf1", "", "RTF"),
        (b"\x89PNG\r\n", "text/html", "picture"),
        (b"\x1f\x8b\x08", "", "gzip"),
        (b"From: x\r\nContent-Type: multipart/related;", "", "web archive"),
        (b'{"a": 1}', "application/json", "application/json"),
        (b"x", "image/svg+xml", "image/svg"),
        (b"<html>not really</html>", "application/pdf", "labelled as a PDF"),
    ],
)
def test_other_formats_are_named(data: bytes, content_type: str, words: str) -> None:
    with pytest.raises(UnsupportedFormat, match=words):
        media_of(data, content_type)


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        (CURLY.encode(), None),
        (CURLY.encode(), "utf-8"),
        (CURLY.encode(), "iso-8859-1"),
        (CURLY.encode("cp1252"), "iso-8859-1"),
        (CURLY.encode("cp1252"), "utf-8"),
        (CURLY.encode("cp1252"), None),
        (CURLY.encode("cp1252"), "us-ascii"),
        (CURLY.encode("cp1252"), "no-such-charset"),
        (CURLY.encode("utf-8-sig"), "cp1252"),
        (CURLY.encode("utf-16"), "utf-8"),
        (CURLY.encode("utf-16-le"), None),
        (CURLY.encode("utf-16-be"), "utf-16"),
        (CURLY.encode("utf-32"), None),
        (CURLY.encode("cp1252"), "rot13"),
        (CURLY.encode(), "\0"),
    ],
)
def test_labels_right_wrong_or_missing_give_the_same_text(data: bytes, charset: str | None) -> None:
    assert decode(data, charset) == CURLY


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Політика та дані", "koi8-u"),
        ("プライバシー", "shift_jis"),
        ("プライバシー", "iso-2022-jp"),
        ("łódź", "iso-8859-2"),
    ],
)
def test_other_charsets_are_believed_where_they_fit(text: str, charset: str) -> None:
    assert decode(text.encode(charset), charset) == text


def test_a_page_may_name_its_own_charset() -> None:
    head = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">'
    assert decode((head + "łódź").encode("cp1250")).endswith("łódź")
    assert decode(b"<meta charset='utf-8'>" + "’".encode("cp1252")).endswith("’")


def test_the_server_goes_before_the_page() -> None:
    assert decode(b"<meta charset=windows-1251>" + "łódź".encode("cp1250"), "windows-1250").endswith("łódź")


def test_a_few_broken_letters_do_not_change_the_rest() -> None:
    text = decode("é".encode() * 50 + b"\xe9 end", "utf-8")
    assert text == "é" * 50 + "\ufffd end"


def test_null_bytes_and_control_characters_go() -> None:
    assert decode(b"We\0 keep\x08 \x1bnothing\r\n\there") == "We keep nothing\r\n\there"


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "latin-1", "shift_jis", "utf-7", "idna", "", "ü"]))
@settings(deadline=None)
def test_any_bytes_become_text_without_nulls_or_surrogates(data: bytes, charset: str | None) -> None:
    text = decode(data, charset)
    assert "\0" not in text
    assert text.encode().decode() == text


@pytest.mark.parametrize("data", [bytes(range(256)) * 4, b"\0\1\2\3" * 100])
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="binary"):
        refuse_binary(data)


@pytest.mark.parametrize("data", [b"", CURLY.encode("utf-16-le"), b"We\0 keep nothing at all, and never did."])
def test_text_is_not_binary(data: bytes) -> None:
    refuse_binary(data)
