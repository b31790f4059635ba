"""Which parts of a page are furniture, and where its main text stands.

Everything works on ranges of blocks (see `dom`). Names only propose; how much prose a part holds decides,
so that a policy in `<div class="sidebar">` survives. Shares were tuned on 94 saved policy pages of 2015 and
checked by eye on 60 recent ones; figures are in docs/decisions/0003-extraction.md.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import IntEnum
from itertools import accumulate

from smallprint.ingest.dom import HEADINGS, Container, Found, name_words
from smallprint.ingest.words import words
from smallprint.records import BlockKind

STRONG_SHARE = 0.3  # of the page's prose
LINK_SHARE = 0.25  # sections of policies have a tenth of that
WEAK_WORDS = 60
_SECTION_WORDS = 12  # a section called "social" or "login" that talks as a policy at least this long stays
DESCEND_SHARE = 0.985
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_CLOSED = re.compile(r"[.;:,!?]")
_TITLE = re.compile(r"\b(?:privacy|polic(?:y|ies)|notice|statement|terms|data protection|cookies?)\b", re.I)
# Consent banners that carry no telling name.
_CONSENT = re.compile(
    r"\bcookies\b.{0,80}\b(?:best|better|enhance|improve|ensure)\b.{0,60}\bexperience\b"
    r"|\bby (?:continuing|clicking|using|browsing)\b.{0,80}\b(?:agree|consent|accept)\b.{0,60}\bcookies\b"
    r"|\b(?:site|website|page) uses cookies\b|^we use cookies\b.{0,200}\b(?:accept|click|settings|preferences)\b",
    re.I,
)
_GREETING = 30  # words, of which no block may have more than two thirds
_EDGE = 3  # blocks from either end where a banner without a name is looked for
_COPYRIGHT = re.compile(r"^(?:©|\(c\)|copyright\b).{0,150}$|\ball rights reserved\b.{0,40}$", re.I)
_NEVER = frozenset(("html", "body", "main", "form", "dt", "summary", "tr", *HEADINGS))
_HOLDERS = frozenset(("body", "main", "article", "section", "div", "td", "form", "center"))
_WORD = re.compile(r"[a-z]+")


class Sort(IntEnum):
    """What a container calls itself."""

    TEXT = 0
    WEAK = 1
    HIDDEN = 2
    LINKS = 3
    STRONG = 4


class Sums:
    """Prose, voice, words and linked words of any range of blocks."""

    def __init__(self, blocks: list[Found], kept: list[bool]) -> None:
        pairs = list(zip(blocks, kept, strict=True))
        self._prose = _sums([prose(b) if k else 0 for b, k in pairs])
        self._voice = _sums([prose(b) if k and prose(b) and speaks(b) else 0 for b, k in pairs])
        self._words = _sums([b.words if k else 0 for b, k in pairs])
        self._heads = _sums([int(b.kind is BlockKind.HEADING and b.link < 0.5) for b in blocks])
        # Links within the page are part of the text: openings of policies are full of them.
        self._links = _sums([round(b.words * (b.link - b.local)) if k else 0 for b, k in pairs])

    def prose(self, first: int, last: int) -> int:
        return self._prose[last] - self._prose[first]

    def headings(self, first: int, last: int) -> int:
        return self._heads[last] - self._heads[first]

    def weight(self, first: int, last: int) -> float:
        """Prose, for the most part that which talks as policies do."""
        return self.voice(first, last) + 0.2 * self.prose(first, last)

    def voice(self, first: int, last: int) -> int:
        return self._voice[last] - self._voice[first]

    def share(self, first: int, last: int) -> float:
        """Of the page's weight."""
        return self.weight(first, last) / (self.weight(0, len(self._prose) - 1) or 1)

    def linked(self, first: int, last: int) -> float:
        return (self._links[last] - self._links[first]) / ((self._words[last] - self._words[first]) or 1)


