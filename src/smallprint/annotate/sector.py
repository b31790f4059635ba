"""The sector of commerce that a policy's organisation is in, from its name, its domain and the opening of its policy.

A straight line over hashed counts (words of the text, runs of letters of name and domain, the domain's ending), over
how much of each sector's own vocabulary (sector_words.toml) is used, and over where a web directory lists the domain.
Pairs of words are left out: in so few buckets they drown the words. The recipe is train/sectors.py, the
figures are in docs/corpus.md.
"""

from __future__ import annotations

import io
import json
import math
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.annotate.directory import Directory
from smallprint.errors import ModelError
from smallprint.models.catalogue import seen_key
from smallprint.models.hashed import scaled

UNKNOWN = "unknown"
NAMES = {
    "finance": "Finance, Marketing and Human Resources",
    "it": "Information Technology and Electronics",
    "consumer": "Consumer and Supply Chain",
    "engineering": "Civil, Mechanical and Electrical",
    "medical": "Medical",
    "media": "Sports, Media and Entertainment",
    "education": "Education",
    "government": "Government, Defense and Legal",
    "travel": "Travel, Food and Hospitality",
    "nonprofit": "Non-Profit",
    UNKNOWN: "Unknown",
}
WEIGHTS = "sectors.npz"
CARD = "sectors.json"
OPENING = 4_000  # characters; further down policies speak of privacy only
TEXT_BUCKETS = 2**16
NAME_BUCKETS = 2**16
_WORD = re.compile(r"[a-z]{2,}")
_GRAMS = range(3, 6)
_FEW = 5  # documents
_SHORT = 50  # words: one cue in a text of ten says no more than in one of fifty


def text_counts(text: str) -> dict[int, float]:
    """Bucket → damped count of the opening's words."""
    counts = Counter(zlib.crc32(word.encode()) % TEXT_BUCKETS for word in _WORD.findall(text[:OPENING].lower()))
    return {bucket: 1 + math.log(count) for bucket, count in counts.items()}


def name_counts(name: str, domain: str) -> dict[int, float]:
    """Bucket → weight for the letters of name and host and for the domain's ending, length one."""
    counts: dict[int, float] = {}
    for term in _name_terms(name.lower(), domain.lower().removeprefix("www.")):
        bucket = TEXT_BUCKETS + zlib.crc32(term.encode("utf-8", "replace")) % NAME_BUCKETS
        counts[bucket] = 1.0
    return scaled(counts)


def _name_terms(name: str, domain: str) -> Iterator[str]:
    host, _, ending = domain.partition(".")
    labels = ending.split(".") if ending else []
    for n in range(len(labels)):
        yield f".{'.'.join(labels[n:])}"
    # The name of a service is often its domain; letters count once, wherever they are from.
    for word in {host, *name.removesuffix(f".{ending}").replace(".", " ").replace("-", " ").split()}:
        padded = f"^{word}$"
        yield padded
        for size in _GRAMS:
            for start in range(len(padded) - size + 1):
                yield padded[start : start + size]


@dataclass(frozen=True, slots=True)
class _Cues:
    names: tuple[str, ...]
    text: re.Pattern[str]


@cache
def _cues() -> tuple[_Cues, ...]:
    raw = tomllib.loads(files("smallprint.annotate").joinpath("sector_words.toml").read_text(encoding="utf-8"))
    return tuple(_Cues(tuple(cues["name"]), _either(cues["text"])) for cues in raw.values())


def _either(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b".replace(r"\*", r"\w*"))


def cue_counts(name: str, domain: str, text: str) -> list[float]:
    """For each sector how often the opening uses its words; then for each whether name or host hold one."""
    opening = text[:OPENING].lower()
    words = max(len(opening.split()), _SHORT)
    called = f"{name} {domain.removeprefix('www.').partition('.')[0]}".lower()
    used = [math.log1p(1000 * len(cues.text.findall(opening)) / words) for cues in _cues()]
    return used + [float(any(part in called for part in cues.names)) for cues in _cues()]


@dataclass(frozen=True, slots=True)
class Sectors:
    """`idf` has shape (TEXT_BUCKETS,), `weights` (TEXT_BUCKETS + NAME_BUCKETS, sectors), `cues` (2 × lists, sectors),
    `shelves` (sections of the directory, sectors), `scale` and `bias` (sectors,)."""

    labels: tuple[str, ...]
    idf: NDArray[np.float32]
    weights: NDArray[np.int8]
    scale: NDArray[np.float32]
    cues: NDArray[np.float32]
    directory: Directory
    shelves: NDArray[np.float32]
    bias: NDArray[np.float32]
    threshold: float
    fingerprint: str

    def chances(self, name: str, domain: str, text: str) -> dict[str, float]:
        """Sector → probability."""
        weighted = scaled({b: count * float(self.idf[b]) for b, count in text_counts(text).items()})
        features = weighted | name_counts(name, domain)
        buckets = np.fromiter(features.keys(), np.int64, len(features))
        values = np.fromiter(features.values(), np.float32, len(features))
        scores = (values @ self.weights[buckets]) * self.scale + self.bias
        scores += np.array(cue_counts(name, domain, text), np.float32) @ self.cues
        scores += self.directory.sections(domain) @ self.shelves
        powers = np.exp(scores - scores.max())
        return dict(zip(self.labels, (powers / powers.sum()).tolist(), strict=True))

    def sector(self, name: str, domain: str, text: str) -> str:
        """The likeliest sector; unknown where none is likely enough."""
        chances = self.chances(name, domain, text)
        best = max(chances, key=lambda sector: chances[sector])
        return best if chances[best] >= self.threshold else UNKNOWN


@cache
def shipped() -> Sectors:
    """The classifier inside this package."""
    try:
        content = files("smallprint.annotate").joinpath("weights", WEIGHTS).read_bytes()
        with np.load(io.BytesIO(content)) as stored:
            return Sectors(
                labels=tuple(map(str, stored["labels"])),
                idf=stored["idf"].astype(np.float32),
                weights=stored["weights"],
                scale=stored["scale"].astype(np.float32),
                cues=stored["cues"].astype(np.float32),
                directory=Directory(stored["listed"], stored["masks"], stored["mean"].astype(np.float32)),
                shelves=stored["shelves"].astype(np.float32),
                bias=stored["bias"].astype(np.float32),
                threshold=float(stored["threshold"]),
                fingerprint=f"{zlib.crc32(content):08x}",
            )
    except (OSError, ValueError, KeyError) as error:
        raise ModelError("The weights for sectors are missing or damaged: install smallprint again.") from error


@cache
def _card() -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(files("smallprint.annotate").joinpath("weights", CARD).read_text("utf-8"))
        return found
    except (OSError, ValueError) as error:
        raise ModelError("The card of the sector weights is missing or damaged: install smallprint again.") from error


def seen_share(texts: list[str]) -> float:
    """The share of these texts that the shipped weights learned from."""
    known = set(_card()["seen"])
    return sum(seen_key(text).hex() in known for text in texts) / len(texts) if texts else 0.0


def idf_of(documents: int, containing: NDArray[np.int64]) -> NDArray[np.float32]:
    """Weight of each bucket, from how many documents hold it; what hardly any or most hold tells nothing."""
    idf = np.log((1 + documents) / (1 + containing)).astype(np.float32)
    idf[(containing < _FEW) | (containing > documents / 2)] = 0
    return idf
