"""Markdown by its own grammar (CommonMark with tables), down to visible text. Markup inside is read as HTML."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from smallprint.ingest import html
from smallprint.ingest.lines import is_short, is_statement, strip_bullet
from smallprint.records import BlockKind, Page, Piece

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAG = re.compile(r"<[^<>]*>")
# The parser drops what lies deeper than it may nest; nobody means eight quotations inside each other.
_DEEP = re.compile(r"^(?:[ \t]*(?:>|[-*+][ \t]+(?=[-*+>]))){8,}", re.M)
_FRONT = re.compile(r"\A---\n.{0,5000}?\n---\n", re.S)


def extract(text: str) -> Page:
    source = _FRONT.sub("", text.replace("\0", "").replace("\r\n", "\n"))
    source = _DEEP.sub("", source)
    reader = _Reader()
    for token in _parser().parse(source):
        reader.take(token)
    title = next((p.text for p in reader.pieces if p.kind is BlockKind.HEADING), "")
    return Page(title, tuple(reader.pieces), "text/markdown")


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 60}).enable("table")


class _Reader:
    """Turns the parser's flat token stream into pieces."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._depth = 0
        self._heading = 0
        self._real = 0
        self._fresh = False
        self._row: list[str] | None = None

    def take(self, token: Token) -> None:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._depth += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
            self._fresh = False
        elif kind == "list_item_open":
            self._fresh = True
        elif kind == "heading_open":
            self._heading = int(token.tag[1])
        elif kind == "heading_close":
            self._heading = 0
        elif kind == "tr_open":
            self._row = []
        elif kind == "tr_close":
            self._end_row()
        elif kind == "inline":
            self._inline(token)
        elif kind in ("code_block", "fence"):
            self._add(BlockKind.PARAGRAPH, token.content, self._depth)
        elif kind == "html_block":
            self.pieces.extend(html.extract(token.content).pieces)

    def _end_row(self) -> None:
        cells, self._row = self._row or [], None
        if any(cells):
            self._add(BlockKind.ROW, " | ".join(cells), self._depth + 1)

    def _inline(self, token: Token) -> None:
        for bold, line in _lines(token.children or []):
            if self._row is not None:
                self._row.append(line)
            elif self._heading:
                self._real = self._heading
                self._add(BlockKind.HEADING, line, self._heading)
            elif bold and is_short(line) and not self._depth and not is_statement(line):
                self._add(BlockKind.HEADING, line, min(6, self._real + 1))
            elif self._fresh:
                self._fresh = False
                self._add(BlockKind.ITEM, line, self._depth)
            elif (bare := strip_bullet(line)) is not None:
                self._add(BlockKind.ITEM, bare, self._depth + 1)
            else:
                self._add(BlockKind.PARAGRAPH, line, self._depth)

    def _add(self, kind: BlockKind, text: str, level: int) -> None:
        if text.strip():
            self.pieces.append(Piece(kind, " ".join(text.split()), level))


def _lines(children: list[Token]) -> list[tuple[bool, str]]:
    """Visible text of an inline run, parted at hard breaks; each with whether it is all in bold."""
    lines: list[tuple[bool, str]] = []
    parts: list[str] = []
    bold = 0
    plain = False
    for child in children:
        if child.type == "hardbreak" or (child.type == "html_inline" and child.content.startswith("<br")):
            lines.append((not plain and bool(parts), "".join(parts)))
            parts, plain = [], False
        elif child.type in ("strong_open", "strong_close"):
            bold += child.nesting
        elif child.type in ("text", "code_inline", "softbreak"):
            parts.append(" " if child.type == "softbreak" else unescape(_TAG.sub(" ", child.content)))
            plain = plain or (not bold and bool(child.content.strip()))
    lines.append((not plain and bool(parts), "".join(parts)))
    return [(all_bold, line.strip()) for all_bold, line in lines if line.strip()]
