"""Plain text: paragraphs, bullets, numbered items and headings told by blank lines, indent and look."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from smallprint.ingest.lines import (
    NUMBER,
    ends_open,
    is_short,
    is_title_case,
    is_titled_number,
    is_upper,
    number_depth,
    strip_bullet,
)
from smallprint.records import BlockKind, Page, Piece

_FULL = 0.75  # a line this much of the usual width goes on in the next one
_TAB = 4


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    indent: int

    @property
    def is_mark(self) -> bool:
        return strip_bullet(self.text) is not None or bool(NUMBER.match(self.text))


def extract(text: str) -> Page:
    pieces: list[Piece] = []
    groups = _groups(text)
    width = _usual_width(groups)
    indents: list[int] = []
    for group in groups:
        for paragraph in _paragraphs(group, width):
            alone = len(paragraph) == 1 and len(group) <= 2
            piece = _piece(paragraph, indents, apart=alone or paragraph is group)
            pieces.append(piece)
    settled = _settle(pieces)
    title = next((p.text for p in settled[:3] if p.kind is BlockKind.HEADING), "")
    return Page(title, tuple(settled), "text/plain")


def _groups(text: str) -> list[list[_Line]]:
    """Lines between blank lines."""
    groups: list[list[_Line]] = [[]]
    for raw in text.replace("\0", "").splitlines():
        line = raw.expandtabs(_TAB)
        if line.strip():
            groups[-1].append(_Line(line.strip(), len(line) - len(line.lstrip())))
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def _usual_width(groups: list[list[_Line]]) -> int:
    """The width text was wrapped at; 0 where it was not wrapped (one paragraph a line)."""
    widths = sorted(len(a.text) + a.indent for group in groups for a, _ in pairwise(group))
    if len(widths) < 2:
        return 0
    wide = widths[int(len(widths) * 0.9)]
    return wide if 40 <= wide <= 130 else 0


def _paragraphs(group: list[_Line], width: int) -> list[list[_Line]]:
    """Lines that run on: wrapped ones join the line before, marks and headings start anew."""
    result = [[group[0]]]
    for before, line in pairwise(group):
        wrapped = width and len(before.text) + before.indent >= _FULL * width
        runs_on = wrapped or (line.text[0].islower() and not _is_heading(before.text, apart=False))
        if line.is_mark or not runs_on:
            result.append([line])
        else:
            result[-1].append(line)
    return result


def _piece(lines: list[_Line], indents: list[int], *, apart: bool) -> Piece:
    text = " ".join(line.text for line in lines)
    first = lines[0]
    bare = strip_bullet(text)
    if len(lines) == 1 and bare is None and _is_heading(text, apart=apart):
        indents.clear()
        return Piece(BlockKind.HEADING, text, max(1, number_depth(text)))
    if bare is not None or NUMBER.match(text):
        while indents and indents[-1] > first.indent:
            indents.pop()
        if not indents or indents[-1] < first.indent:
            indents.append(first.indent)
        return Piece(BlockKind.ITEM, text if bare is None else bare, len(indents))
    indents.clear()
    return Piece(BlockKind.PARAGRAPH, text)


def _is_heading(text: str, *, apart: bool) -> bool:
    """Short and without a final stop; a line among others must also be in capitals or numbered titles."""
    if not is_short(text) or not ends_open(text):
        return False
    if is_titled_number(text):
        return len(text.split()) <= 10 and is_title_case(text.split(maxsplit=1)[-1])
    return is_upper(text) or (apart and (is_title_case(text) or len(text.split()) <= 8) and text[0].isupper())


def _settle(pieces: list[Piece]) -> list[Piece]:
    """A heading needs something below it: the last piece is none. Numbered titles nest below plain ones."""
    if pieces and pieces[-1].kind is BlockKind.HEADING and len(pieces) > 1:
        pieces[-1] = Piece(BlockKind.PARAGRAPH, pieces[-1].text)
    return pieces
