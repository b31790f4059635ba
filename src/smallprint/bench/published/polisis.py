"""Polisis' classifier (S8): a convolution over word vectors gives chances of categories and of attribute values.

Two networks of one shape, with weights of their own: one for the categories, one for all values. The second one's
hidden layer is also the "semantic vector" of SemVec.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.published.word_space import tables_of, vectors
from smallprint.models.session import Floats, sigmoid
from smallprint.models.vectors import WordVectors, words_of

RUN = 3
"""Words that a filter sees at once."""

Value = tuple[str, str, str]


class TextCnn:
    """`filters` [3 * 100, 200], `dense` [200, 100], `labels` [100, labels], each with a bias."""

    def __init__(self, tables: Mapping[str, NDArray[Any]], name: str) -> None:
        wide = {key: tables[f"{name}.{key}"].astype(np.float32) for key in ("filters", "dense", "labels")}
        self._filters, self._dense, self._labels = wide.values()
        self._biases = [tables[f"{name}.{key}_bias"].astype(np.float32) for key in ("filters", "dense", "labels")]

    def hidden(self, words: Floats) -> Floats:
        """words: [words, 100] → [100], what the last layer reads."""
        edge = np.zeros((1, words.shape[1]), dtype=np.float32)
        padded = np.concatenate([edge, words, edge] if len(words) else [edge] * RUN)
        runs = np.concatenate([padded[n : len(padded) - RUN + 1 + n] for n in range(RUN)], axis=1)
        best = np.maximum(runs @ self._filters + self._biases[0], 0).max(axis=0)
        dense: Floats = np.maximum(best @ self._dense + self._biases[1], 0)
        return dense

    def chances(self, hidden: Floats) -> Floats:
        return sigmoid(hidden @ self._labels + self._biases[2])


@dataclass(frozen=True, slots=True)
class Classified:
    """categories [12], values [values], meaning [100]: the hidden layer of the network of values."""

    categories: Floats
    values: Floats
    meaning: Floats


class Polisis:
    """Without `subwords`, a word that the vectors do not know is nothing at all."""

    def __init__(self, tables: Mapping[str, NDArray[Any]], vectors: WordVectors, *, subwords: bool = True) -> None:
        names = bytes(tables["names"].tobytes()).decode("utf-8").split("\n\n")
        self.categories: tuple[str, ...] = tuple(names[0].split("\n"))
        self.values: tuple[Value, ...] = tuple((c, a, v) for c, a, v in (r.split("\t") for r in names[1].split("\n")))
        self._by_category = TextCnn(tables, "categories")
        self._by_value = TextCnn(tables, "values")
        self._vectors = vectors
        self._subwords = subwords

    def __call__(self, text: str) -> Classified:
        words = self.embed(text)
        meaning = self._by_value.hidden(words)
        return Classified(
            categories=self._by_category.chances(self._by_category.hidden(words)),
            values=self._by_value.chances(meaning),
            meaning=meaning,
        )

    def embed(self, text: str) -> Floats:
        """[words, 100]"""
        return embedded(text, self._vectors, subwords=self._subwords)

    def known_share(self, text: str) -> float:
        return self._vectors.known_share(text)


def embedded(text: str, vectors: WordVectors, *, subwords: bool) -> Floats:
    """The vectors of a text's words, [words, 100]."""
    nothing = np.zeros(len(vectors.vector("data")), dtype=np.float32)
    rows = [vectors.vector(w) if subwords or vectors.knows(w) else nothing for w in words_of(text)]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(nothing))


@cache
def polisis(*, subwords: bool = True) -> Polisis:
    return Polisis(tables_of("polisis"), vectors(), subwords=subwords)
