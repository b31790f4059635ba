"""Word pieces of texts and of question × passage pairs, with the characters each piece covers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smallprint.errors import ModelError
from smallprint.models.catalogue import Catalogue
from smallprint.models.wordpiece import WordPieces

QUESTION_PIECES = 40
"""The longest question in `asked` has 39 pieces; what follows is cut."""
PASSAGE_PIECES = 320
"""Sentences have 30 pieces on average; whole segments must fit too."""
TEXT_PIECES = 320
"""Of a text by itself: four segments of OPP-115 in a thousand have more."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Piece numbers of one input with the special pieces; `types` tells question (0) from passage (1).

    `spans` holds the characters [start, end) each piece covers in its own text; (0, 0) for special pieces.
    """

    ids: list[int]
    types: list[int]
    spans: list[tuple[int, int]]

    def over(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last piece that cover characters of the passage from `start` on and before `end`; None where
        all of them were cut."""
        inside = [
            number
            for number, (a, b) in enumerate(self.spans)
            if self.types[number] == 1 and b > a and a < end and b > start
        ]
        return (inside[0], inside[-1]) if inside else None


class PieceTokenizer:
    """The pruned vocabulary both encoders share."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._words = WordPieces(vocabulary)
        self._first = self.number("[CLS]")
        self._last = self.number("[SEP]")

    @classmethod
    def load(cls, path: Path) -> PieceTokenizer:
        return cls.from_bytes(path.read_bytes())

    @classmethod
    def from_bytes(cls, content: bytes) -> PieceTokenizer:
        """From the JSON form that the `tokenizers` package writes."""
        try:
            return cls(json.loads(content)["model"]["vocab"])
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("The vocabulary cannot be read: install smallprint again.") from error

    @property
    def pieces(self) -> list[str]:
        """All of them, by their numbers."""
        return sorted(self._vocabulary, key=self._vocabulary.__getitem__)

    def number(self, piece: str) -> int:
        """The number of one piece."""
        if piece not in self._vocabulary:
            raise ModelError(f"The vocabulary has no {piece}: install smallprint again.")
        return self._vocabulary[piece]

    def texts(self, texts: Sequence[str], *, longest: int = TEXT_PIECES) -> list[Pieces]:
        """[CLS] text [SEP] for each text."""
        return [self._text(*self._words.encode(text), longest) for text in texts]

    def _text(self, ids: list[int], spans: list[tuple[int, int]], longest: int) -> Pieces:
        ids, spans = ids[: longest - 2], spans[: longest - 2]
        return Pieces([self._first, *ids, self._last], [0] * (len(ids) + 2), [(0, 0), *spans, (0, 0)])

    def pairs(self, question: str, passages: Sequence[str], *, longest: int = PASSAGE_PIECES) -> list[Pieces]:
        """[CLS] question [SEP] [CLS] passage [SEP] for each passage: each side as if it stood alone. Spans of question
        pieces are (0, 0)."""
        asked = self._words.encode(question)[0][:QUESTION_PIECES]
        front = [self._first, *asked, self._last]
        return [self._pair(front, *self._words.encode(passage), longest) for passage in passages]

    def _pair(self, front: list[int], ids: list[int], spans: list[tuple[int, int]], longest: int) -> Pieces:
        ids, spans = ids[:longest], spans[:longest]
        return Pieces(
            ids=[*front, self._first, *ids, self._last],
            types=[0] * len(front) + [1] * (len(ids) + 2),
            spans=[(0, 0)] * len(front) + [(0, 0), *spans, (0, 0)],
        )


@cache
def shared_tokenizer(catalogue: Catalogue) -> PieceTokenizer:
    """The one that all encoders of a catalogue read with."""
    return PieceTokenizer.from_bytes(catalogue.read("tokenizer", "tokenizer.json"))
