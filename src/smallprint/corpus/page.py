"""The text of a whole page, furniture and all: S9 searches it beside the policy alone."""

from __future__ import annotations

from smallprint.ingest.assemble import normalise
from smallprint.ingest.dom import Walker


def page_text(markup: str) -> str:
    """One line for each block; empty where the markup can't be read."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(markup.replace("\0", "").encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return ""
    if root is None:
        return ""
    walker = Walker()
    walker.walk(root)
    return "\n".join(filter(None, (normalise(block.text) for block in walker.blocks)))