def _sums(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


def prose(block: Found) -> int:
    """Words that count as running text: not links, not menu entries, not headings."""
    if block.kind is BlockKind.HEADING or block.link > 0.6:
        return 0
    if block.words >= 12 or (block.words >= 5 and _CLOSED.search(block.text)):
        return round(block.words * (1 - block.link))
    return 0


def speaks(block: Found) -> bool:
    """Does the block talk as policies do?"""
    said = _WORD.findall(block.text[:2000].lower())
    voice = words().voice
    return 12 * sum(word in voice for word in said) >= len(said) > 0


def keep(blocks: list[Found], containers: list[Container]) -> list[bool]:
    """For each block whether it belongs to the main text."""
    kept = [True] * len(blocks)
    sums = Sums(blocks, kept)
    shares = _shares_by_name(containers, sums)
    for container in containers:
        if is_furniture(container, sums, shares):
            kept[container.first : container.last] = [False] * (container.last - container.first)
    if not any(kept):
        kept = [True] * len(blocks)
    first, last = main_range(containers, Sums(blocks, kept), len(blocks))
    first = _with_opening(blocks, kept, first)
    heading = _heading_before(blocks, kept, first)
    for index in (*range(first), *range(last, len(blocks))):
        kept[index] = index == heading
    _trim(blocks, kept, first, last)
    return kept


def _with_opening(blocks: list[Found], kept: list[bool], first: int) -> int:
    """Titles and opening lines that stand in a container of their own right before the main one."""
    while first and kept[first - 1] and blocks[first - 1].link < LINK_SHARE:
        block = blocks[first - 1]
        if block.kind is not BlockKind.HEADING and not (prose(block) and speaks(block)):
            break
        first -= 1
    return first


def _heading_before(blocks: list[Found], kept: list[bool], first: int) -> int:
    """The page's own heading where it stands outside the main part; -1 without one."""
    for index in range(first - 1, -1, -1):
        block = blocks[index]
        near = block.level <= 2 or index == first - 1
        if kept[index] and block.kind is BlockKind.HEADING and near and _TITLE.search(block.text):
            return index
    return -1


def _shares_by_name(containers: list[Container], sums: Sums) -> Counter[str]:
    """Prose shares of all parts of one class: a policy may be cut into many parts called "nav-item"."""
    shares: Counter[str] = Counter()
    for container in containers:
        shares[container.element.get("class", "")] += sums.share(container.first, container.last)  # type: ignore[assignment]
    return shares


def is_furniture(container: Container, sums: Sums, shares: Counter[str]) -> bool:
    first, last = container.first, container.last
    if first == last or container.element.tag in _NEVER:
        return False
    kind = sort(container)
    if kind is Sort.TEXT or sums.share(first, last) >= STRONG_SHARE:
        return False
    name = container.element.get("class", "")
    if name and shares[name] >= STRONG_SHARE:
        return False
    if kind is Sort.LINKS:
        empty = not sums.prose(first, last) and not sums.headings(first, last)
        return empty or sums.linked(first, last) > LINK_SHARE
    if kind is Sort.WEAK and sums.voice(first, last) >= _SECTION_WORDS:
        return sums.prose(first, last) < WEAK_WORDS and container.element.find(".//input") is not None
    return kind is Sort.STRONG or sums.prose(first, last) < WEAK_WORDS


def sort(container: Container) -> Sort:
    known = words()
    element = container.element
    role = element.get("role")
    if element.tag in known.tags or role in known.roles:
        return Sort.STRONG
    if element.tag in known.link_tags or role in known.link_roles:
        return Sort.LINKS
    called = name_words(element)
    hidden = "hidden" in element.attrib or element.get("aria-hidden") == "true"
    hidden = hidden or bool(_HIDDEN_STYLE.search(element.get("style", "")))
    if not called & known.frame:
        if called & known.strong or (called & known.cookie and called & known.banner):
            return Sort.STRONG
        if called & known.links:
            return Sort.LINKS
        if called & known.weak and not hidden:
            return Sort.WEAK
    return Sort.HIDDEN if hidden else Sort.TEXT


def main_range(containers: list[Container], sums: Sums, size: int) -> tuple[int, int]:
    """Down from the root while one child holds nearly all that talks as a policy; where that ends."""
    first, last = 0, size
    least = DESCEND_SHARE * sums.weight(0, size)
    for container in containers if least else ():
        within = first <= container.first and container.last <= last
        if within and container.element.tag in _HOLDERS and sums.weight(container.first, container.last) >= least:
            first, last = container.first, container.last
    return first, last


def _trim(blocks: list[Found], kept: list[bool], first: int, last: int) -> None:
    """Drop link lists and leftovers at the edges of the main range, and links that come again and again."""
    body = [i for i in range(first, last) if kept[i] and prose(blocks[i])]
    if not body:
        return
    _drop_before_title(blocks, kept, body)
    noise = words().noise
    repeats = Counter(b.text for b in blocks[first:last] if b.link > 0.8)
    for index in range(first, last):
        block = blocks[index]
        if " ".join(_WORD.findall(block.text[:40].lower())) in noise or repeats[block.text] >= 3:
            kept[index] = False
        elif index < body[0]:
            kept[index] &= block.link < 0.5 and (block.kind is BlockKind.HEADING or block.bold or block.words > 1)
        elif index > body[-1]:
            leftover = block.text.endswith(":") or _COPYRIGHT.search(block.text)
            kept[index] &= block.link < 0.5 and not leftover
    if len(body) > 2 * _EDGE:
        for index in body[:_EDGE] + body[-_EDGE:]:
            kept[index] &= blocks[index].words > 80 or not _CONSENT.search(blocks[index].text)


def _drop_before_title(blocks: list[Found], kept: list[bool], body: list[int]) -> None:
    """What stands before the page's own heading is greeting or advert, as long as it is little."""
    before = 0
    for index in range(kept.index(True), body[-1]):
        block = blocks[index]
        if kept[index] and block.kind is BlockKind.HEADING and block.level <= 2 and _TITLE.search(block.text):
            kept[:index] = [False] * index
            return
        before += prose(block) if kept[index] else 0
        if before > _GREETING or 3 * block.words > 2 * _GREETING:
            return
