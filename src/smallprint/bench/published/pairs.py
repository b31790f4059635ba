"""Two small networks over question × segment (001 §2.2): is it relevant, and how good is its best span?

They stand where 001 has a large encoder each. Both read word vectors through a convolution of three words; a segment
is prepared once, so that many paraphrases can be put to all segments of a policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.published.polisis import embedded
from smallprint.bench.published.word_space import tables_of, vectors
from smallprint.models.session import Floats, sigmoid

LONGEST = 120
"""Words of a segment that are read."""
GAP = 2
"""Empty rows between segments, so that no convolution sees two of them."""


@dataclass(frozen=True, slots=True)
class Segments:
    """All segments of a policy in one column of word vectors, [rows, 100], with empty rows between them."""

    words: Floats
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Segments:
        parts = [_at_least_one(embedded(text, vectors(), subwords=True)[:LONGEST]) for text in texts]
        lengths = np.array([len(part) for part in parts], dtype=np.intp)
        starts = GAP + np.cumsum(lengths + GAP) - (lengths + GAP)
        gap = np.zeros((GAP, parts[0].shape[1] if parts else 1), dtype=np.float32)
        words = np.concatenate([gap, *(row for part in parts for row in (part, gap))])
        return cls(words, starts, starts + lengths)

    def best(self, scores: Floats) -> Floats:
        """The highest score inside each segment: [..., rows] → [..., segments]."""
        bounds = np.stack([self.starts, self.ends], axis=1).ravel()
        highest: Floats = np.maximum.reduceat(scores, bounds, axis=-1)[..., ::2]
        return highest

    def padded(self, scores: Floats) -> Floats:
        """[rows] → [segments, longest], minus infinity past a segment's end."""
        places = self.starts[:, None] + np.arange(int((self.ends - self.starts).max()))
        inside = places < self.ends[:, None]
        rows: Floats = np.where(inside, scores[np.minimum(places, len(scores) - 1)], -np.inf).astype(np.float32)
        return rows


class Reading:
    """What both networks share: word states [rows, width] by a convolution, and each question word's weight."""

    def __init__(self, tables: Mapping[str, NDArray[Any]], name: str) -> None:
        self._tables = {
            key.removeprefix(f"{name}."): table.astype(np.float32)
            for key, table in tables.items()
            if key.startswith(f"{name}.")
        }

    def states(self, words: Floats) -> Floats:
        return convolved(words, self._tables["states"])

    def question(self, text: str) -> tuple[Floats, Floats]:
        """States of the question's words, [words, width], and their shares, which sum to one."""
        words = _at_least_one(embedded(text, vectors(), subwords=True))
        weights = np.log1p(np.exp(words @ self._tables["weight"] + self._tables["weight_bias"]))
        return self.states(words), weights / weights.sum()


class Relevance(Reading):
    """R: the chance that a segment is relevant. Each word of the question looks for its best match (late
    interaction); beside it, the cosine of the weighted means."""

    def prepare(self, segments: Segments) -> Prepared:
        states = self.states(segments.words)
        means = np.add.reduceat(states, np.stack([segments.starts, segments.ends], 1).ravel(), axis=0)[::2]
        return Prepared(segments, unit(states), unit(means))

    def __call__(self, question: str, policy: Prepared) -> Floats:
        states, shares = self.question(question)
        late = shares @ policy.segments.best(unit(states) @ policy.states.T)
        whole = policy.means @ unit((shares @ states)[None, :])[0]
        late_weight, whole_weight, bias = self._tables["mix"]
        return sigmoid(late_weight * late + whole_weight * whole + bias)


@dataclass(frozen=True, slots=True)
class Prepared:
    """states [rows, width] and means [segments, width], of length one."""

    segments: Segments
    states: Floats
    means: Floats


class Detector(Reading):
    """I: the highest S·Tₐ + E·T_b with a ≤ b among a segment's words, and whether it finds an answer at all."""

    def prepare(self, segments: Segments) -> Prepared:
        return Prepared(segments, self.states(segments.words), np.zeros((0, 0), dtype=np.float32))

    def __call__(self, question: str, policy: Prepared) -> Floats:
        """The best span's score above that of the empty span, [segments]"""
        return best_spans(*self._scores(question, policy)) - self._tables["no_answer"]

    def finds(self, question: str, policy: Prepared) -> list[bool]:
        """Where all spans together are likelier than the empty one: first words and last words, in sum."""
        masses = sum(np.log(np.exp(side).sum(axis=1)) for side in self._scores(question, policy))
        return [bool(mass > self._tables["no_answer"]) for mass in masses]

    def _scores(self, question: str, policy: Prepared) -> tuple[Floats, Floats]:
        """Of each word as a span's first and last, [segments, longest]"""
        states, shares = self.question(question)
        whole = shares @ states
        match = (unit(states) @ unit(policy.states).T).max(axis=0)
        inside = np.zeros(len(policy.states), dtype=np.float32)
        for start, end in zip(policy.segments.starts, policy.segments.ends, strict=True):
            inside[start:end] = 1
        seen = np.concatenate([policy.states, policy.states * whole, match[:, None]], axis=1)
        first = np.maximum(seen @ self._tables["first"] + self._tables["first_bias"], 0) * inside[:, None]
        second = np.maximum(convolved(first, self._tables["second"]) + self._tables["second_bias"], 0)
        starts, ends = (second @ self._tables["span"]).T
        return policy.segments.padded(starts), policy.segments.padded(ends)


def best_spans(starts: Floats, ends: Floats) -> Floats:
    """max over a ≤ b of starts[a] + ends[b], [segments]"""
    later = np.maximum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    best: Floats = (starts + later).max(axis=1)
    return best


def convolved(rows: Floats, weights: Floats) -> Floats:
    """rows [n, width], weights [taps * width, out]: a convolution with empty rows beyond both ends."""
    width = rows.shape[1]
    taps = weights.shape[0] // width
    edge = np.zeros((taps // 2, width), dtype=np.float32)
    padded = np.concatenate([edge, rows, edge])
    out: Floats = np.zeros((len(rows), weights.shape[1]), dtype=np.float32)
    for tap in range(taps):
        out += padded[tap : tap + len(rows)] @ weights[tap * width : (tap + 1) * width]
    return out


def unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-6)
    return scaled


def _at_least_one(words: Floats) -> Floats:
    return words if len(words) else np.zeros((1, words.shape[1]), dtype=np.float32)


@cache
def networks() -> tuple[Relevance, Detector]:
    tables = tables_of("pairs")
    return Relevance(tables, "relevance"), Detector(tables, "detector")
