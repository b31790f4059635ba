"""Word pieces of texts and of question × passage pairs, with the characters each piece covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smallprint.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

QUESTION_PIECES = 40
"""The longest question in `asked` has 39 pieces; what follows is cut."""
PASSAGE_PIECES = 320
"""Sentences have 30 pieces on average; whole segments must fit too."""
TEXT_PIECES = 256


@dataclass(frozen=True, slots=True)
class Pieces:
    """Piece numbers of one input with the special pieces; `types` tells question (0) from passage (1).

    `spans` holds the characters [start, end) each piece covers in its own text; (0, 0) for special pieces.
    """

    ids: list[int]
    types: list[int]
    spans: list[tuple[int, int]]


class PieceTokenizer:
    """The pruned vocabulary both encoders share."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._first = self.number("[CLS]")
        self._last = self.number("[SEP]")

    @classmethod
    def load(cls, path: Path) -> PieceTokenizer:
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_file(str(path)))

    @classmethod
    def from_bytes(cls, content: bytes) -> PieceTokenizer:
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_str(content.decode("utf-8")))

    def number(self, piece: str) -> int:
        """The number of one piece."""
        number = self._tokenizer.token_to_id(piece)
        if number is None:
            raise ModelError(f"The vocabulary has no {piece}: install smallprint again.")
        return int(number)

    def texts(self, texts: Sequence[str], *, longest: int = TEXT_PIECES) -> list[Pieces]:
        """[CLS] text [SEP] for each text."""
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            Pieces(
                ids=[self._first, *encoded.ids[: longest - 2], self._last],
                types=[0] * (min(len(encoded.ids), longest - 2) + 2),
                spans=[(0, 0), *encoded.offsets[: longest - 2], (0, 0)],
            )
            for encoded in found
        ]

    def pairs(self, question: str, passages: Sequence[str], *, longest: int = PASSAGE_PIECES) -> list[Pieces]:
        """[CLS] question [SEP] passage [SEP] for each passage; spans of question pieces are (0, 0)."""
        asked = self._tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_PIECES]
        front = [self._first, *asked, self._last]
        found = self._tokenizer.encode_batch(list(passages), add_special_tokens=False)
        return [
            Pieces(
                ids=[*front, *encoded.ids[:longest], self._last],
                types=[0] * len(front) + [1] * (min(len(encoded.ids), longest) + 1),
                spans=[(0, 0)] * len(front) + [*encoded.offsets[:longest], (0, 0)],
            )
            for encoded in found
        ]
