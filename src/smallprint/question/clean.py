"""The question as a person typed it, made readable: handles, hash signs, links and repeated marks go."""

from __future__ import annotations

import re

LONGEST_QUESTION = 1_000
_HANDLE = re.compile(r"(?<![\w@.])@(\w+)")
_LINK = re.compile(r"https?://\S+")
_HASH = re.compile(r"(?<!\w)#(?=\w)")
_REPEATED = re.compile(r"([!?.,])\1+")
_STRETCHED = re.compile(r"([A-Za-z])\1{2,}")


def clean(asked: str) -> str:
    """One line; "@acme sooo do u sell my #data???" becomes "so do u sell my data?"."""
    text = _LINK.sub(" ", asked)
    text = _leading_handles(text)
    text = _HASH.sub("", _HANDLE.sub(r"\1", text))
    text = _REPEATED.sub(r"\1", _STRETCHED.sub(r"\1", text))
    return " ".join(text.split())[:LONGEST_QUESTION]


def _leading_handles(text: str) -> str:
    """Names in front only say whom a tweet goes to."""
    stripped = text.strip()
    while match := _HANDLE.match(stripped):
        stripped = stripped[match.end() :].lstrip(" ,:")
    return stripped
