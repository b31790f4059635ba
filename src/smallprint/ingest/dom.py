"""From markup to a flat list of blocks with the containers around them, in one pass and without recursion.

A container is a range of blocks, so whatever is asked of a subtree later is a question about a range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smallprint.ingest.lines import strip_bullet
from smallprint.ingest.runs import Run, paragraphs, split_run_in
from smallprint.ingest.words import words
from smallprint.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

HEADINGS = {f"h{n}": n for n in range(1, 7)}
BOLD = frozenset(("b", "strong", "big", "th"))
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
_BLOCK_STYLE = re.compile(r"display\s*:\s*(?:block|flex|grid|table)\b", re.I)
_CLASS_HEADING = re.compile(r"(?:^|[\s_-])h[1-6](?:$|[\s_-])")
_MAX_DIGITS = 9  # of a heading's level; `int` gives up on thousands
_MAX_CELL = 1500  # characters: cells with more hold page layout rather than data


@dataclass(slots=True)
class Found:
    """A block as it stands on the page; shares are of its characters."""

    kind: BlockKind
    level: int
    text: str
    link: float = 0.0
    local: float = 0.0  # linked within the page
    bold: bool = False
    named: bool = False  # its element is called a title
    run_in: bool = False  # a title cut from the start of its paragraph
    style: str = ""  # what its element shares with others of its look: tag, class or inline style
    item: int = -1  # running number of the list item around it
    words: int = 0


@dataclass(slots=True)
class Container:
    """An element that holds blocks `first` to `last` (exclusive)."""

    element: _Element
    parent: int
    first: int
    last: int = 0


class Walker:
    """Collects blocks and containers from one tree."""

    def __init__(self, url: str | None = None) -> None:
        self._page = (url or "").partition("#")[0]
        self.blocks: list[Found] = []
        self.containers: list[Container] = []
        self._words = words()
        self._open: list[int] = []
        self._lines = [Run()]
        self._bold = self._link = self._local = self._pre = 0
        self._lists: list[str] = []
        self._items: list[int] = []
        self._fresh: set[int] = set()  # list items that have no block yet
        self._count = 0
        self._heading = 0
        self._named = False
        self._tables: list[bool] = []  # for each open table: is it data?
        self._row: list[str] = []
        self._cell: list[str] = []

    def walk(self, root: _Element) -> None:
        from lxml.etree import iterwalk

        steps = iterwalk(root, events=("start", "end"))
        for event, element in steps:
            tag = element.tag
            if event == "start":
                if tag in self._words.skipped or (tag == "button" and not self._is_toggle(element)):
                    steps.skip_subtree()
                    continue
                self._start(element, tag)
                self._text(element.text)
            else:
                if not (tag in self._words.skipped or (tag == "button" and not self._is_toggle(element))):
                    self._end(element, tag)
                self._text(element.tail)
        self._flush()

    def _is_toggle(self, element: _Element) -> bool:
        """Buttons are furniture except where they open a section of the text."""
        return bool(self._heading) or "aria-expanded" in element.attrib or "aria-controls" in element.attrib

    def _is_local(self, link: _Element) -> bool:
        page, _, place = link.get("href", "").partition("#")
        return bool(place) and page in ("", self._page)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if self._pre and "\n" in text:
            first, *rest = text.split("\n")
            self._add(first)
            for line in rest:
                self._lines.append(Run())
                self._add(line)
        else:
            self._add(text)

    def _add(self, text: str) -> None:
        if text:
            self._lines[-1].add(text, bold=self._bold > 0, link=self._link > 0, local=self._local > 0)

    def _start(self, element: _Element, tag: str) -> None:
        if tag == "br":
            self._lines.append(Run())
        elif tag == "hr":
            self._flush()
        elif tag in self._words.inline and not _BLOCK_STYLE.search(element.get("style", "")):
            self._start_inline(element, tag)
        else:
            self._start_block(element, tag)

    def _start_inline(self, element: _Element, tag: str) -> None:
        if tag == "a" and element.get("href"):
            self._link += 1
            self._local += self._is_local(element)
        if is_bold(element, tag):
            self._bold += 1

    def _start_block(self, element: _Element, tag: str) -> None:
        self._flush()
        self._open.append(len(self.containers))
        parent = self._open[-2] if len(self._open) > 1 else -1
        self.containers.append(Container(element, parent, len(self.blocks)))
        if is_bold(element, tag):
            self._bold += 1
        if level := heading_level(element, tag):
            self._heading = level
        if tag in ("ul", "ol", "dl", "menu", "dir"):
            self._lists.append(tag)
        elif tag in ("li", "dd"):
            self._count += 1
            self._items.append(self._count)
            self._fresh.add(self._count)
        elif tag == "table":
            self._tables.append(is_data_table(element))
        elif tag == "tr":
            self._row = []
        elif tag == "pre":
            self._pre += 1
        names = name_words(element)
        self._named = tag in ("summary", "button") or (
            tag in ("p", "div", "span", "label")
            and (bool(names & self._words.heading) or bool(_CLASS_HEADING.search(element.get("class", ""))))
        )

    def _end(self, element: _Element, tag: str) -> None:
        if tag in ("br", "hr"):
            return
        if tag in self._words.inline and not _BLOCK_STYLE.search(element.get("style", "")):
            if tag == "a" and element.get("href"):
                self._link -= 1
                self._local -= self._is_local(element)
            if is_bold(element, tag):
                self._bold -= 1
            return
        self._flush(tag)
        self.containers[self._open.pop()].last = len(self.blocks)
        if is_bold(element, tag):
            self._bold -= 1
        if heading_level(element, tag):
            self._heading = 0
        self._named = False
        self._end_structure(tag)

    def _end_structure(self, tag: str) -> None:
        if tag in ("ul", "ol", "dl", "menu", "dir"):
            self._lists.pop()
        elif tag in ("li", "dd"):
            self._fresh.discard(self._items.pop())
        elif tag == "pre":
            self._pre -= 1
        elif tag == "table":
            self._tables.pop()
        elif self._in_data and tag in ("td", "th"):
            self._row.append(" ".join(self._cell))
            self._cell = []
        elif self._in_data and tag == "tr":
            self._emit_row()

    @property
    def _in_data(self) -> bool:
        return bool(self._tables) and self._tables[-1]

    def _emit_row(self) -> None:
        cells = self._row
        self._row = []
        while cells and not cells[-1]:
            cells.pop()
        filled = [c for c in cells if c]
        text = filled[0] if len(filled) == 1 else " | ".join(cells)
        if filled:
            self.blocks.append(Found(BlockKind.ROW, len(self._lists) + 1, text, words=len(text.split())))

    def _flush(self, tag: str = "") -> None:
        lines, self._lines = self._lines, [Run()]
        for group in paragraphs(lines):
            if self._in_data:
                self._cell.append(group.text)
                continue
            kind = self._kind(tag)
            title, rest = split_run_in(group) if kind is BlockKind.PARAGRAPH else (None, group)
            if title:
                self._place(Found(kind, len(self._lists), title, bold=True, run_in=True, words=len(title.split())))
            block = Found(kind, len(self._lists), rest.text, words=len(rest.text.split()))
            block.link = rest.link / (rest.total or 1)
            block.bold = rest.all_bold
            block.local = rest.local / (rest.total or 1)
            block.named = self._named
            block.style = self._style()
            self._place(block)

    def _style(self) -> str:
        element = self.containers[self._open[-1]].element if self._open else None
        look = (element.get("class") or element.get("style")) if element is not None else None
        return f"{element.tag} {look}" if element is not None and look else ""

    def _kind(self, tag: str) -> BlockKind:
        if self._heading:
            return BlockKind.HEADING
        if tag == "dt":
            return BlockKind.TERM
        if self._items and self._items[-1] in self._fresh:
            return BlockKind.ITEM
        return BlockKind.PARAGRAPH

    def _place(self, block: Found) -> None:
        if self._items:
            block.item = self._items[-1]
            self._fresh.discard(block.item)
        if block.kind is BlockKind.HEADING:
            block.level = self._heading
        elif block.kind is BlockKind.ITEM:
            block.level = max(1, len(self._lists)) + (self._lists[-1:] == ["dl"])
        bare = strip_bullet(block.text)
        if bare is not None and block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            block.text = bare
            if block.kind is BlockKind.PARAGRAPH:
                block.kind, block.level = BlockKind.ITEM, len(self._lists) + 1
        self.blocks.append(block)


def is_bold(element: _Element, tag: str) -> bool:
    return tag in BOLD or bool(_BOLD_STYLE.search(element.get("style", "")))


def heading_level(element: _Element, tag: str) -> int:
    if tag in HEADINGS:
        return HEADINGS[tag]
    if element.get("role") == "heading":
        level = element.get("aria-level", "3")
        return min(6, max(1, int(level))) if level.isdecimal() and len(level) <= _MAX_DIGITS else 3
    return 0


_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def name_words(element: _Element) -> frozenset[str]:
    """The words of an element's class and id."""
    name = f"{element.get('class', '')} {element.get('id', '')}"
    return frozenset(w.lower() for w in _NAME.findall(name[:500])) if len(name) > 1 else frozenset()


def is_data_table(table: _Element) -> bool:
    """Rows of short cells. Stops at the first nested table, so all tables of a page cost one pass."""
    if table.get("role") in ("presentation", "none"):
        return False
    rows = cells = 0
    for element in table.iterdescendants():
        tag = element.tag
        if tag in ("table", "form", *HEADINGS):
            return False
        rows += tag == "tr"
        if tag in ("td", "th"):
            cells += 1
            if sum(len(text) for text in element.itertext()) > _MAX_CELL:
                return False
    return rows >= 2 and cells >= 2 * rows - 2 and cells > rows
