"""Marks that single lines of text carry whatever the format: bullets, numbers, the look of a heading."""

from __future__ import annotations

import re

from smallprint.ingest.words import words as word_lists

BULLET = re.compile(r"\s*(?:[•‣⁃∙●○◦▪▫■□◆◇►▸➢➤✓✔·\uf0b7\uf0a7]|[-–—−](?=\s|[A-Z])|\*(?!\*)|o(?=\s\s))\s*(?=\S)")
NUMBER = re.compile(
    r"\s*(?P<mark>\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[ivxIVX]{1,5}|[a-zA-Z])[.)](?=\s|$)|\d{1,3}(?:\.\d{1,3}){1,4}(?=\s)|\([a-z0-9]{1,3}\)(?=\s))\s*"
)
_TITLED = re.compile(
    r"(?:section|article|part|chapter|§)\s*\d{1,3}(?:\.\d{1,3})*\b|\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+(?=[A-Z])|[IVX]{1,5}\.\s+(?=[A-Z])|[A-Z]\.\s+(?=[A-Z])",
    re.I,
)
_ENDS = re.compile(r"[.;,:!…]['\"”’)\]]*$")
_STATEMENT = re.compile(r"(?:we|you|your|our|by|if|please|no|this|these|it|do not|any|all)\b.*[.!]\W*$", re.I | re.S)
_WORD = re.compile(r"[^\W\d_][\w’'&/-]*")
MAX_HEADING_WORDS = 14


def strip_bullet(line: str) -> str | None:
    """The line without its bullet; None where there is none."""
    mark = BULLET.match(line)
    return line[mark.end() :] if mark else None


def number_depth(line: str) -> int:
    """How deep a leading section number goes: 0 without one, 1 for "4.", 2 for "4.2 Sharing"."""
    mark = NUMBER.match(line)
    return mark["mark"].strip("().").count(".") + 1 if mark else 0


def is_upper(line: str) -> bool:
    capitals = sum(map(str.isupper, line))
    return capitals > 3 and capitals >= 9 * sum(map(str.islower, line))


def is_title_case(line: str) -> bool:
    words = _WORD.findall(line)
    small = word_lists().small
    telling = [w for w in words if w.lower() not in small]
    return bool(telling) and words[0][0].isupper() and all(w[0].isupper() for w in telling)


def is_titled_number(line: str) -> bool:
    """Numbered like a section, with words after the number."""
    mark = _TITLED.match(line.strip())
    return bool(mark) and bool(_WORD.search(line, mark.end() if mark else 0))


def ends_open(line: str) -> bool:
    """No final stop, as titles have none (a question mark is fine)."""
    return not _ENDS.search(line.rstrip())


def is_statement(line: str) -> bool:
    """A whole sentence such as "We do not sell your data.": in bold it is still no title."""
    return bool(_STATEMENT.match(line)) and not is_title_case(line)


def is_short(line: str, words: int = MAX_HEADING_WORDS) -> bool:
    return len(line) <= 120 and 0 < len(line.split()) <= words and bool(_WORD.search(line))
