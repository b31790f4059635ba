"""A policy as statements whose words can be compared: marks, numbering, case and line breaks put aside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from smallprint.segment.sentences import sentence_spans

# A run of so many words that stands in the other version did not change, wherever it stands there.
RUN = 5
Run = tuple[str, ...]
_WORD = re.compile(r"&|\be-?mails?\b|[^\W_]+(?:['’][^\W_]+)*", re.IGNORECASE)
# Targets of links, list numbers inside a sentence, addresses that a page hides from robots.
_SILENT = re.compile(
    r"\]\([^)\s]*\)?|\((?:[a-z]|[ivx]{1,5}|\d{1,2})\)|\[email.protected\]|(?<!\S)\d{1,2}\.\s?(?=[A-Z])", re.IGNORECASE
)
_NUMBERING = re.compile(
    r"^[\s*•·●#>\-–—_]*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-z])[.):]+[\s*_]*)+(?=\S)", re.IGNORECASE
)


@dataclass(frozen=True)
class Words:
    """The bare words of a text and where each stands in it. Without slots, so that what is made of them is made once:
    most paragraphs stand in many versions."""

    bare: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @cached_property
    def line(self) -> str:
        return f" {' '.join(self.bare)} "

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Every run of words inside the text, in order."""
        return _runs(self.bare)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or line as it stands in the policy: in which paragraph, and which sentence of it counted from its
    beginning (0, 1, …) and from its end (-1, -2, …); `after` are the last unchanged words before it."""

    text: str
    words: Words
    para: int = 0
    first: int = 0
    last: int = 0
    after: tuple[str, ...] = ()

    def __len__(self) -> int:
        """In words."""
        return len(self.words.bare)


class Wording:
    """One version: its paragraphs, and all bare words in a row. What stands in that row stands in the policy,
    wherever its lines break."""

    def __init__(self, paragraphs: Sequence[str]) -> None:
        self.paragraphs = tuple(paragraphs)
        self.words = [words_of(paragraph) for paragraph in self.paragraphs]
        self.row = f" {' '.join(chain.from_iterable(words.bare for words in self.words))} "

    @cached_property
    def runs(self) -> dict[Run, int]:
        """Every run of words and the first paragraph that holds its beginning; a run may go on in the next ones."""
        found: dict[Run, int] = {}
        following: Run = ()
        for number, words in reversed(list(enumerate(self.words))):
            found.update(dict.fromkeys(words.runs, number))
            found.update(dict.fromkeys(_runs(words.bare[1 - RUN :] + following), number))
            following = (words.bare[: RUN - 1] + following)[: RUN - 1]
        return found

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(words.line for words in self.words)

    def holds(self, words: Words) -> bool:
        """Whether these words stand in it in a row: as a paragraph, which most do, or anywhere. The row is searched
        only where their first and last run stand in it."""
        if words.line in self._lines:
            return True
        ends = (words.bare[:RUN], words.bare[-RUN:]) if len(words.bare) >= RUN else ()
        return all(run in self.runs for run in ends) and words.line in self.row

    def changed(self, other: Wording) -> list[Statement]:
        """The sentences whose words do not stand in a row in the other version."""
        found = []
        after: tuple[str, ...] = ()
        for number, paragraph in enumerate(self.paragraphs):
            if other.holds(self.words[number]):
                after = self.words[number].bare[-4:] or after
                continue
            sentences = sentences_of(paragraph)
            for place, sentence in enumerate(sentences):
                words = words_of(sentence)
                if other.holds(words):
                    after = words.bare[-4:] or after
                elif words.bare:
                    found.append(Statement(sentence, words, number, place, place - len(sentences), after))
        return found


@lru_cache(maxsize=20_000)
def words_of(text: str) -> Words:
    """Lower case, without marks, numbering, the targets of links, and the differences between ways to write a word."""
    numbering = _NUMBERING.match(text)
    start = numbering.end() if numbering else 0
    silent = [match.span() for match in _SILENT.finditer(text)]
    found = [m for m in _WORD.finditer(text, start) if not any(a < m.end() and m.start() < b for a, b in silent)]
    return Words(tuple(_bare(m.group()) for m in found), tuple(m.span() for m in found))


def _runs(words: Run) -> tuple[Run, ...]:
    return tuple(zip(*(words[n:] for n in range(RUN)), strict=False))


def _bare(word: str) -> str:
    plain = word.lower().replace("’", "'").removesuffix("'s").replace("'", "").replace("-", "")
    return "and" if plain == "&" else plain


@lru_cache(maxsize=20_000)
def sentences_of(paragraph: str) -> tuple[str, ...]:
    return tuple(paragraph[start:end] for start, end in sentence_spans(paragraph))


def joined(first: Statement, second: Statement) -> Statement:
    """Two statements that follow each other as one."""
    shift = len(first.text) + 1
    spans = (*first.words.spans, *((a + shift, b + shift) for a, b in second.words.spans))
    words = Words((*first.words.bare, *second.words.bare), spans)
    return Statement(f"{first.text} {second.text}", words, second.para, second.first, second.last, first.after)


def adjoin(first: Statement, second: Statement) -> bool:
    """Whether the second follows right on the first, in its paragraph or at the head of the next."""
    if first.para == second.para:
        return second.first == first.first + 1
    return second.para == first.para + 1 and first.last == -1 and second.first == 0
