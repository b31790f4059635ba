"""The reader's second opinion: hashed words and word pairs, weighed for each label by a straight line.

An encoder trained on two thousand segments is sure of the gist and unsure of rare labels that one phrase gives away
("do not track", "material changes"). A linear model is the other way round; their sum beats both.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from smallprint.models.catalogue import Catalogue, shipped
from smallprint.models.hashed import counts_of, scaled

Floats = NDArray[np.float32]


class WordWeights:
    """`rarity` [buckets]; for each head `<head>` [buckets, labels] int8, `<head>.scales`, `<head>.shifts` [labels]."""

    def __init__(self, tables: dict[str, NDArray[np.generic]]) -> None:
        self._rarity: Floats = tables["rarity"].astype(np.float32)
        self._tables = tables

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> WordWeights:
        content = (catalogue or shipped()).read("reader", "words.npz")
        with np.load(io.BytesIO(content)) as stored:
            return cls({name: stored[name] for name in stored.files})

    def logits(self, text: str, heads: tuple[str, ...]) -> dict[str, Floats]:
        """The logits of each head's labels for one text, [labels]."""
        counted = counts_of(text, len(self._rarity))
        weights = scaled({bucket: w * float(self._rarity[bucket]) for bucket, w in counted.items()})
        buckets = np.fromiter(weights, dtype=np.int64, count=len(weights))
        amounts = np.fromiter(weights.values(), dtype=np.float32, count=len(weights))
        return {head: self._sum(head, buckets, amounts) for head in heads}

    def _sum(self, head: str, buckets: NDArray[np.int64], amounts: Floats) -> Floats:
        rows = self._tables[head][buckets].astype(np.float32)
        scales = self._tables[f"{head}.scales"].astype(np.float32)
        total: Floats = (amounts @ rows) * scales + self._tables[f"{head}.shifts"].astype(np.float32)
        return total
