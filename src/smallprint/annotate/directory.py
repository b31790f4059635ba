"""Which sections of a web directory list a domain: a hash and a bit mask for each, six bytes a domain."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Directory:
    """`keys` (domains,), sorted, and `masks` (domains,), one bit a section; `mean` (sections,) is a listed domain's
    average."""

    keys: NDArray[np.uint32]
    masks: NDArray[np.uint16]
    mean: NDArray[np.float32]

    @classmethod
    def of(cls, domains: Sequence[str], sections: Sequence[set[str]]) -> Directory:
        """Sections are numbered by the alphabet, sixteen at most."""
        names = sorted(set.union(*sections))
        by_key = {key_of(domain): _mask(given, names) for domain, given in zip(domains, sections, strict=True)}
        keys = np.array(sorted(by_key), np.uint32)
        masks = np.array([by_key[int(key)] for key in keys], np.uint16)
        mean = np.mean([_shares(int(mask), len(names)) for mask in masks], axis=0)
        return cls(keys, masks, mean.astype(np.float32))

    def lists(self, domain: str) -> bool:
        return self._mask_of(domain) > 0

    def sections(self, domain: str) -> NDArray[np.float32]:
        """The share of each section, less what is usual, (sections,); all nought where the domain is not listed."""
        mask = self._mask_of(domain)
        return _shares(mask, len(self.mean)) - self.mean if mask else np.zeros_like(self.mean)

    def _mask_of(self, domain: str) -> int:
        key = key_of(domain)
        place = int(np.searchsorted(self.keys, np.uint32(key)))
        return int(self.masks[place]) if place < len(self.keys) and int(self.keys[place]) == key else 0


def key_of(domain: str) -> int:
    return zlib.crc32(domain.lower().removeprefix("www.").encode("utf-8", "replace"))


def _mask(given: set[str], names: list[str]) -> int:
    return sum(1 << place for place, name in enumerate(names) if name in given)


def _shares(mask: int, sections: int) -> NDArray[np.float32]:
    bits = np.array([mask >> place & 1 for place in range(sections)], np.float32)
    return np.asarray(bits / max(1.0, float(bits.sum())), np.float32)
