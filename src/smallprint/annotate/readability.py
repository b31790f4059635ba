"""How long and how hard a text is to read."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Silent reading of English non-fiction by adults, the mean of 190 studies (Brysbaert 2019).
WORDS_PER_MINUTE = 238
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_VOWELS = re.compile(r"[aeiouy]+")
# Groups of vowels that are spoken apart ("cre-ate", "so-ci-al" stays one) and endings that are silent.
_APART = re.compile(r"(?<![tscg])i[ao](?!u)|[^q]ua|eo(?!us|p)|yi|[^g]uou|creat|coop|reu")
_SILENT = re.compile(r"(?:[^laeiouy]e|[^td]ed|[^scxgzhaeiouy]es|(?<=[aeiouy][^aeiouy])ely)$")


def syllables(word: str) -> int:
    """An estimate for an English word; right for about nine words in ten, which the mean evens out."""
    word = word.lower().split("'")[0].split("’")[0]
    number = len(_VOWELS.findall(word)) + len(_APART.findall(word)) - bool(_SILENT.search(word))
    return max(1, number)


def flesch_kincaid_grade(sentences: Sequence[str]) -> float:
    """Years of schooling (US) that the text asks for; 0 for an empty text."""
    words = [word for sentence in sentences for word in _WORD.findall(sentence)]
    if not words:
        return 0.0
    per_sentence = len(words) / len(sentences)
    per_word = sum(map(syllables, words)) / len(words)
    return max(0.0, 0.39 * per_sentence + 11.8 * per_word - 15.59)


def reading_minutes(words: int) -> int:
    return max(1, round(words / WORDS_PER_MINUTE))
