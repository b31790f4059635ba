"""Finding a query's words again in a text, to show them: the same for every engine."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from smallprint.index.query import Leaf, Node, Prefix, wanted

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"[\W_]+")


_own = threading.local()  # a stemmer may not be used by two threads at once


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    if not hasattr(_own, "stemmer"):
        import Stemmer

        _own.stemmer = Stemmer.Stemmer("english")
    return str(_own.stemmer.stemWord(word.lower()))


@dataclass(frozen=True, slots=True)
class Match:
    start: int
    end: int
    needle: int


class Needles:
    """The words and phrases of a query that a text can show."""

    def __init__(self, query: Node) -> None:
        leaves = dict.fromkeys(leaf for leaf in wanted(query) if leaf.field is None)
        self._needles = [(_stems(leaf), isinstance(leaf, Prefix)) for leaf in leaves]
        self._needles = [(stems, prefix) for stems, prefix in self._needles if stems]
        self._patterns = [_candidates(stems[0], prefix) for stems, prefix in self._needles]

    def __len__(self) -> int:
        return len(self._needles)

    def find(self, text: str) -> list[Match]:
        """Every place, in the text's order."""
        found = [match for needle in range(len(self)) for match in self._find_one(text, needle)]
        return sorted(found, key=lambda m: (m.start, -m.end))

    def _find_one(self, text: str, needle: int) -> Iterator[Match]:
        stems, prefix = self._needles[needle]
        for candidate in self._patterns[needle].finditer(text):
            if not prefix and stem(candidate.group()) != stems[0]:
                continue
            end = _follow(text, candidate.end(), stems[1:])
            if end is not None:
                yield Match(candidate.start(), end, needle)


def _stems(leaf: Leaf) -> tuple[str, ...]:
    words = _WORD.findall(leaf.text)
    return tuple(w.lower() if isinstance(leaf, Prefix) else stem(w) for w in words)


def _candidates(first: str, prefix: bool) -> re.Pattern[str]:
    """Words that may have this stem: it begins them, but for its last letter (share: sharing, privaci: privacy)."""
    start = first[:-1] if not prefix and len(first) > 2 and first[-1] in "ei" else first
    return re.compile(rf"(?<![^\W_]){re.escape(start)}[^\W_]*", re.IGNORECASE)


def _follow(text: str, at: int, stems: Iterable[str]) -> int | None:
    """Where a phrase ends that goes on with these words; None if it does not."""
    for wanted_stem in stems:
        gap = _BETWEEN.match(text, at)
        word = _WORD.match(text, gap.end()) if gap else None
        if word is None or stem(word.group()) != wanted_stem:
            return None
        at = word.end()
    return at


def merged(matches: Iterable[Match], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The ranges to mark inside `start:end`, counted from there, none overlapping."""
    marks: list[tuple[int, int]] = []
    for match in matches:
        if match.start < start or match.end > end:
            continue
        if marks and match.start - start < marks[-1][1]:
            marks[-1] = (marks[-1][0], max(marks[-1][1], match.end - start))
        else:
            marks.append((match.start - start, match.end - start))
    return tuple(marks)
