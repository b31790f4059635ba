"""Web archives: every page that was answered with success is a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from smallprint.corpus.documents import Document, Form, OneFile, date_of, key_of
from smallprint.errors import UnsupportedFormat
from smallprint.ingest.places import web_address
from smallprint.library import Refusal

_READABLE = ("text/html", "application/xhtml+xml", "application/pdf", "text/plain", "text/markdown", "")


@dataclass(frozen=True, slots=True)
class Warc(OneFile):
    def documents(self, run: int) -> Iterator[Document | Refusal]:  # noqa: ARG002
        try:
            from fastwarc.warc import ArchiveIterator, WarcRecordType
        except ImportError as error:
            raise UnsupportedFormat("Reading WARC files needs an extra: pip install “smallprint[corpus]”.") from error
        position = 0
        try:
            with self.path.open("rb") as file:
                records = ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True)
                for record in records:
                    position = record.stream_pos
                    if _is_page(record):
                        yield self._document(record, position)
        except (OSError, EOFError, ValueError, RuntimeError) as error:
            place = f"{self.path}@{position}"
            yield Refusal(key_of("damage", place, self.size), place, "Damaged", f"The archive ends in mid-air: {error}")

    def _document(self, record: Any, position: int) -> Document | Refusal:
        place = f"{self.path}@{position}"
        url = _address(record)
        content = record.reader.read(self.longest + 1)
        key = key_of("page", url or "", content)
        if len(content) > self.longest:
            return Refusal(key, place, "TooLarge", f"{url or place} is longer than {self.longest:,} bytes.")
        return Document(
            place=place,
            source=url or place,
            key=key,
            form=Form.BYTES,
            position=position,
            content=content,
            content_type=_type(record),
            charset=record.http_charset,
            url=url,
            seen=date_of(record.headers.get("WARC-Date")),
        )


def _is_page(record: Any) -> bool:
    """Robots files, redirects, errors and pictures are no documents of the corpus, and no problems either."""
    if not record.is_http or record.http_headers is None or record.http_headers.status_code != 200:
        return False
    return urlsplit(_address(record) or "").path != "/robots.txt" and _type(record) in _READABLE


def _address(record: Any) -> str | None:
    return web_address(record.headers.get("WARC-Target-URI", "").strip("<>"))


def _type(record: Any) -> str:
    return (record.http_content_type or "").split(";")[0].strip().lower()
