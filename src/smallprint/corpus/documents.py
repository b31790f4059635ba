"""A document of a corpus before anything has been read from it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?!\d)")


class Form(StrEnum):
    """Where the bytes of a document are."""

    BYTES = "bytes"  # at hand, in `content`
    FILE = "file"  # in the file that `source` names
    ADDRESS = "address"  # on the web, at the address that `source` is


@dataclass(frozen=True, slots=True)
class Document:
    """`place` is for people ("policies.jsonl.xz:17"), `source` is where to read it again, `key` tells whether it was
    read before: it changes with the place and with the content. `position` says how far into the corpus this is, in
    the corpus's own measure."""

    place: str
    source: str
    key: bytes
    form: Form
    position: int = 0
    content: bytes = b""
    content_type: str = ""
    charset: str | None = None
    url: str | None = None
    name: str | None = None
    seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class OneFile:
    """A file with many documents. `longest` is the most bytes that one of them may have; size and position are bytes
    of the file as it lies there."""

    path: Path
    longest: int

    @property
    def size(self) -> int:
        return self.path.stat().st_size


def key_of(*parts: str | bytes | int) -> bytes:
    """Sixteen bytes that these parts and no others give."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


def date_of(text: object) -> datetime | None:
    """A date as corpora write it: "2021", "2021-04", "2021-04-30" and whatever follows. Parts that are missing count
    as the first; None for what is no date."""
    found = _DATE.match(str(text or "").strip())
    if not found:
        return None
    year, month, day = (int(part) if part else 1 for part in found.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
