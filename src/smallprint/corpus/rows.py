"""JSON Lines: one document a line, plain or packed.

Fields: `text` (Markdown or plain) or `html` (a whole page); if there, `service`, `domain`, `url`, `date`. Others are
passed over. A row may also be a history: `paras` are the paragraphs of all versions, and each of `versions` has its
`date` and in `paras` the numbers of its own, joined by the row's `sep`.
"""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from smallprint.corpus.documents import Document, Form, OneFile, date_of, key_of
from smallprint.errors import UnsupportedFormat
from smallprint.ingest.places import web_address
from smallprint.library import Refusal


@dataclass(frozen=True, slots=True)
class Rows(OneFile):
    def documents(self, run: int) -> Iterator[Document | Refusal]:  # noqa: ARG002
        number = 0
        with self.path.open("rb") as packed:
            try:
                for number, line in enumerate(self._lines(_unpacked(packed, self.path)), 1):
                    if line is None or line.strip():
                        yield from self._documents(line, number, packed.tell())
            except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
                place = f"{self.path}:{number + 1}"
                key = key_of("damage", place, self.size)
                yield Refusal(key, place, "Damaged", f"The file can't be unpacked from here on: {error}")

    def _lines(self, unpacked: BinaryIO) -> Iterator[bytes | None]:
        """The lines; None in place of one that is too long to be held."""
        while line := unpacked.readline(self.longest):
            whole = line.endswith(b"\n") or len(line) < self.longest
            yield line if whole else None
            while not whole and (line := unpacked.readline(self.longest)):
                whole = line.endswith(b"\n")

    def _documents(self, line: bytes | None, number: int, position: int) -> Iterator[Document | Refusal]:
        """One for a row, or one for each version of a history."""
        place = f"{self.path}:{number}"
        if line is None:
            reason = f"The row is longer than {self.longest:,} bytes."
            yield Refusal(key_of("row", place, self.longest), place, "TooLarge", reason)
            return
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Refusal(key_of("row", place, line), place, "BadRow", f"This is no JSON: {error}")
            return
        if not isinstance(row, dict) or not isinstance(row.get("versions"), list):
            yield self._document(row, line, place, position)
            return
        for version in row["versions"]:
            yield self._version(row, version, place, position)

    def _version(self, row: dict[str, Any], version: Any, place: str, position: int) -> Document | Refusal:
        try:
            place, date = f"{place}@{version['date']}", str(version["date"])
            text = str(row.get("sep", "\n\n")).join(str(row["paras"][number]) for number in version["paras"])
            told = {**{field: row.get(field) for field in ("service", "domain", "url")}, "date": date, "text": text}
            line = json.dumps(told, sort_keys=True).encode()
        except (KeyError, IndexError, TypeError, RecursionError):
            return Refusal(key_of("version", place, repr(version)), place, "BadRow", "This is no version of a history.")
        return self._document(told, line, place, position)

    def _document(self, row: Any, line: bytes, place: str, position: int) -> Document | Refusal:
        text = _content(row)
        if text is None:
            return Refusal(key_of("row", place, line), place, "BadRow", "The row has neither “text” nor “html”.")
        url = _address(row)
        return Document(
            place=place,
            source=url or place,
            key=key_of("row", line),  # wherever it is: the same row in two files is one document
            form=Form.BYTES,
            position=position,
            content=text.encode("utf-8", "replace"),
            content_type="text/html" if row.get("html") else "",
            charset="utf-8",
            url=url,
            name=_word(row, "service"),
            seen=date_of(row.get("date")),
        )


def _content(row: Any) -> str | None:
    content = (row.get("html") or row.get("text")) if isinstance(row, dict) else None
    return content if isinstance(content, str) else None


def _address(row: dict[str, Any]) -> str | None:
    url, domain = _word(row, "url"), _word(row, "domain")
    return web_address(url or "") or (web_address(f"https://{domain}") if domain else None)


def _word(row: dict[str, Any], field: str) -> str | None:
    value = row.get(field)
    return value.strip() or None if isinstance(value, str) else None


def _unpacked(packed: BinaryIO, path: Path) -> BinaryIO:
    match path.suffix.lower():
        case ".gz":
            return cast(BinaryIO, gzip.GzipFile(fileobj=packed))
        case ".xz":
            return cast(BinaryIO, lzma.LZMAFile(packed))
        case ".zst":
            return _zstandard(packed)
        case _:
            return packed


def _zstandard(packed: BinaryIO) -> BinaryIO:
    try:
        import zstandard
    except ImportError as error:
        raise UnsupportedFormat("Reading .zst files needs an extra: pip install “smallprint[corpus]”.") from error
    import io

    reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, reader)))
