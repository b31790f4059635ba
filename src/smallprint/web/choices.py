"""A search as it stands in the address: every choice there, so that a link, a reload and Back all mean the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from smallprint.errors import QueryError
from smallprint.index.labels import label
from smallprint.index.protocol import STANCE, VALUE_FACETS, Request, Sort, Unit
from smallprint.index.searching import filters_of, parsed

PER_PAGE: Final = 10
SORTS: Final = {
    "custom": "Best first",
    "relevance": "Closest to the words",
    "popularity": "Best known",
    "date": "Newest",
}
PLACES: Final = {"text": "the policy", "title": "the title", "url": "the address"}
STANCES: Final = {"does": "says it does", "does-not": "says it does not", "choice": "leaves a choice"}
TITLES: Final = {
    "sector": "Sector",
    "practice": "Practice",
    "data_type": "Data",
    "third_party": "Shared with",
    "regulation": "Law named",
    "tracking": "Tracking named",
    "body": "Self-regulation",
    "language": "Language",
    STANCE: "What it says",
    "vagueness": "Vague sentences",
    "grade": "School grade",
    "words": "Length in words",
    "date": "Seen",
    "all": "all filters",
}
# What an address calls the ends of each range, and how a person's number becomes the index's.
RANGES: Final = {"vagueness": 0.01, "grade": 1.0, "words": 1.0}
_VALUES: Final = (*VALUE_FACETS, STANCE)
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice that was made; `without` is the search that drops it."""

    text: str
    without: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The pairs of the address, without what is empty or unknown."""

    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, params: QueryParams) -> Choices:
        known = {"q", "in", "sort", "unit", "page", *_VALUES, *_ends(*RANGES), *_ends("date")}
        return cls(
            tuple(
                dict.fromkeys((k, v[:_LONGEST] if k != "q" else v) for k, v in params.multi_items() if v and k in known)
            )
        )

    def one(self, name: str, default: str = "") -> str:
        return next((value for key, value in self.pairs if key == name), default)

    def many(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.pairs if key == name)

    def url(self, path: str = "/search") -> str:
        return f"{path}?{urlencode(self.pairs)}" if self.pairs else path

    def without(self, *names: str, value: str | None = None) -> Choices:
        """Drop these, and with them the page: what is on page three changes with the search."""
        gone = {*names, "page"}
        return Choices(tuple((k, v) for k, v in self.pairs if k not in gone or (value not in (None, v) and k in names)))

    def including(self, name: str, value: str) -> Choices:
        return Choices((*self.without(name).pairs, (name, value)))

    def widened(self, facet: str) -> Choices:
        """Without one facet, range or not; `all` drops every filter."""
        if facet == "all":
            return self.without(*_VALUES, *_ends(*RANGES, "date"))
        return self.without(facet, *_ends(facet))

    @property
    def page(self) -> int:
        return _number("page", self.one("page", "1"), least=1)

    @property
    def sentences(self) -> bool:
        return self.one("unit") == "sentence" or bool(self.many(STANCE))

    def request(self) -> Request:
        if self.one("sort", "custom") not in SORTS or self.one("in", "text") not in PLACES:
            raise QueryError("There is no such order or place to look in.")
        ranges = {name: self._range(name, factor) for name, factor in RANGES.items()}
        since, until = self.one("date_from"), self.one("date_to")
        filters = filters_of(
            {name: self.many(name) for name in _VALUES},
            {**ranges, "date": f"{since}..{until}" if since or until else None},
        )
        return parsed(
            self.one("q", "*"),
            within=self.one("in", "text"),
            filters=filters,
            sort=Sort(self.one("sort", "custom")),
            unit=Unit.SENTENCE if self.sentences else Unit.POLICY,
            offset=(self.page - 1) * PER_PAGE,
            limit=PER_PAGE,
        )

    def chips(self) -> Iterator[Chip]:
        for name in _VALUES:
            for value in self.many(name):
                shown = STANCES.get(value, value) if name == STANCE else label(name, value)
                yield Chip(shown, self.without(name, value=value).url())
        for name in (*RANGES, "date"):
            low, high = (self.one(end) for end in _ends(name))
            if low or high:
                unit = " %" if name == "vagueness" else ""
                span = f"{low}–{high}" if low and high else f"from {low}" if low else f"up to {high}"
                yield Chip(f"{TITLES[name]}: {span}{unit}", self.without(*_ends(name)).url())

    def _range(self, name: str, factor: float) -> str | None:
        low, high = (self.one(end) for end in _ends(name))
        if not low and not high:
            return None
        return "..".join(f"{_float(name, end) * factor:g}" if end else "" for end in (low, high))


def _ends(*names: str) -> Sequence[str]:
    return [f"{name}_{end}" for name in names for end in ("from", "to")]


def _float(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise QueryError(f"{text!r} is no number for {TITLES[name].lower()}.") from None


def _number(name: str, text: str, *, least: int) -> int:
    if not text.isdecimal() or int(text[:9]) < least:
        raise QueryError(f"{text!r} is no {name}.")
    return int(text[:9])
