"""A policy's signature: minimum hashes of its runs of five words, for finding near-duplicates.

Two texts have as many slots in common as runs of words, give or take. Own code in thirty lines: a library for this
brings scipy along and is no faster (docs/decisions/0006-corpus-pipeline.md).
"""

from __future__ import annotations

import re
import zlib

import numpy as np
from numpy.typing import NDArray

from smallprint.library.folding import SLOTS

RUN = 5  # words: short enough to survive a changed name, long enough not to be common to all policies
_WORD = re.compile(r"\w+")
_CHUNK = 4_096  # runs hashed at a time: a book of a policy must not take gigabytes
_SEED = 115
_dice = np.random.default_rng(_SEED)
# Odd factors and any summands: multiply-shift hashing, one for each slot.
_FACTORS: NDArray[np.uint64] = _dice.integers(0, 2**63, SLOTS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_SUMMANDS: NDArray[np.uint64] = _dice.integers(0, 2**63, SLOTS, dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def signature(text: str) -> bytes:
    """`SLOTS` little-endian numbers of two bytes; empty for a text without words."""
    runs = _runs(text)
    if not len(runs):
        return b""
    least = np.full(SLOTS, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(runs), _CHUNK):
        part = runs[start : start + _CHUNK, None] * _FACTORS + _SUMMANDS
        np.minimum(least, (part ^ (part >> np.uint64(29))).min(axis=0), out=least)
    # The low bits of a minimum are as good as random; sixteen of them agree by accident once in 65,536.
    return ((least * _MIX) >> np.uint64(48)).astype("<u2").tobytes()


def _runs(text: str) -> NDArray[np.uint64]:
    """A hash for each run of words, shape (runs,); a shorter text is one run."""
    words = np.array([zlib.crc32(word.encode()) for word in _WORD.findall(text.lower())], np.uint64)
    size = min(RUN, len(words))
    if not size:
        return words
    runs = np.zeros(len(words) - size + 1, np.uint64)
    for place in range(size):
        runs = (runs ^ words[place : place + len(runs)]) * _MIX
        runs ^= runs >> np.uint64(32)
    return np.unique(runs)
