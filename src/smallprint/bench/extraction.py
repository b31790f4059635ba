"""How much of a policy's text survives extraction, and how little of the page's furniture comes along.

Pages are `opp115/html`, the gold text is that of their segments in `opp115/segments`; pages without segments
are left out. Measures, each averaged over pages:

- precision, recall, f1: lower-case word tokens as multisets, extracted against gold.
- heading_recall: gold headings are the h1–h6 elements and the lines all in bold (b, strong) of the raw page,
  of at most 20 words, whose words are those of a whole line of the gold segments (their markup is split at
  br, list items and blocks; lines inside list items don't count). Found when a heading of the extract has the
  same words; a leading number may be missing.
- list_recall: gold items are the li elements of the raw page, without the lists inside them, of three words
  or more, whose words are those of a whole line of the gold segments; items that are nothing but a link are
  left out, since menus name the same sections as the policy. Found when an item (or a heading: some
  items are headings) of the extract has the same words or, for items of several paragraphs, begins the item
  with three words or more.

trafilatura runs with default settings; its headings and items are those of its XML output. Pages differ from
the gold by more than furniture: seven of them hold terms of use or other notices, which the gold leaves out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from smallprint.bench.data import DataDir
from smallprint.bench.measures import harmonic
from smallprint.bench.report import Report
from smallprint.bench.systems import left_out
from smallprint.errors import DataMissing
from smallprint.ingest import html
from smallprint.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

Tokens = tuple[str, ...]
_TOKEN = re.compile(r"\w+")
_LINE_END = re.compile(r"<\s*/?\s*(?:br|ul|ol|li|p|div|table|tr|td|h[1-6])\b[^>]*>", re.I)
_ITEM = re.compile(r"<\s*li\b[^>]*>(.*?)<\s*/\s*(?:li|ul|ol)\s*>", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")
_MAX_HEADING = 20
_MIN_ITEM = 3
WORST = 10


@dataclass(frozen=True, slots=True)
class Extract:
    """What a system makes of a page."""

    tokens: Counter[str]
    headings: frozenset[Tokens]
    items: frozenset[Tokens]


@dataclass(frozen=True, slots=True)
class Gold:
    name: str
    markup: str
    tokens: Counter[str]
    headings: frozenset[Tokens]
    items: frozenset[Tokens]


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    precision: float
    recall: float
    f1: float
    headings: float | None  # None where the page has no gold heading
    items: float | None


def run(data: DataDir, system: str | None = None) -> Report:
    chosen = {name: make for name, make in SYSTEMS.items() if system in (None, name)}
    if not chosen:
        raise DataMissing(f"extraction has no system {system}; it has {', '.join(SYSTEMS)}.")
    pages = gold_pages(data)
    if not pages:
        raise DataMissing("No page of opp115/html has segments in opp115/segments.")
    systems: dict[str, dict[str, float]] = {}
    notes: list[str] = []
    for name, make in chosen.items():
        try:
            scores = [score(page, make(page.markup)) for page in pages]
        except ModuleNotFoundError as missing:
            notes.append(left_out(name, system, missing))
            continue
        systems[name] = _means(scores)
        notes.append(f"{name} loses {1 - systems[name]['recall']:.2%} of gold tokens on average.")
        notes.extend(_worst(name, scores))
    return Report("extraction", dict(data.used), len(pages), systems, notes=tuple(notes))


def tokens(text: str) -> Tokens:
    return tuple(_TOKEN.findall(text.lower()))


def gold_pages(data: DataDir) -> list[Gold]:
    segments: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in data.rows("opp115/segments.jsonl"):
        segments[row["policy_id"]].append(row)
    pages = data.rows("opp115/html.jsonl")
    return [_gold(page, segments[page["policy_id"]]) for page in pages if segments[page["policy_id"]]]


def _gold(page: dict[str, Any], segments: list[dict[str, Any]]) -> Gold:
    counts = Counter(token for row in segments for token in tokens(row["text"]))
    markups = [row.get("html") or "" for row in segments]
    lines = {_line(text) for markup in markups for text in _LINE_END.split(markup)}
    listed = {_line(text) for markup in markups for text in _ITEM.findall(markup)}
    root = _root(page["html"])
    headings = frozenset(_headings(root) & (lines - listed))
    items = frozenset(_items(root) & (lines | listed))
    return Gold(page.get("file", str(page["policy_id"])), page["html"], counts, headings, items)


def _line(markup: str) -> Tokens:
    return tokens(_TAG.sub(" ", markup))


def _root(markup: str) -> _Element:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    clean = markup.replace("\0", "").encode("utf-8", "replace")
    root = etree.fromstring(clean, parser) if clean.strip() else None
    return etree.Element("html") if root is None else root


def _headings(root: _Element) -> set[Tokens]:
    found = {_text(e) for e in root.iter("h1", "h2", "h3", "h4", "h5", "h6", "b", "strong")}
    return {words for words in found if 0 < len(words) <= _MAX_HEADING}


def _items(root: _Element) -> set[Tokens]:
    found = {_text(e, without=("ul", "ol")) for e in root.iter("li") if not _is_link(e)}
    return {words for words in found if len(words) >= _MIN_ITEM}


def _is_link(item: _Element) -> bool:
    inner = ("ul", "ol")
    return bool(_text(item, without=inner)) and not _text(item, without=(*inner, "a"))


def _text(element: _Element, without: tuple[str, ...] = ()) -> Tokens:
    """Words of an element; inner elements named in `without` are left out, what follows them is not."""
    parts: list[str] = [element.text or ""]
    stack: list[_Element | str] = list(reversed(element))
    while stack:
        child = stack.pop()
        if isinstance(child, str):
            parts.append(child)
            continue
        if child.tail:
            stack.append(child.tail)
        if isinstance(child.tag, str) and child.tag not in (*without, "script", "style"):
            parts.append(child.text or "")
            stack.extend(reversed(child))
    return tokens(" ".join(parts))


def score(gold: Gold, extract: Extract) -> Score:
    shared = (gold.tokens & extract.tokens).total()
    precision = shared / (extract.tokens.total() or 1)
    recall = shared / (gold.tokens.total() or 1)
    return Score(
        gold.name,
        precision,
        recall,
        harmonic(precision, recall),
        _share(_has_heading(words, extract) for words in gold.headings),
        _share(_has_item(words, extract) for words in gold.items),
    )


def _share(hits: Iterable[bool]) -> float | None:
    found = list(hits)
    return fmean(found) if found else None


def _has_heading(words: Tokens, extract: Extract) -> bool:
    return words in extract.headings or (words[0].isdecimal() and words[1:] in extract.headings)


def _has_item(words: Tokens, extract: Extract) -> bool:
    if words in extract.items or words in extract.headings:
        return True
    return any(words[:length] in extract.items for length in range(_MIN_ITEM, len(words)))


def _means(scores: list[Score]) -> dict[str, float]:
    return {
        "precision": fmean(s.precision for s in scores),
        "recall": fmean(s.recall for s in scores),
        "f1": fmean(s.f1 for s in scores),
        "heading_recall": fmean([s.headings for s in scores if s.headings is not None] or [0.0]),
        "list_recall": fmean([s.items for s in scores if s.items is not None] or [0.0]),
    }


def _worst(system: str, scores: list[Score]) -> list[str]:
    lowest = sorted(scores, key=lambda s: (s.f1, s.name))[:WORST]
    return [f"{system} {s.name}: f1 {s.f1:.3f} (p {s.precision:.3f}, r {s.recall:.3f})" for s in lowest]


def smallprint(markup: str) -> Extract:
    pieces = html.extract(markup).pieces
    return Extract(
        Counter(token for piece in pieces for token in tokens(piece.text)),
        frozenset(tokens(p.text) for p in pieces if p.kind is BlockKind.HEADING),
        frozenset(tokens(p.text) for p in pieces if p.kind in (BlockKind.ITEM, BlockKind.TERM)),
    )


def trafilatura(markup: str) -> Extract:
    import trafilatura as rival
    from lxml import etree

    text = rival.extract(markup) or ""
    xml = rival.extract(markup, output_format="xml") or "<doc/>"
    # As XML: an HTML parser would take its <head> (a heading) for the document's head and drop it.
    root = etree.fromstring(xml.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    return Extract(
        Counter(tokens(text)),
        frozenset(_text(e) for e in root.iter("head")),
        frozenset(_text(e, without=("list",)) for e in root.iter("item")),
    )


SYSTEMS: dict[str, Callable[[str], Extract]] = {"smallprint": smallprint, "trafilatura": trafilatura}
