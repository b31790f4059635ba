"""Is this document a privacy policy? Counts of words and word pairs in its opening, weighed by a straight line."""

from __future__ import annotations

import io
import math

import numpy as np
from numpy.typing import NDArray

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.hashed import counts_of, scaled

BUCKETS = 2**16
OPENING = 5_000
"""Characters read: what a document is shows in its first page."""


def features(text: str) -> dict[int, float]:
    """Bucket → weight, scaled to length one."""
    return scaled(counts_of(text[:OPENING], BUCKETS))


class Detector:
    def __init__(self, weights: NDArray[np.float32], card: Card) -> None:
        self._weights = weights
        self._shift: float = card.settings["shift"]
        self.threshold: float = card.settings["threshold"]
        """Above this chance a document counts as a policy; tuned for F1 by cross-validation on the train split."""

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Detector:
        catalogue = catalogue or shipped()
        with np.load(io.BytesIO(catalogue.read("detector", "detector.npz"))) as stored:
            return cls(stored["weights"].astype(np.float32), catalogue.card("detector"))

    def chance(self, text: str) -> float:
        """The calibrated chance that a document with this opening is a privacy policy."""
        return 1 / (1 + math.exp(-self.logit(text)))

    def logit(self, text: str) -> float:
        """The same before it is squeezed into 0–1, at most 30 either way."""
        total = sum(float(self._weights[bucket]) * weight for bucket, weight in features(text).items())
        return max(-30.0, min(30.0, total + self._shift))
