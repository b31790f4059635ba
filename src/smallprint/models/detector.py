"""Is this document a privacy policy? Counts of words and word pairs in its opening, weighed by a straight line."""

from __future__ import annotations

import io
import math
import re
import zlib
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from smallprint.models.catalogue import Card, Catalogue, shipped

BUCKETS = 2**16
OPENING = 5_000
"""Characters read: what a document is shows in its first page."""
_WORD = re.compile(r"[a-z']+")


def features(text: str) -> dict[int, float]:
    """Bucket → weight: logarithms of counts, scaled to length one."""
    words = _WORD.findall(text[:OPENING].lower())
    pairs = (f"{a} {b}" for a, b in pairwise(words))
    counts = Counter(zlib.crc32(term.encode()) % BUCKETS for term in (*words, *pairs))
    weights = {bucket: 1 + math.log(count) for bucket, count in counts.items()}
    length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    return {bucket: w / length for bucket, w in weights.items()}


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
        total = sum(float(self._weights[bucket]) * weight for bucket, weight in features(text).items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total + self._shift))))
