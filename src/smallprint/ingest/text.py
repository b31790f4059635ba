"""Plain text: paragraphs, bullets, numbered items and headings told by blank lines, indent and look."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from smallprint.ingest.lines import (
    NUMBER,
    ends_open,
    is_short,
    is_title_case,
    is_upper,
    number_depth,
    strip_bullet,
)
from smallprint.records import BlockKind, Page, Piece

_FULL = 0.75  # a line this much of the usual width goes on in the next one
_TAB = 4
_MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    indent: int

    @property
    def is_mark(self) -> bool:
        return strip_bullet(self.text) is not None or bool(NUMBER.match(self.text))


@dataclass(frozen=True, slots=True)
class _Draft:
    text: str
    indent: int
    listed: bool  # begins with a bullet or number
    title: bool  # has the look of a heading


def extract(text: str) -> Page:
    groups = _groups(text)
    width = _usual_width(groups)
    drafts = [
        _draft(lines, alone=not width or len(group) == 1) for group in groups for lines in _paragraphs(group, width)
    ]
    pieces = _settle(drafts)
    title = next((p.text for p in pieces[:3] if p.kind is BlockKind.HEADING), "")
    return Page(title, tuple(pieces), "text/plain")


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
        runs_on = wrapped or (line.text[0].islower() and not _is_title(before.text, alone=False))
        if line.is_mark or not runs_on:
            result.append([line])
        else:
            result[-1].append(line)
    return result


def _draft(lines: list[_Line], *, alone: bool) -> _Draft:
    text = " ".join(line.text for line in lines)
    bare = strip_bullet(text)
    title = len(lines) == 1 and bare is None and _is_title(text, alone=alone)
    listed = bare is not None or bool(NUMBER.match(text))
    return _Draft(text if bare is None else bare, lines[0].indent, listed, title)


def _is_title(text: str, *, alone: bool) -> bool:
    """Short and without a final stop; a line among others must also be in capitals or numbered."""
    if not is_short(text):
        return False
    if mark := NUMBER.match(text):
        if mark.end() == len(text):
            return False
        # "4. Sharing Your Data." keeps its stop; a sentence after a number is an item.
        return len(text.split()) <= 10 and (ends_open(text) or is_title_case(text.split(maxsplit=1)[-1]))
    return ends_open(text) and (is_upper(text) or (alone and text[0].isupper()))


def _settle(drafts: list[_Draft]) -> list[Piece]:
    """Titles with prose below them are headings; marked lines are items, nested by their indent."""
    pieces: list[Piece] = []
    indents: list[int] = []
    for index, draft in enumerate(drafts):
        if draft.title and _heads(drafts, index):
            indents.clear()
            pieces.append(Piece(BlockKind.HEADING, draft.text, min(6, max(1, number_depth(draft.text)))))
        elif draft.listed:
            while indents and indents[-1] > draft.indent:
                indents.pop()
            if not indents or indents[-1] < draft.indent:
                indents.append(draft.indent)
            pieces.append(Piece(BlockKind.ITEM, draft.text, min(len(indents), _MAX_DEPTH)))
        else:
            indents.clear()
            pieces.append(Piece(BlockKind.PARAGRAPH, draft.text))
    return pieces


def _heads(drafts: list[_Draft], index: int) -> bool:
    """Text follows, at most one other title in between: rows of short lines are menus or addresses."""
    following = drafts[index + 1 : index + 3]
    if following and following[0].title:
        # Of two numbers in a row the first may be a section and the second its first part, but not the same depth.
        same = number_depth(following[0].text) == number_depth(drafts[index].text) > 0
        return len(following) == 2 and not same and _is_prose(following[1])
    return bool(following) and _is_prose(following[0])


def _is_prose(draft: _Draft) -> bool:
    return not draft.title and (draft.listed or len(draft.text.split()) >= 6 or not ends_open(draft.text))
