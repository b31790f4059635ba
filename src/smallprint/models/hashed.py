"""Counts of words and word pairs in hashed buckets: what the detector and the reader's word weights stand on."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from itertools import pairwise

_WORD = re.compile(r"[a-z']+")


def counts_of(text: str, buckets: int) -> dict[int, float]:
    """Bucket → 1 + logarithm of how often its words and pairs of words occur."""
    words = _WORD.findall(text.lower())
    pairs = (f"{a} {b}" for a, b in pairwise(words))
    counts = Counter(zlib.crc32(term.encode()) % buckets for term in (*words, *pairs))
    return {bucket: 1 + math.log(count) for bucket, count in counts.items()}


def scaled(weights: dict[int, float]) -> dict[int, float]:
    """The same direction with length one."""
    length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    return {bucket: w / length for bucket, w in weights.items()}
