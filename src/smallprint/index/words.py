"""Finding a query's words again in a text, to show them: the same for every engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from smallprint.index.query import Leaf, Node, Prefix, wanted
from smallprint.segment.stems import stem

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"[\W_]+")


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

    def __len__(self) -> int:
        return len(self._needles)

    def find(self, text: str) -> list[Match]:
        """Every place, in the text's order."""
        found = [match for needle in range(len(self)) for match in self._find_one(text, needle)]
        return sorted(found, key=lambda m: (m.start, -m.end))

    def _find_one(self, text: str, needle: int) -> Iterator[Match]:
        """Plain search for how the word begins, then a closer look: over ten times as fast as a pattern that
        minds neither case nor borders. A word in mIXED case goes unmarked."""
        stems, prefix = self._needles[needle]
        start = stems[0] if prefix else _beginning(stems[0])
        for written in {start, start.capitalize(), start.upper()}:
            at = text.find(written)
            while at >= 0:
                word = _WORD.match(text, at)
                end = word.end() if word else at + len(written)
                begins = at == 0 or not text[at - 1].isalnum()
                if begins and word and (prefix or stem(word.group()) == stems[0]):
                    last = _follow(text, end, stems[1:])
                    if last is not None:
                        yield Match(at, last, needle)
                at = text.find(written, end)


def _stems(leaf: Leaf) -> tuple[str, ...]:
    words = _WORD.findall(leaf.text)
    return tuple(w.lower() if isinstance(leaf, Prefix) else stem(w) for w in words)


def _beginning(stem: str) -> str:
    """A stem begins its words, but for its last letter: share, sharing; privaci, privacy."""
    return stem[:-1] if len(stem) > 2 and stem[-1] in "ei" else stem


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
