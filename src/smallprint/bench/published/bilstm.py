"""S4 (000 §4.2.3): a bidirectional LSTM reads question and answer; the question decides which words count.

Numpy alone; `train/published_bilstm.py` makes the weights. With h the states of a text, [words, 2 · hidden]:
q = max over the question's words of h; m = tanh(h · attend_words + q · attend_question); the answer is the sum of its
states weighed by softmax(m · attend); the score is the cosine of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.systems import Outcome, by_scores, rankable
from smallprint.models.vectors import words_of
from smallprint.records import Reading

Floats = NDArray[np.float32]
LONGEST = 40
"""Words of a text that are read; sentences have half of that on average."""
UNKNOWN = 1
"""Row 0 of the table stands for no word at all, row 1 for words outside the vocabulary."""


class BiLstm:
    """`table` [words, size]; for each direction `in` [size, 4 · hidden], `state` [hidden, 4 · hidden] and `bias`,
    gates in the order input, forget, cell, output."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]]) -> None:
        words = bytes(weights["words"].tobytes()).decode("utf-8").split("\n")
        self._numbers = {word: number for number, word in enumerate(words, UNKNOWN + 1)}
        self._table: Floats = weights["table"].astype(np.float32) * weights["table_scales"].astype(np.float32)
        self._weights: dict[str, Floats] = {
            name: array.astype(np.float32) for name, array in weights.items() if array.dtype == np.float16
        }

    @classmethod
    def load(cls) -> BiLstm:
        path = files("smallprint.bench.published").joinpath("weights", "bilstm.npz")
        with path.open("rb") as stream, np.load(stream) as stored:
            return cls({name: stored[name] for name in stored.files})

    def numbers(self, text: str) -> list[int]:
        return [self._numbers.get(word, UNKNOWN) for word in words_of(text)[:LONGEST]] or [UNKNOWN]

    def states(self, texts: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """States of every word, [texts, words, 2 · hidden], and which of them are words."""
        rows = [self.numbers(text) for text in texts]
        longest = max(map(len, rows), default=1)
        filled = [row + [0] * (longest - len(row)) for row in rows]
        padded = np.array(filled, dtype=np.intp).reshape(len(rows), longest)
        known = padded > 0
        inputs = self._table[padded]
        both = [self._direction(inputs, known, name) for name in ("forward", "backward")]
        return np.concatenate(both, axis=2), known

    def _direction(self, inputs: Floats, known: NDArray[np.bool_], name: str) -> Floats:
        w = self._weights
        steps = inputs @ w[f"{name}_in"] + w[f"{name}_bias"]
        hidden = np.zeros((len(inputs), w[f"{name}_state"].shape[0]), np.float32)
        cell = np.zeros_like(hidden)
        states = np.zeros((*inputs.shape[:2], hidden.shape[1]), np.float32)
        order = range(inputs.shape[1]) if name == "forward" else reversed(range(inputs.shape[1]))
        for t in order:
            enter, forget, new, leave = np.split(steps[:, t] + hidden @ w[f"{name}_state"], 4, axis=1)
            fresh = _sigmoid(forget) * cell + _sigmoid(enter) * np.tanh(new)
            here = known[:, t, None]
            cell = np.where(here, fresh, cell)
            hidden = np.where(here, _sigmoid(leave) * np.tanh(fresh), hidden)
            states[:, t] = hidden
        return states

    def question(self, text: str) -> Floats:
        """[2 · hidden]"""
        states, _ = self.states([text])
        largest: Floats = states[0].max(axis=0)
        return largest

    def scores(self, question: Floats, states: Floats, known: NDArray[np.bool_]) -> Floats:
        """Cosine of the question and each answer, [answers]."""
        w = self._weights
        looks = np.tanh(states @ w["attend_words"] + question @ w["attend_question"]) @ w["attend"]
        looks = np.where(known, looks, -np.inf)
        shares = np.exp(looks - looks.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        answers = (states * shares[:, :, None]).sum(axis=1)
        lengths = np.linalg.norm(answers, axis=1) * np.linalg.norm(question)
        cosines: Floats = answers @ question / np.maximum(lengths, 1e-9)
        return cosines


def _sigmoid(x: Floats) -> Floats:
    squashed: Floats = 0.5 * (np.tanh(0.5 * x) + 1)
    return squashed


@cache
def _model() -> BiLstm:
    return BiLstm.load()


def bilstm(reading: Reading) -> Callable[[str], Outcome]:
    sentences = rankable(reading)
    model = _model()
    states, known = model.states([s.text for s in sentences])
    return lambda question: by_scores(sentences, model.scores(model.question(question), states, known).tolist())
