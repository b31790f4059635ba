"""BM25 over stemmed words (S3 of the published systems, without query expansion)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from smallprint.records import Sentence
from smallprint.segment.stems import stem

# On the answerable questions of `asked`: MRR .532, against .518 with 1.2 and .75, .507 with 2 and .9.
K1, B = 0.9, 0.4
_WORD = re.compile(r"[^\W_]+")


@cache
def _stopwords() -> frozenset[str]:
    return frozenset(files("smallprint.retrieve").joinpath("stopwords.txt").read_text("utf-8").split())


def terms(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in _stopwords()]


def searchable(sentence: Sentence) -> str:
    """A sentence with the words above it: an item "advertisers" is found by "share" through its lead-in."""
    return " ".join([*sentence.headings[-2:], sentence.lead_in, sentence.text])


class Bm25:
    """Scores of every document for a question; built once a policy."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._counts = [Counter(terms(document)) for document in documents]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean_length = sum(self._lengths) / max(1, len(self._lengths)) or 1.0
        self._containing = Counter(term for counts in self._counts for term in counts)

    def idf(self, term: str) -> float:
        """Never negative, so that a word found everywhere does no harm."""
        containing = self._containing[term]
        return math.log(1 + (len(self._counts) - containing + 0.5) / (containing + 0.5))

    def scores(self, question: str) -> list[float]:
        weights = {term: self.idf(term) for term in terms(question)}
        return [
            sum(idf * self._saturated(number, term) for term, idf in weights.items())
            for number in range(len(self._counts))
        ]

    def _saturated(self, number: int, term: str) -> float:
        count = self._counts[number][term]
        return count * (K1 + 1) / (count + K1 * (1 - B + B * self._lengths[number] / self._mean_length))

    def coverage(self, question: str, number: int) -> float:
        """Share of the question's meaning, weighed by idf, that a document's words hold."""
        weights = {term: self.idf(term) for term in terms(question)}
        total = sum(weights.values())
        return sum(w for term, w in weights.items() if self._counts[number][term]) / total if total else 0.0
