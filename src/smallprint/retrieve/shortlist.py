"""Lexical and dense retrieval, fused into a short list for the judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smallprint.records import Sentence
from smallprint.retrieve.lexical import Bm25, searchable

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with what retrieval found: `cosine` to the question, `coverage` of the question's words."""

    place: int
    sentence: Sentence
    cosine: float
    coverage: float


class Retriever:
    """Made once a policy: word counts and one vector a sentence, [sentences, 384], each of length one."""

    def __init__(self, sentences: Sequence[Sentence], vectors: Floats) -> None:
        self.sentences = tuple(sentences)
        self._vectors = vectors
        self._words = Bm25([searchable(sentence) for sentence in self.sentences])

    def rank(self, text: str, vector: Floats) -> list[Candidate]:
        """All sentences, best first, by the sum of both scores, each put on one scale for this question."""
        if not self.sentences:
            return []
        cosines = self._vectors @ vector
        lexical = np.array(self._words.scores(text), dtype=np.float32)
        fused = standard(cosines) + LEXICAL_WEIGHT * standard(lexical)
        order = np.argsort(-fused, kind="stable")
        return [
            Candidate(int(i), self.sentences[i], float(cosines[i]), self._words.coverage(text, int(i))) for i in order
        ]


LEXICAL_WEIGHT = 0.5


def standard(scores: Floats) -> Floats:
    """Mean 0 and deviation 1; all zeros where every score is the same."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 1e-9 else np.zeros_like(scores)
