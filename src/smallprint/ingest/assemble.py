"""From pieces to the normalised text: the one place where characters get their final positions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from smallprint.records import Block, BlockKind, Piece

_SPACE = re.compile(r"\s+")
# Control and format characters carry no words, and bidirectional marks can make a text look like another.
_INVISIBLE = re.compile(
    r"[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_LISTED = (BlockKind.ITEM, BlockKind.TERM, BlockKind.ROW)


def normalise(text: str) -> str:
    """One line of visible characters in NFC, white space folded."""
    composed = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    return _SPACE.sub(" ", _INVISIBLE.sub("", composed)).strip()


def is_visible(text: str) -> bool:
    """Whether it holds only characters that `normalise` keeps."""
    return not _INVISIBLE.search(text)


def assemble(pieces: Iterable[Piece]) -> tuple[str, tuple[Block, ...]]:
    """Join pieces into one text and say where each stands; listed neighbours stand closer together."""
    parts: list[str] = []
    blocks: list[Block] = []
    position = 0
    for piece in pieces:
        text = normalise(piece.text)
        if not text:
            continue
        if blocks:
            close = blocks[-1].kind in _LISTED and piece.kind in _LISTED
            parts.append("\n" if close else "\n\n")
            position += len(parts[-1])
        blocks.append(Block(piece.kind, piece.level, position, position + len(text)))
        parts.append(text)
        position += len(text)
    return "".join(parts), tuple(blocks)
