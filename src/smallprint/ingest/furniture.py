"""Which parts of a page are furniture, and where its main text stands.

Everything works on ranges of blocks (see `dom`). Names only propose; how much prose a part holds decides,
so that a policy in `<div class="sidebar">` survives. Shares were tuned on 94 saved policy pages of 2015 and
checked by eye on 60 recent ones; figures are in docs/decisions/0003-extraction.md.
"""

from __future__ import annotations

import re
from itertools import accumulate

from smallprint.ingest.dom import Container, Found, name_words
from smallprint.ingest.words import words
from smallprint.records import BlockKind

_STRONG_SHARE = 0.25  # of the page's prose; at .1 two policies inside "sidebar" layouts are lost
_WEAK_WORDS = 60
_DESCEND_SHARE = 0.9
_HIDDEN_WORDS = 40
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_CLOSED = re.compile(r"[.;:,!?]")
_COPYRIGHT = re.compile(r"^(?:©|\(c\)|copyright\b).{0,150}$|\ball rights reserved\b.{0,40}$", re.I)


def prose(block: Found) -> int:
    """Words that count as running text: not links, not menu entries, not headings."""
    if block.kind is BlockKind.HEADING or block.link > 0.6:
        return 0
    if block.words >= 12 or (block.words >= 5 and _CLOSED.search(block.text)):
        return round(block.words * (1 - block.link))
    return 0


def keep(blocks: list[Found], containers: list[Container]) -> list[bool]:
    """For each block whether it belongs to the main text."""
    if not blocks:
        return []
    mass = _sums([prose(b) for b in blocks])
    kept = [True] * len(blocks)
    for container in containers:
        if _is_furniture(container, mass):
            kept[container.first : container.last] = [False] * (container.last - container.first)
    if not any(kept):
        kept = [True] * len(blocks)
    mass = _sums([prose(b) if k else 0 for b, k in zip(blocks, kept, strict=True)])
    first, last = _main_range(containers, mass, len(blocks))
    _trim(blocks, kept, first, last)
    return kept


def _sums(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


def _is_furniture(container: Container, mass: list[int]) -> bool:
    first, last = container.first, container.last
    if first == last or container.element.tag in ("html", "body", "main", "form"):
        return False
    inside = mass[last] - mass[first]
    share = inside / (mass[-1] or 1)
    strength = _strength(container)
    if strength == 2:
        return share < _STRONG_SHARE
    if strength == 1:
        return inside < _WEAK_WORDS and share < _STRONG_SHARE
    return False


def _strength(container: Container) -> int:
    """2 for parts that call themselves furniture, 1 where the name may mean something else, 0 for none."""
    known = words()
    element = container.element
    if element.tag in known.tags or element.get("role") in known.roles:
        return 2
    if "hidden" in element.attrib or element.get("aria-hidden") == "true":
        return 1
    if _HIDDEN_STYLE.search(element.get("style", "")):
        return 1
    called = name_words(element)
    if not called or called & known.frame:
        return 0
    if called & known.strong or (called & known.cookie and called & known.banner):
        return 2
    return 1 if called & known.weak else 0


def _main_range(containers: list[Container], mass: list[int], size: int) -> tuple[int, int]:
    """Down from the root while one child holds nearly all the prose; the range where that ends."""
    first, last = 0, size
    total = mass[-1]
    if not total:
        return first, last
    for container in containers:
        inside = mass[container.last] - mass[container.first]
        within = first <= container.first and container.last <= last
        if within and inside >= _DESCEND_SHARE * total:
            first, last = container.first, container.last
    return first, last


def _trim(blocks: list[Found], kept: list[bool], first: int, last: int) -> None:
    """Drop what stands outside the main range, and link lists and leftovers at its edges."""
    for index in (*range(first), *range(last, len(blocks))):
        kept[index] = False
    body = [i for i in range(first, last) if kept[i] and prose(blocks[i])]
    if not body:
        return
    for index in range(first, body[0]):
        block = blocks[index]
        kept[index] &= block.link < 0.5 and (block.kind is BlockKind.HEADING or block.words > 1)
    for index in range(body[-1] + 1, last):
        block = blocks[index]
        kept[index] &= block.link < 0.5 and not _COPYRIGHT.search(block.text)
