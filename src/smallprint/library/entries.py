"""What the library tells about what it holds. Times are ISO 8601 in UTC: they sort as text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Op = Literal["upsert", "delete"]


@dataclass(frozen=True, slots=True)
class Stored:
    """What `add` did; `new` is false where the text was there already."""

    name: str
    version: int
    digest: str
    seen: str
    new: bool
    words: int
    domain: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A service in the list; `words` and `title` are those of its newest version."""

    name: str
    domain: str | None
    versions: int
    last_seen: str
    words: int
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Version:
    id: int
    digest: str
    seen: str
    words: int
    title: str
    source: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Pending:
    """Work for the index: bring it up to date with this version, or drop what it has of it."""

    id: int
    version: int
    op: Op


def moment(time: datetime | None = None) -> str:
    """A time (now unless given; UTC where it names no zone) as the library writes it, to the second."""
    time = datetime.now(UTC) if time is None else time
    aware = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
