"""The question as a person typed it, made readable: handles, hash signs, links and repeated marks go."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

LONGEST_QUESTION = 1_000
_HANDLE = re.compile(r"(?<![\w@.])@(\w+)")
_LINK = re.compile(r"https?://\S+")
_HASH = re.compile(r"(?<!\w)#(?=\w)")
_REPEATED = re.compile(r"([!?.,])\1+")
_STRETCHED = re.compile(r"([A-Za-z])\1{2,}")
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
# Shorter words are too close to too many others to guess what was meant.
SHORTEST_REPAIRED = 5
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


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


def repair(text: str, known: Collection[str], usual: Iterable[str]) -> str:
    """Replace words that are not `known` by the one `usual` word that is one slip of the fingers away.

    A slip is a letter dropped, added, changed or swapped with its neighbour. Where several words would do, the
    word stays as it is: a wrong guess is worse than none.
    """
    targets = frozenset(usual)

    def repaired(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < SHORTEST_REPAIRED or word.lower() in known:
            return word
        close = {slip for slip in _slips(word.lower()) if slip in targets}
        return close.pop() if len(close) == 1 else word

    return _WORD.sub(repaired, text)


def _slips(word: str) -> Iterable[str]:
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    for left, right in halves:
        yield from (left + letter + right for letter in _LETTERS)
        if right:
            yield left + right[1:]
            yield from (left + letter + right[1:] for letter in _LETTERS)
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
