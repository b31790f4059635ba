"""S7's neural baseline (002 §4.1): 64 filters over five words each read a question and tell whether it can be answered.

Numpy alone; `train/published_answerability.py` makes the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.models.vectors import words_of

Floats = NDArray[np.float64]
WIDTH, FILTERS = 5, 64
LONGEST = 40


class Cnn:
    """`table` [words + 1, size], row 0 for words it doesn't know; `filters` [5 · size, 64]; `output` [64]."""

    def __init__(self, stored: Mapping[str, NDArray[np.generic]]) -> None:
        words = bytes(stored["words"].tobytes()).decode().split("\n")
        self._numbers = {word: number for number, word in enumerate(words, 1)}
        self._table = stored["table"].astype(np.float64) * stored["table_scales"].astype(np.float64)
        self._filters, self._shifts, self._output, self._shift = (
            stored[name].astype(np.float64) for name in ("filters", "shifts", "output", "shift")
        )

    @classmethod
    @cache
    def load(cls) -> Cnn:
        path = files("smallprint.bench.published").joinpath("weights", "cnn.npz")
        with path.open("rb") as stream, np.load(stream) as stored:
            return cls({name: stored[name] for name in stored.files})

    def numbers(self, question: str) -> list[int]:
        """With two empty places at each end, so that the shortest question has a window."""
        edge = [0] * (WIDTH // 2)
        return [*edge, *(self._numbers.get(word, 0) for word in words_of(question)[:LONGEST] or [""]), *edge]

    def margin(self, question: str) -> float:
        """Above 0 for a question that cannot be answered."""
        words = self._table[self.numbers(question)]
        windows = np.stack([words[start : start + WIDTH].ravel() for start in range(len(words) - WIDTH + 1)])
        found = np.maximum(windows @ self._filters + self._shifts, 0).max(axis=0)
        return float(found @ self._output + self._shift)


def cnn(documents: dict[str, list[str]], questions: list[dict[str, Any]]) -> Floats:
    del documents
    model = Cnn.load()
    return np.array([model.margin(row["question"]) for row in questions])
