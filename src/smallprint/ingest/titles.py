"""Which blocks of a page are headings although their markup doesn't say so, and how deep headings nest."""

from __future__ import annotations

from smallprint.ingest.dom import Found
from smallprint.ingest.lines import (
    ends_open,
    is_short,
    is_title_case,
    is_titled_number,
    is_upper,
    number_depth,
)
from smallprint.records import BlockKind, Piece


def settle_headings(blocks: list[Found]) -> tuple[Piece, ...]:
    """Pieces of a page, its pseudo-headings found and placed below the last real one."""
    pieces: list[Piece] = []
    real, capitals = 0, False
    for index, block in enumerate(blocks):
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        if block.kind is BlockKind.HEADING and block.words <= 40:
            real, capitals = block.level, False
            pieces.append(Piece(BlockKind.HEADING, block.text, block.level))
        elif after is not None and looks_like_heading(block, after):
            upper = is_upper(block.text)
            level = real + 1 + (capitals and not upper) + max(0, number_depth(block.text) - 1)
            capitals = capitals or upper
            pieces.append(Piece(BlockKind.HEADING, block.text, min(6, level)))
        elif block.kind is BlockKind.HEADING:
            pieces.append(Piece(BlockKind.PARAGRAPH, block.text))
        else:
            pieces.append(Piece(block.kind, block.text, block.level))
    return tuple(pieces)


def looks_like_heading(block: Found, after: Found) -> bool:
    """A short line that stands apart by weight, case, number or name, with text of its own after it."""
    if block.kind in (BlockKind.ROW, BlockKind.TERM) or not is_short(block.text) or block.link > 0.9:
        return False
    if block.kind is BlockKind.ITEM and after.item != block.item:
        return False
    if block.named or block.bold:
        return not block.text.rstrip().endswith((",", ";"))
    if not ends_open(block.text):
        return False
    if block.kind is BlockKind.ITEM:
        return False
    return is_upper(block.text) or (is_titled_number(block.text) and is_title_case_after_number(block.text))


def is_title_case_after_number(text: str) -> bool:
    return is_title_case(text.split(maxsplit=1)[-1])
