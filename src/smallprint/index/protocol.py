"""One narrow seam between Smallprint and whatever engine searches: what is asked, what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from smallprint.errors import QueryError
from smallprint.index.document import IndexDocument
from smallprint.index.query import PLACES, Everything, Node
from smallprint.index.stance import SentenceStance
from smallprint.records import Facets

# Facets by name; a document may have several values of each but the first two.
VALUE_FACETS: Final = (
    "sector",
    "language",
    "tracking",
    "body",
    "regulation",
    "practice",
    "data_type",
    "third_party",
)
# Where the bars of a range facet begin; the last one is open.
RANGE_FACETS: Final[Mapping[str, tuple[float, ...]]] = {
    "grade": (0, 6, 9, 12, 14, 16, 20),
    "vagueness": (0, 0.1, 0.2, 0.3, 0.4, 0.6),
    "words": (0, 500, 1_000, 2_000, 4_000, 8_000),
}
YEAR: Final = "year"
STANCE: Final = "stance"  # of sentences only
RANGES: Final = (*RANGE_FACETS, "date")
FACETS: Final = (*VALUE_FACETS, *RANGE_FACETS, YEAR)
MOST_HITS: Final = 100_000  # offset and limit together: beyond lies the export of everything


class Sort(StrEnum):
    CUSTOM = "custom"
    RELEVANCE = "relevance"
    POPULARITY = "popularity"
    P_POLICY = "p_policy"
    DATE = "date"


class Unit(StrEnum):
    """What a hit is."""

    POLICY = "policy"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Filters:
    """`values` of one facet are alternatives, facets are joined by AND; `ranges` include both ends."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)

    def without(self, name: str) -> Filters:
        return Filters(
            {k: v for k, v in self.values.items() if k != name},
            {k: v for k, v in self.ranges.items() if k != name},
        )

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.values, *self.ranges)


@dataclass(frozen=True, slots=True)
class Request:
    """`within` is where bare words are looked for; `every_version` also finds versions that have a later one."""

    query: Node = field(default_factory=Everything)
    within: str = "text"
    filters: Filters = field(default_factory=Filters)
    sort: Sort = Sort.CUSTOM
    unit: Unit = Unit.POLICY
    offset: int = 0
    limit: int = 10
    facets: tuple[str, ...] = FACETS
    snippets: bool = True
    every_version: bool = False

    def check(self) -> None:
        """What no engine should be asked."""
        if self.within not in PLACES:
            raise QueryError(f"Words are looked for in {', '.join(PLACES)}, not in {self.within!r}.")
        if self.unit is Unit.SENTENCE and self.within != "text":
            raise QueryError("Sentences are looked for in the policies' text only.")
        if self.offset < 0 or self.limit < 1 or self.offset + self.limit > MOST_HITS:
            raise QueryError(
                f"A page has at least one hit, and pages end at hit {MOST_HITS:,}: export the result instead."
            )
        allowed = (*VALUE_FACETS, STANCE) if self.unit is Unit.SENTENCE else VALUE_FACETS
        for name in self.filters.values:
            if name not in allowed:
                raise QueryError(f"There is no facet {name!r} to choose from (known: {', '.join(allowed)}).")
        for name, (low, high) in self.filters.ranges.items():
            if name not in RANGES:
                raise QueryError(f"There is no range {name!r} (known: {', '.join(RANGES)}).")
            if low is not None and high is not None and low > high:
                raise QueryError(f"The range of {name} ends before it begins: {low:g}..{high:g}.")
        for name in self.facets:
            if name not in (*FACETS, STANCE):
                raise QueryError(f"There is no facet {name!r} to count (known: {', '.join(FACETS)}).")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text; `marks` are the ranges of the words that were looked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """`sentence` is the best one of a policy, or the hit itself; `number` and `stance` belong to the latter."""

    id: str
    service: str
    title: str
    url: str
    date: str
    score: float
    words: int
    language: str
    p_policy: float
    popularity: float
    facets: Facets
    others: tuple[str, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    sentence: Snippet | None = None
    number: int | None = None
    stance: SentenceStance | None = None


@dataclass(frozen=True, slots=True)
class FacetValue:
    """`count` hits have it, of `total` documents in the collection that do; `low`..`high` bound a range."""

    value: str
    count: int
    total: int
    selected: bool = False
    low: float | None = None
    high: float | None = None

    @property
    def share(self) -> float:
        return self.count / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """One page of hits. `searched` counts the documents there are; `fingerprint` names the state of the data."""

    total: int
    hits: tuple[Hit, ...]
    facets: Mapping[str, tuple[FacetValue, ...]]
    searched: int
    fingerprint: str


class Index(Protocol):
    """What every engine does. Readers see the state before or after a write, never one in between."""

    def ensure(self) -> bool:
        """Check that the engine can be used; true where it holds nothing that fits and must be built."""

    def upsert(self, documents: Iterable[IndexDocument]) -> int:
        """Take in documents; one with a known id replaces the other. Waits for its turn to write."""

    def delete(self, ids: Iterable[str]) -> None:
        """Drop documents; unknown ids are fine."""

    def rebuild(self, documents: Iterable[IndexDocument]) -> int:
        """Build anew beside what is there and swap when it is whole; until then readers see the old."""

    def search(self, request: Request) -> Page:
        """One page of what matches, with counts."""

    def refresh(self) -> None:
        """See what was written since, by whomever."""
