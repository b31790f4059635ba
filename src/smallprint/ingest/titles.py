"""Which blocks of a page are headings although their markup doesn't say so, and how deep headings nest."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from smallprint.ingest.dom import Found
from smallprint.ingest.lines import ends_open, is_short, is_statement, is_titled_number, is_upper, number_depth
from smallprint.records import BlockKind, Piece

_MAX_REAL = 40  # words: what is longer inside <h1>–<h6> is text made large
_PROSE = 12
_MIN_TITLES = 3


def settle_headings(blocks: list[Found]) -> tuple[Piece, ...]:
    """Pieces of a page, its pseudo-headings found and placed below the last real one.

    Among them capitals stand above bold lines, and lines above titles that run into their paragraph.
    """
    pieces: list[Piece] = []
    real, capitals, lines = 0, False, False
    styles = title_styles(blocks)
    for index, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING and block.words <= _MAX_REAL:
            real, capitals, lines = block.level, False, False
            pieces.append(Piece(BlockKind.HEADING, block.text, block.level))
        elif block.style in styles and block.kind is BlockKind.PARAGRAPH:
            level = real + 1 + styles.index(block.style)
            pieces.append(Piece(BlockKind.HEADING, block.text, min(6, level)))
        elif looks_like_heading(blocks, index):
            upper = is_upper(block.text)
            level = real + 1 + (capitals and not upper) + max(0, number_depth(block.text) - 1)
            level += block.run_in and lines
            capitals, lines = capitals or upper, lines or not block.run_in
            pieces.append(Piece(BlockKind.HEADING, block.text, min(6, level)))
        elif block.kind is BlockKind.HEADING:
            pieces.append(Piece(BlockKind.PARAGRAPH, block.text))
        else:
            pieces.append(Piece(block.kind, block.text, block.level))
    return tuple(pieces)


def title_styles(blocks: list[Found]) -> list[str]:
    """Looks (class or inline style) that only titles have: short open lines, each with more text below.

    In order of first use, which is their rank.
    """
    good: Counter[str] = Counter()
    rich: Counter[str] = Counter()
    every = Counter(block.style for block in blocks if block.style and block.kind is not BlockKind.HEADING)
    for block, after in pairwise(blocks):
        title = block.kind is BlockKind.PARAGRAPH and is_short(block.text) and ends_open(block.text)
        if title and block.link < 0.5 and after.style != block.style:
            good[block.style] += 1
            rich[block.style] += after.words >= _PROSE or not ends_open(after.text)
    ranked = dict.fromkeys(block.style for block in blocks if block.style)
    return [s for s in ranked if _MIN_TITLES <= good[s] == every[s] and 2 * rich[s] > good[s]]


def looks_like_heading(blocks: list[Found], index: int) -> bool:
    """A short line that stands apart by weight, case, number or name, with text of its own after it."""
    block = blocks[index]
    if index + 1 == len(blocks) or block.kind is BlockKind.ROW or not is_short(block.text) or block.link > 0.9:
        return False
    after = blocks[index + 1]
    if block.kind in (BlockKind.ITEM, BlockKind.TERM):
        return block.kind is BlockKind.ITEM and _heads_item(blocks, index)
    if block.named or block.bold:
        return not block.text.endswith((",", ";")) and not is_statement(block.text)
    if not ends_open(block.text):
        return False
    followed = after.kind is not BlockKind.PARAGRAPH or after.words >= _PROSE
    return is_upper(block.text) or (is_titled_number(block.text) and followed)


def _heads_item(blocks: list[Found], index: int) -> bool:
    """A list item is a heading when prose follows inside it, or when it is the only one of its list."""
    block, after = blocks[index], blocks[index + 1]
    stands_out = block.bold or block.named or is_upper(block.text)
    if after.item == block.item:
        return stands_out
    before = blocks[index - 1] if index else None
    alone = after.kind is BlockKind.PARAGRAPH and (before is None or before.kind is not BlockKind.ITEM)
    lead_in = before is not None and before.text.endswith(":")
    return alone and after.words >= _PROSE and not lead_in and (stands_out or ends_open(block.text))
