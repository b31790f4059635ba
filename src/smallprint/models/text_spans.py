"""Where words and phrases stand in a text; training and benches count vague words the same way."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def word_spans(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _WORD.finditer(text)]


def phrase_spans(text: str, phrases: Iterable[str]) -> list[tuple[int, int]]:
    """Every place where one of the phrases stands as whole words, in any case."""
    return [
        found.span()
        for phrase in phrases
        if phrase.strip()
        for found in re.finditer(rf"(?<!\w){re.escape(phrase.strip())}(?!\w)", text, re.IGNORECASE)
    ]
