"""What a service is called: the rules are written down in docs/decisions/0004-library.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from smallprint.errors import LibraryError
from smallprint.ingest.assemble import normalise
from smallprint.ingest.places import is_url
from smallprint.records import Policy

PASTED: Final = "-"
_LONGEST: Final = 80

_BETWEEN = re.compile(r"\s+[-/:]\s+|\s*[|–—•·»«]\s*|:\s+")
_KIND_OF_TEXT = re.compile(
    r"\b(?:our |the |your |full |global |online |website |web ?site |customer |consumer |general )*"
    r"(?:(?:data )?privacy|data protection|cookies?)"
    r"(?:(?: and | ?& ?|, | )(?:data protection|data|cookies?|security|terms))*"
    r"(?: (?:policy|policies|notice|notices|statement|center|centre|information|declaration)\b"
    r"|(?=$|,| (?:for|of|at|by|from|on)\b))",  # else it is part of a name, as in "Privacy Badger"
    re.IGNORECASE,
)
_JOINTS = re.compile(r"^(?:for|of|at|by|from|on|the)\b\s*|(?:['’]s?|\s+(?:for|of|at|by|from|on))$", re.IGNORECASE)
# As `corpus` writes the places of rows, of pages in web archives and of commits that tell no address, and an import
# those of rows that came from a file.
_ONE_OF_MANY = re.compile(
    r"(?:\.(?:jsonl|ndjson|parquet)(?:\.\w+)?:\d+(?:@.*)?|\.warc(?:\.\w+)?@\d+|:[^:]*\.\w+@\d{4}-\d\d-\d\d)\Z",
    re.IGNORECASE | re.DOTALL,
)
# Parts of a title that name the page or its corner of the site, never the service.
_FURNITURE = re.compile(
    r"(?:home|legal|help|about|support|policy|policies|terms|information|notice|statement|untitled|index|"
    r"welcome|(?:help|legal|support|trust) cent(?:er|re)|legal (?:information|notices?)|"
    r"terms (?:of (?:use|service)|and conditions|& conditions))?",
    re.IGNORECASE,
)


def given(name: str) -> str:
    """A name that a person chose, on one line."""
    cleaned = _cut(normalise(name))
    if not any(c.isalnum() for c in cleaned):
        raise LibraryError("A policy's name needs at least one letter or digit.")
    return cleaned


def key(name: str) -> str:
    """What two names share when they differ in case or white space only."""
    return normalise(name).casefold()


def domain(policy: Policy) -> str | None:
    """The host that published it, without `www.`; None for files and pasted text."""
    address = policy.url or policy.source
    if not is_url(address):
        return None
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return None
    return normalise(host).removeprefix("www.") or None


def may_be_one(one: str | None, other: str | None) -> bool:
    """Whether two domains can belong to one service: equal, one below the other, or one of them unknown."""
    if one is None or other is None:
        return True
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


def from_title(title: str, domain: str | None) -> str:
    """The service that a page's title names: "Privacy Policy | Acme" is Acme's. Empty where it names none.

    Of several parts the one that the domain repeats wins, else the first that is written like a name: the rest of
    "Privacy notice for pupils and parents" is none.
    """
    parts = [_bare(part) for part in _BETWEEN.split(normalise(title))]
    named = [part for part in parts if any(c.isalnum() for c in part) and not _FURNITURE.fullmatch(part)]
    host = _letters(domain or "")
    known = [part for part in named if _letters(part) in host]
    like_names = [part for part in named if part != part.lower()]
    return _cut((known or like_names or named or [""])[0])


def fallback(policy: Policy, domain: str | None) -> str:
    """The name where the title gives none: the domain, else the file's."""
    if domain:
        return domain
    stem = normalise(Path(policy.source).stem) if policy.source != PASTED else ""
    return _cut(stem) if any(c.isalnum() for c in stem) else "Pasted policy"


def origin(source: str) -> str:
    """The source such that it means the same from every folder."""
    if is_url(source) or source == PASTED:
        return source
    try:
        path = Path(source)
        return str(path.absolute()) if path.is_file() else source
    except (OSError, ValueError):  # a text too long or too odd to be a path
        return source


def leads_back(source: str) -> bool:
    """Whether a policy can be read from there again: text that was pasted can't, nor one document of a collection."""
    return is_url(source) or not (source == PASTED or _ONE_OF_MANY.search(source))


def _bare(part: str) -> str:
    """A part of a title without the words for the kind of text and what tied them to the name."""
    rest = normalise(_KIND_OF_TEXT.sub(" ", part)).strip(" ,.;-")
    return rest if rest == part else _JOINTS.sub("", rest).strip(" ,.;-")


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _cut(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    return name[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,.;-")
