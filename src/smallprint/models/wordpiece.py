"""BERT's uncased word pieces in plain Python, with the characters that each piece covers.

The `tokenizers` package would bring a client for a model hub into a program that has no business online, takes "[SEP]"
in a policy's text for the real thing, and costs more to load than this costs to run. A test holds both to the same
pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

UNKNOWN = "[UNK]"
LONGEST_WORD = 100
_ASCII_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_CACHED_WORDS = 50_000

Encoded = tuple[list[int], list[tuple[int, int]]]


class WordPieces:
    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._numbers = vocabulary
        self._unknown = vocabulary[UNKNOWN]
        self._known: dict[str, tuple[tuple[int, int, int], ...]] = {}

    def encode(self, text: str) -> Encoded:
        """Piece numbers, and the characters [start, end) of the text that each covers."""
        if text.isascii() and text.isprintable():
            return self._encode(text.lower(), None)
        plain, origins = _plain(text)
        return self._encode(plain, origins)

    def _encode(self, plain: str, origins: list[int] | None) -> Encoded:
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        for word, at in _words(plain, origins is None):
            for number, start, end in self._pieces(word):
                ids.append(number)
                first, last = at + start, at + end - 1
                spans.append((first, last + 1) if origins is None else (origins[first], origins[last] + 1))
        return ids, spans

    def _pieces(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """(number, start, end) of each piece of a word: the longest known beginning, again and again."""
        known = self._known.get(word)
        if known is None:
            known = self._split(word)
            if len(self._known) < _CACHED_WORDS:
                self._known[word] = known
        return known

    def _split(self, word: str) -> tuple[tuple[int, int, int], ...]:
        if len(word) > LONGEST_WORD:
            return ((self._unknown, 0, len(word)),)
        pieces, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and ("##" * (start > 0) + word[start:end]) not in self._numbers:
                end -= 1
            if end == start:
                return ((self._unknown, 0, len(word)),)
            pieces.append((self._numbers["##" * (start > 0) + word[start:end]], start, end))
            start = end
        return tuple(pieces)


def _words(plain: str, ascii_only: bool) -> list[tuple[str, int]]:
    """Words and single punctuation marks, each with its place."""
    if ascii_only:
        return [(match[0], match.start()) for match in _ASCII_WORD.finditer(plain)]
    words: list[tuple[str, int]] = []
    begun: int | None = None
    for place, character in enumerate(f"{plain} "):
        if not character.isspace() and not _is_mark(character):
            begun = place if begun is None else begun
            continue
        if begun is not None:
            words.append((plain[begun:place], begun))
            begun = None
        if not character.isspace():
            words.append((character, place))
    return words


def _plain(text: str) -> tuple[str, list[int]]:
    """Small letters without accents and invisible characters, and where each came from."""
    characters: list[str] = []
    origins: list[int] = []
    for place, character in enumerate(text):
        for part in _plain_parts(character):
            characters.append(part)
            origins.append(place)
    return "".join(characters), origins


def _plain_parts(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or unicodedata.category(character)[0] == "C":
        return ""
    if character.isspace():
        return " "
    if _is_chinese(ord(character)):
        return f" {character} "
    parts = unicodedata.normalize("NFD", character)
    return "".join(p for p in parts if unicodedata.category(p) != "Mn").lower()


def _is_mark(character: str) -> bool:
    return bool(_ASCII_WORD.fullmatch(character) and not character.isalnum()) or (
        unicodedata.category(character)[0] == "P"
    )


def _is_chinese(code: int) -> bool:
    """The blocks that the model's authors set apart, each sign a word."""
    blocks = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x2CEAF), (0x2F800, 0x2FA1F))
    return any(first <= code <= last for first, last in blocks)
