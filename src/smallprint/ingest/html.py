"""Web pages: markup to headings, paragraphs, list items, terms and table rows, without page furniture.

Nothing is run and nothing is fetched; entities beyond HTML's own are not expanded. Time is linear in size.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from smallprint.errors import UnsupportedFormat
from smallprint.ingest.dom import Found, Walker
from smallprint.ingest.furniture import keep
from smallprint.ingest.titles import settle_headings
from smallprint.records import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

# The parser gives up below 2,048 open elements and loses what is there: such a page is read without its
# containers.
_CONTAINERS = re.compile(r"<(?!/?(?:h[1-6]|p|br|li|title|script|style)\b)[/a-zA-Z][^<>]*>")

_ENTRY = 0.8  # of a line linked within the page: an entry of a table of contents


def extract(markup: str, url: str | None = None) -> Page:
    """The main text of a web page. A page without text gives no pieces.

    The address only tells links within the page from others; nothing is fetched from it.
    """
    root = _parse(markup)
    if root is None:
        return Page("", (), "text/html")
    walker = Walker(url)
    walker.walk(root)
    kept = keep(walker.blocks, walker.containers)
    blocks = [block for block, wanted in zip(walker.blocks, kept, strict=True) if wanted]
    pieces = settle_headings(_without_contents(blocks))
    return Page(_title(root, blocks), pieces, "text/html")


def _without_contents(blocks: list[Found]) -> list[Found]:
    """Drop entries of a table of contents: their words stand again as the headings they lead to."""
    if not any(b.local >= _ENTRY for b in blocks):
        return blocks
    titles = {_letters(b.text) for b in blocks if b.local < _ENTRY}
    return [b for b in blocks if not (b.local >= _ENTRY and _letters(b.text) in titles)]


def _letters(text: str) -> str:
    return "".join(c for c in text[:200].casefold() if c.isalpha())


def _parse(markup: str) -> _Element | None:
    from lxml import etree

    clean = markup.replace("\0", "").encode("utf-8", "replace")
    for source in (clean, None):
        parser = etree.HTMLParser(
            encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
        )
        data = source if source is not None else _CONTAINERS.sub(" ", clean.decode()).encode()
        try:
            root: _Element | None = etree.fromstring(data, parser) if data.strip() else None
        except (etree.ParserError, etree.XMLSyntaxError) as error:
            raise UnsupportedFormat("This page's markup cannot be read.") from error
        if not any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
            break
    return root


def _title(root: _Element, blocks: list[Found]) -> str:
    element = root.find(".//title")
    title = " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""
    return title or next((b.text for b in blocks if b.kind == "heading"), "")
