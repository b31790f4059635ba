"""What the library tells about what it holds. Times are ISO 8601 in UTC: they sort as text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from smallprint.library.findings import Findings
from smallprint.records import Facets, Policy

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


@dataclass(frozen=True, slots=True)
class Annotation:
    """What was read from one version; `model` is the fingerprint of what read it, `findings` what the facets come from
    where the reader read it."""

    facets: Facets
    model: str
    findings: Findings | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One version's policy and whose it is."""

    version: int
    name: str
    domain: str | None
    policy: Policy


@dataclass(frozen=True, slots=True)
class Shelved:
    """A version with all that the index wants to know of it.

    `page` is the text with the page's furniture, "" where no page was given; `rank` is that of the domain;
    `others` are the services whose policies are folded under this one.
    """

    version: int
    name: str
    domain: str | None
    seen: str
    words: int
    newest: bool
    policy: Policy
    page: str = ""
    annotation: Annotation | None = None
    rank: int | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document of a corpus, read and ready to be stored. `key` tells documents apart between runs."""

    key: bytes
    policy: Policy
    annotation: Annotation
    signature: bytes
    name: str | None = None
    seen: datetime | None = None
    page: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A document that is not stored: where it is, what kind of problem, and one line a person can act on."""

    key: bytes
    place: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a batch. `stored` counts new versions, `folded` those of them that repeat another."""

    stored: int = 0
    unchanged: int = 0
    folded: int = 0
    refused: int = 0

    def __add__(self, other: Taken) -> Taken:
        return Taken(
            self.stored + other.stored,
            self.unchanged + other.unchanged,
            self.folded + other.folded,
            self.refused + other.refused,
        )


def moment(time: datetime | None = None) -> str:
    """A time (now unless given; UTC where it names no zone) as the library writes it, to the second."""
    time = datetime.now(UTC) if time is None else time
    aware = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
