"""How vague a policy is: the share of its sentences with a word that leaves open what is meant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

# "May 2023" and "5 May" are dates.
_MONTH = re.compile(r"\b(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?May|May\s+(?:of\s+)?\d{1,4})\b")


def source() -> str:
    return files("smallprint.annotate").joinpath("vague_words.toml").read_text(encoding="utf-8")


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted(tomllib.loads(source())["words"], key=len, reverse=True)
    either = "|".join(words).replace(" ", r"\s+")
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE)


def is_vague(sentence: str) -> bool:
    return bool(vague_words(sentence))


def vague_words(sentence: str) -> tuple[tuple[int, int], ...]:
    """Where its vague words are."""
    without_dates = _MONTH.sub(lambda found: " " * len(found[0]), sentence)
    return tuple(found.span() for found in _pattern().finditer(without_dates))


def vague_share(sentences: Sequence[str]) -> float:
    """Vague sentences by all; 0 without any."""
    return sum(map(is_vague, sentences)) / len(sentences) if sentences else 0.0
