"""Word vectors made from privacy policies alone, with subwords for words never seen. Numpy and nothing else.

Known words have a vector of their own; any other word is the mean of the vectors of its letter runs (three to six
letters, hashed into buckets), as fastText has it. Both tables are int8 with one scale for each row.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from smallprint.models.catalogue import Catalogue, shipped

SHORTEST_RUN, LONGEST_RUN = 3, 6
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Neighbour:
    word: str
    cosine: float


class WordVectors:
    """`vectors` [words, 100] and `buckets` [buckets, 100], int8 beside a scale for each row."""

    def __init__(self, tables: dict[str, NDArray[np.generic]]) -> None:
        self.words: list[str] = bytes(tables["words"].tobytes()).decode("utf-8").split("\n")
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._vectors = _unit(_wide(tables["vectors"], tables["vector_scales"]))
        self._buckets = _wide(tables["buckets"], tables["bucket_scales"])
        self._clusters: NDArray[np.int32] = tables["clusters"].astype(np.int32)

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> WordVectors:
        content = (catalogue or shipped()).read("vectors", "vectors.npz")
        with np.load(io.BytesIO(content)) as stored:
            return cls({name: stored[name] for name in stored.files})

    def knows(self, word: str) -> bool:
        return word.lower() in self._numbers

    def vector(self, word: str) -> Floats:
        """The vector of a word, [100], length one; made of its letter runs where the word is unknown."""
        number = self._numbers.get(word.lower())
        if number is not None:
            known: Floats = self._vectors[number]
            return known
        runs: list[int] = [hash_of(run) % len(self._buckets) for run in letter_runs(word.lower())]
        mean: Floats = _unit(self._buckets[runs].mean(axis=0)[None, :])[0]
        return mean

    def nearest(self, word: str, count: int = 10) -> list[Neighbour]:
        """The known words nearest in meaning, best first, the word itself left out."""
        cosines = self._vectors @ self.vector(word)
        order = np.argsort(-cosines, kind="stable")
        near = (Neighbour(self.words[n], float(cosines[n])) for n in order if self.words[n] != word.lower())
        return [neighbour for neighbour, _ in zip(near, range(count), strict=False)]

    def known_share(self, text: str) -> float:
        """frac(q): the share of a text's words that have a vector of their own; 0 for a text without words."""
        words = words_of(text)
        return sum(map(self.knows, words)) / len(words) if words else 0.0

    def cluster(self, word: str) -> int:
        """Which of the 300 clusters of known words a word belongs to; the nearest known word's where unknown."""
        number = self._numbers.get(word.lower())
        if number is None:
            number = int((self._vectors @ self.vector(word)).argmax())
        return int(self._clusters[number])

    @property
    def cluster_count(self) -> int:
        return int(self._clusters.max()) + 1


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def letter_runs(word: str) -> list[str]:
    """Runs of three to six letters of `<word>`, the brackets marking its ends."""
    marked = f"<{word}>"
    return [
        marked[start : start + size]
        for start in range(len(marked))
        for size in range(SHORTEST_RUN, LONGEST_RUN + 1)
        if start + size <= len(marked)
    ]


@cache
def hash_of(run: str) -> int:
    """FNV-1a over the bytes, in 32 bits, as the trainer of the vectors has it."""
    value = 2166136261
    for byte in run.encode("utf-8"):
        value ^= byte if byte < 128 else byte | 0xFFFFFF00
        value = value * 16777619 % 2**32
    return value


def _wide(small: NDArray[np.generic], scales: NDArray[np.generic]) -> Floats:
    wide: Floats = small.astype(np.float32) * scales.astype(np.float32)
    return wide


def _unit(rows: Floats) -> Floats:
    scaled: Floats = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return scaled
