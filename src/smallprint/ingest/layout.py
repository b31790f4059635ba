"""Lines on printed pages to headings, paragraphs and items, by size, weight and place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median

from smallprint.ingest.lines import NUMBER, ends_open, is_short, number_depth, strip_bullet
from smallprint.records import BlockKind, Piece

_BIGGER = 1.12  # times the body size: smaller steps are rounding of one and the same font
_GAP = 1.35  # times the usual pitch: more white than that parts paragraphs
_REPEATS = 3  # pages that must share a line at their edge before it counts as running title
_PAGE_NUMBER = re.compile(r"\W*(?:page|p\.)?\s*\d{1,4}(?:\s*(?:of|/|\|)\s*\d{1,4})?\W*", re.I)
_HYPHEN = re.compile(r"[^\W\d_]-$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line; places are points from the page's lower left corner."""

    text: str
    size: float
    bold: bool
    left: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class _Look:
    """What is usual in a document."""

    size: float
    pitch: float
    right: float
    bold: bool
    bigger: tuple[float, ...]  # sizes of headings, largest first


def to_pieces(pages: list[list[Line]]) -> Iterator[Piece]:
    bodies = [_without_edges(page, running) for page, running in _with_running(pages)]
    lines = list(chain.from_iterable(bodies))
    if not lines:
        return
    look = _usual(lines)
    words = Counter(w.lower() for line in lines for w in _WORD.findall(line.text))
    for group in _groups(bodies, look):
        yield _piece(group, look, words)


def _with_running(pages: list[list[Line]]) -> Iterator[tuple[list[Line], frozenset[str]]]:
    edges: Counter[str] = Counter()
    for page in pages:
        edges.update({_mask(line.text) for line in _edge(page) if is_short(line.text)})
    least = min(_REPEATS, max(2, len(pages)))
    running = frozenset(text for text, count in edges.items() if count >= least)
    for page in pages:
        yield page, running


def _edge(page: list[Line]) -> list[Line]:
    """The two uppermost and two lowest lines."""
    by_height = sorted(page, key=lambda line: -line.bottom)
    return by_height[:2] + by_height[2:][-2:]


def _mask(text: str) -> str:
    return re.sub(r"\d+", "#", text.lower())


def _without_edges(page: list[Line], running: frozenset[str]) -> list[Line]:
    edge = {id(line) for line in _edge(page)}
    return [
        line
        for line in page
        if id(line) not in edge or not (_mask(line.text) in running or _PAGE_NUMBER.fullmatch(line.text))
    ]


def _usual(lines: list[Line]) -> _Look:
    sizes: Counter[float] = Counter()
    bold = 0
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
        bold += len(line.text) * line.bold
    size = sizes.most_common(1)[0][0] or 1.0
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if 0 < a.bottom - b.bottom < 4 * size]
    bigger = sorted({round(s) for s in sizes if s > _BIGGER * size}, reverse=True)
    rights = sorted(line.right for line in lines)
    return _Look(
        size=size,
        pitch=median(steps) if steps else 1.2 * size,
        right=rights[int(len(rights) * 0.9)],
        bold=2 * bold > sum(sizes.values()),
        bigger=tuple(bigger),
    )


def _is_heading(line: Line, look: _Look) -> bool:
    if not is_short(line.text, 20) or strip_bullet(line.text) is not None:
        return False
    return line.size > _BIGGER * look.size or (line.bold and not look.bold and ends_open(line.text))


def _groups(pages: list[list[Line]], look: _Look) -> Iterator[list[Line]]:
    """Lines that run on, over page breaks too."""
    group: list[Line] = []
    for page in pages:
        for number, line in enumerate(page):
            if group and (_leaves_item(group[0], line) or _parts(group[-1], line, look, new_page=number == 0)):
                yield group
                group = []
            group.append(line)
    if group:
        yield group


def _leaves_item(first: Line, line: Line) -> bool:
    """Back to the left of the bullet: the item is over."""
    return strip_bullet(first.text) is not None and line.left < first.left - 0.4 * first.size


def _parts(before: Line, line: Line, look: _Look, *, new_page: bool) -> bool:
    if strip_bullet(line.text) is not None or NUMBER.match(line.text):
        return True
    if _is_heading(before, look) != _is_heading(line, look):
        return True
    if abs(before.size - line.size) > 0.15 * look.size:
        return True
    if new_page:
        return not (ends_open(before.text) and line.text[0].islower())
    gap = before.bottom - line.bottom
    if gap > _GAP * max(look.pitch, line.size) or gap < -look.pitch:
        return True
    return before.text[-1] in ".:;" and before.right < 0.75 * look.right


def _piece(lines: list[Line], look: _Look, words: Counter[str]) -> Piece:
    text = join(lines, words)
    first = lines[0]
    if _is_heading(first, look):
        return Piece(BlockKind.HEADING, text, _heading_level(first, look))
    bare = strip_bullet(text)
    if bare is not None or NUMBER.match(text):
        return Piece(BlockKind.ITEM, text if bare is None else bare, 1)
    return Piece(BlockKind.PARAGRAPH, text)


def _heading_level(line: Line, look: _Look) -> int:
    above = sum(size >= round(line.size) for size in look.bigger)
    if line.size > _BIGGER * look.size:
        return min(6, max(1, above))
    return min(6, len(look.bigger) + max(1, number_depth(line.text)))


def join(lines: Iterable[Line], words: Counter[str]) -> str:
    """Lines as one text. A hyphen at a line's end goes unless the document writes the word with one."""
    text = ""
    for line in lines:
        if _HYPHEN.search(text) and line.text[:1].islower():
            head = _WORD.findall(text)[-1].lower() if _WORD.findall(text[-60:]) else ""
            tail = _WORD.match(line.text)
            whole = f"{head}-{tail[0].lower()}" if tail else ""
            text = text + line.text if words[whole] else text[:-1] + line.text
        else:
            text = f"{text} {line.text}" if text else line.text
    return text
