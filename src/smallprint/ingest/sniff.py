"""Bytes to text: what kind of document it is, and in which characters it is written.

The bytes are believed before the server or the file name: what starts like a PDF is one, and what is valid
UTF-8 is UTF-8 whatever its label says, because other charsets practically never look like it by accident.
"""

from __future__ import annotations

import codecs
import re
from enum import StrEnum

from smallprint.errors import UnsupportedFormat


class Media(StrEnum):
    HTML = "HTML"
    PDF = "PDF"
    MARKDOWN = "Markdown"
    TEXT = "text"


_SAMPLE = 4096
_MAGIC = (
    (b"PK\x03\x04", "a Word, OpenDocument or zip file"),
    (b"\xd0\xcf\x11\xe0", "an old Word or Office file"),
    (b"{\\rtf", "an RTF file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture, sound or film"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3", "a database"),
    (b"OggS", "a sound or film"),
    (b"ID3", "a sound"),
)
_MIME_HTML = re.compile(rb"content-type:\s{0,9}multipart/related", re.I)
_TAG = re.compile(
    # Possessive, or many comments in a row would be tried in every combination.
    r"\s*+(?:<\?xml[^>]{0,200}>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+"
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|main|article|section|h[1-6]|p|table|ul|ol|span|a)\b",
    re.I | re.S,
)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|[*-] \[|={4,}$|\*\*[^*\n]{1,80}\*\*$)|\]\((?:https?:/)?[/#]", re.M)
_BY_TYPE = {
    "text/html": Media.HTML,
    "application/xhtml+xml": Media.HTML,
    "text/markdown": Media.MARKDOWN,
    "text/x-markdown": Media.MARKDOWN,
    "application/pdf": Media.PDF,
}
_BY_SUFFIX = {
    ".html": Media.HTML,
    ".htm": Media.HTML,
    ".xhtml": Media.HTML,
    ".md": Media.MARKDOWN,
    ".markdown": Media.MARKDOWN,
    ".txt": Media.TEXT,
    ".text": Media.TEXT,
}
_OPEN_TYPES = ("", "application/octet-stream", "binary/octet-stream", "application/x-download")
_META_CHARSET = re.compile(rb"<meta[^<>]{0,300}?charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w:.-]{1,40})", re.I)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# A declared UTF-16 without a mark is a mislabel, and Python knows "charsets" like rot13: only these are believed.
_WEB_CHARSET = re.compile(
    r"iso8859-\d+|cp(?:125\d|866|874|932|949|950)|koi8-[ru]|mac-roman|gbk|gb2312|gb18030|big5|euc_jp|euc_kr|"
    r"shift_jis|iso2022_(?:jp|kr)|hz"
)
# Web pages that say Latin-1 mean Windows-1252; the standard for the web says so too.
_LATIN = ("iso8859-1", "cp1252")
# These write other letters with plain ASCII bytes, so being valid UTF-8 proves nothing about them.
_ASCII_BASED = ("iso2022_jp", "iso2022_kr", "hz")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_BINARY_SHARE = 0.1  # of a sample's characters; text with a few stray control characters is still text


def media_of(data: bytes, content_type: str = "", suffix: str = "") -> Media:
    """The kind of a document; UnsupportedFormat where it is none that holds a policy to read."""
    if b"%PDF-" in data[:1024]:
        return Media.PDF
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise _unsupported(what)
    if _MIME_HTML.search(data[:_SAMPLE]):
        raise _unsupported("a web archive (MHTML)")
    declared = _BY_TYPE.get(content_type)
    if not declared and content_type not in _OPEN_TYPES and not content_type.startswith("text/"):
        raise _unsupported(f"of the type {content_type}")
    if declared is Media.PDF:
        raise UnsupportedFormat("This is labelled as a PDF but isn't one; it may be damaged.")
    # Long enough to hold the comments that some pages open with.
    start = decode(data[:_SAMPLE]).replace("\ufffd", "")
    if _TAG.match(start):
        return Media.HTML
    known = declared or _BY_SUFFIX.get(suffix.lower())
    if known:
        return known
    return Media.MARKDOWN if len(_MARKDOWN.findall(start)) > 1 else Media.TEXT


def decode(data: bytes, charset: str | None = None) -> str:
    """Text without byte order mark, null bytes and other control characters; never fails.

    `charset` is what the server said; a page's own `<meta>` comes next.
    """
    return _CONTROL.sub("", _decode(data, charset))


def refuse_binary(data: bytes) -> None:
    """Raise UnsupportedFormat for bytes that are no text in any charset."""
    sample = data[:_SAMPLE]
    text = _decode(sample, None)
    if text and len(_CONTROL.findall(text)) > _BINARY_SHARE * len(text):
        raise _unsupported("no text but binary data")


def _decode(data: bytes, charset: str | None) -> str:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    wide = _wide(data)
    if wide:
        return data.decode(wide, "replace")
    meta = _META_CHARSET.search(data[:_SAMPLE])
    declared = [name for name in (_codec(charset), _codec(meta.group(1).decode() if meta else None)) if name]
    for name in declared:
        if name in _ASCII_BASED and data[:_SAMPLE].isascii():
            return data.decode(name, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_other(data, declared)


def _decode_other(data: bytes, declared: list[str]) -> str:
    sample = data[: 50 * _SAMPLE]
    bad = sample.decode("utf-8", "replace").count("\ufffd")
    good = sum(1 for byte in sample if 0xC2 <= byte <= 0xF4) - bad
    if bad <= good / 4:  # UTF-8 with a few broken places
        return data.decode("utf-8", "replace")
    for name in declared:
        if name in _LATIN:
            break
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", "replace")


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or len(data) % 2:
        return None
    even, odd = sample[::2], sample[1::2]
    if odd.count(0) > 0.7 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.7 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return None


def _codec(name: str | None) -> str | None:
    """Python's name for a declared charset, None for anything that is no charset of the web."""
    try:
        found = codecs.lookup((name or "").strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    return found if _WEB_CHARSET.fullmatch(found) else None


def _unsupported(what: str) -> UnsupportedFormat:
    return UnsupportedFormat(
        f"This is {what}; Smallprint reads HTML, PDF, Markdown and plain text. Save or print it as one of these first."
    )
