"""From a page that is no policy to the one it links to as its privacy policy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from smallprint.errors import BadAddress
from smallprint.ingest.address import WebAddress, parse

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_LINKS = 1_000  # that could be meant; more are an attack on the reader's time
_MAX_DEPTH = 100  # of a link in a footer; elements around it beyond that are not looked at
_MAX_LABEL = 80  # characters: longer links are teasers of articles, not names of documents
_NOT_TEXT = re.compile(r"[^a-z0-9&]+")

# What a link's words are worth: the general policy before a part of it, both before a guess from the path.
_LABELS = (
    (re.compile(r"(?:our |the |full |view |read |see )*privacy (?:policy|notice|statement)"), 10.0),
    (re.compile(r"(?:your )?privacy|privacy information"), 9.0),
    (re.compile(r"(?:data )?privacy (?:(?:and|&) (?:cookies?|data|security|legal|terms))(?: \w+)?"), 8.0),
    (re.compile(r"(?:\w+ ){0,4}privacy (?:policy|notice|statement)(?: \w+){0,4}"), 7.0),
    (re.compile(r"data (?:protection|policy|privacy)(?: \w+)?"), 6.0),
    (re.compile(r"(?:\w+ ){0,3}privacy(?: \w+){0,2}"), 4.0),
)
_PATH = re.compile(r"privacy[-_]?(?:policy|notice|statement)|(?:^|/)privacy(?:\.\w{2,5})?/?$|data[-_]protection")
_PATH_WORTH = 4.0
_REL_WORTH = 12.0  # rel="privacy-policy" is the page's own word for it
_FOOTER_WORTH = 1.0
# A neighbour of the policy: its settings, a right to object, another group of people, another paper.
_OTHER = re.compile(
    r"\b(?:choices?|settings?|preferences?|cent(?:er|re)|hub|shield|manage|opt|sell|california|ccpa|us state|"
    r"kids?|child(?:ren)?|applicants?|candidates?|recruitment|job|employees?|tips?|news|blog|report|archive|"
    r"previous|history|request|tool|features?|controls?)\b|^cookies?\b(?! (?:and|&) privacy)"
)
_OTHER_PRICE = 5.0
_FOREIGN_HOST_PRICE = 4.0  # mostly the policy of an embedded service, such as a captcha
_FOREIGN_LANGUAGE_PRICE = 5.0  # more than a telling path is worth
_LANGUAGE_IN_PATH = re.compile(r"/([a-z]{2})(?:[-_][a-z]{2})?/")
_OTHER_LANGUAGES = frozenset(
    ("de", "fr", "es", "it", "nl", "pt", "sv", "da", "no", "fi", "pl", "cs", "ja", "zh", "ko", "ru", "tr")
)
_ENOUGH = 4.0


@dataclass(frozen=True, slots=True)
class PolicyLink:
    url: str
    text: str


def find_policy_link(markup: str, url: str) -> PolicyLink | None:
    """The link that most likely leads to the privacy policy, other than to the page itself."""
    try:
        page = parse(url)
    except BadAddress:
        return None
    best, best_worth = None, _ENOUGH
    for element, address in _links(markup, page):
        if str(address).rstrip("/") == str(page).rstrip("/"):
            continue
        text = _label(element)
        worth = _worth(element, text, address, page)
        if worth >= best_worth:  # of equals the last one: footers come last
            best, best_worth = PolicyLink(str(address), text or "privacy policy"), worth
    return best


def _links(markup: str, page: WebAddress) -> Iterator[tuple[_Element, WebAddress]]:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True)
    data = markup.replace("\0", "").encode("utf-8", "replace")
    try:
        root = etree.fromstring(data, parser) if data.strip() else None
    except (etree.ParserError, etree.XMLSyntaxError):
        return
    if root is None:
        return
    base = root.find(".//base[@href]")
    start = str(page) if base is None else urljoin(str(page), str(base.get("href")).strip())
    hopeful = (element for element in root.iter("a", "area", "link") if _is_hopeful(element))
    for element in islice(hopeful, _MAX_LINKS):
        try:
            yield element, parse(urljoin(start, str(element.get("href")).strip()))
        except (BadAddress, ValueError):
            continue


def _is_hopeful(element: _Element) -> bool:
    href = str(element.get("href") or "").strip().lower()
    words = f"{href} {element.get('rel') or ''} {_label(element)[:_MAX_LABEL]}".lower()
    return bool(href) and not href.startswith("#") and ("privacy" in words or "data" in words)


def _label(element: _Element) -> str:
    """The link's words; for a picture or an icon what it says to those who can't see it."""
    texts: list[str | None] = []
    images: list[str] = []
    for event, inner in _inside(element):
        texts.append(inner.text if event == "start" else inner.tail)
        if event == "start" and inner.tag == "img":
            images.append(str(inner.get("alt") or ""))
    words = " ".join("".join(filter(None, texts)).split())
    return words or " ".join([str(element.get("aria-label") or element.get("title") or ""), *images]).strip()


def _inside(link: _Element) -> Iterator[tuple[str, _Element]]:
    """The starts and ends of elements in a link, up to the next link: there a browser ends it, as links can't nest. So
    each node of a page is looked at for one link only, however deep a hostile page nests them."""
    from lxml import etree

    for event, inner in etree.iterwalk(link, events=("start", "end")):
        over = event == "end" if inner is link else inner.tag == "a"
        if over:
            return
        yield event, inner


def _worth(element: _Element, text: str, address: WebAddress, page: WebAddress) -> float:
    path = urlsplit(address.target).path.lower()
    named = "privacy-policy" in str(element.get("rel") or "").lower().split()
    words = _NOT_TEXT.sub(" ", text.lower()).strip()
    worth = _REL_WORTH if named else 0.0
    if element.tag != "link" and len(text) <= _MAX_LABEL:
        worth += next((value for pattern, value in _LABELS if pattern.fullmatch(words)), 0.0)
        worth += _PATH_WORTH if _PATH.search(path) else 0.0
    if not worth:
        return 0.0
    if _OTHER.search(words) or _OTHER.search(_NOT_TEXT.sub(" ", path)):
        worth -= _OTHER_PRICE
    if _site(address) != _site(page):
        worth -= _FOREIGN_HOST_PRICE
    if _is_foreign(element, path):
        worth -= _FOREIGN_LANGUAGE_PRICE
    return worth + (_FOOTER_WORTH if _in_footer(element) else 0.0)


def _site(address: WebAddress) -> str:
    """The last two labels: close enough to tell a service from what it embeds."""
    return ".".join(address.host.split(".")[-2:])


def _is_foreign(element: _Element, path: str) -> bool:
    declared = str(element.get("hreflang") or element.get("lang") or "").lower()[:2]
    found = _LANGUAGE_IN_PATH.search(path + "/")
    return (declared or (found.group(1) if found else "")) in _OTHER_LANGUAGES


def _in_footer(element: _Element) -> bool:
    for ancestor in islice(element.iterancestors(), _MAX_DEPTH):
        marks = f"{ancestor.get('id') or ''} {ancestor.get('class') or ''} {ancestor.get('role') or ''}".lower()
        if ancestor.tag == "footer" or "footer" in marks or "contentinfo" in marks:
            return True
    return False
