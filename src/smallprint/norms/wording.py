"""A policy as statements whose words can be compared: marks, numbering, case and line breaks put aside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from smallprint.segment.sentences import sentence_spans

# A run of so many words that stands in the other version did not change, wherever it stands there.
RUN = 5
_WORD = re.compile(r"&|\be-?mails?\b|[^\W_]+(?:['’][^\W_]+)*", re.IGNORECASE)
# Targets of links, list numbers inside a sentence, addresses that a page hides from robots.
_SILENT = re.compile(
    r"\]\([^)\s]*\)?|\((?:[a-z]|[ivx]{1,5}|\d{1,2})\)|\[email.protected\]|(?<!\S)\d{1,2}\.\s?(?=[A-Z])", re.IGNORECASE
)
_NUMBERING = re.compile(
    r"^[\s*•·●#>\-–—_]*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-z])[.):]+[\s*_]*)+(?=\S)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Words:
    """The bare words of a text and where each stands in it."""

    bare: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def line(self) -> str:
        return f" {' '.join(self.bare)} "


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
        self.row = f" {' '.join(word for words in self.words for word in words.bare)} "

    @cached_property
    def runs(self) -> dict[tuple[str, ...], int]:
        """Every run of words and the first paragraph that holds its beginning."""
        owned = [(word, number) for number, words in enumerate(self.words) for word in words.bare]
        words = tuple(word for word, _ in owned)
        return {words[n : n + RUN]: owned[n][1] for n in range(len(words) - RUN, -1, -1)}

    @cached_property
    def vocabularies(self) -> list[frozenset[str]]:
        return [frozenset(words.bare) for words in self.words]

    def changed(self, other: Wording) -> list[Statement]:
        """The sentences whose words do not stand in a row in the other version."""
        found = []
        after: tuple[str, ...] = ()
        for number, paragraph in enumerate(self.paragraphs):
            if self.words[number].line in other.row:
                after = self.words[number].bare[-4:] or after
                continue
            sentences = sentences_of(paragraph)
            for place, sentence in enumerate(sentences):
                words = words_of(sentence)
                if words.line in other.row:
                    after = words.bare[-4:] or after
                elif words.bare:
                    found.append(Statement(sentence, words, number, place, place - len(sentences), after))
        return found


@lru_cache(maxsize=50_000)
def words_of(text: str) -> Words:
    """Lower case, without marks, numbering, the targets of links, and the differences between ways to write a word."""
    numbering = _NUMBERING.match(text)
    start = numbering.end() if numbering else 0
    silent = [match.span() for match in _SILENT.finditer(text)]
    found = [m for m in _WORD.finditer(text, start) if not any(a < m.end() and m.start() < b for a, b in silent)]
    return Words(tuple(_bare(m.group()) for m in found), tuple(m.span() for m in found))


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
