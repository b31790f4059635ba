"""What is shipped: every weight file with its sha256, licence, scores and the data it was made from.

A damaged or missing file is a `ModelError` when it is loaded, never a wrong answer later.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from smallprint.errors import ModelError

CATALOGUE = "catalogue.json"
SEEN_BYTES = 5
"""Bytes kept of each hash of a labelled text: with 60,000 of them, one false "seen" in eighteen million."""


@dataclass(frozen=True, slots=True)
class WeightFile:
    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Card:
    """One model: `settings` holds labels, thresholds and calibration; `scores` what was measured, on what."""

    name: str
    files: tuple[WeightFile, ...]
    licence: str
    base: str
    data: dict[str, str]
    settings: dict[str, Any]
    scores: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """Names the exact weights and settings: annotations carry it."""
        parts = [f.sha256 for f in self.files] + [json.dumps(self.settings, sort_keys=True)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class Catalogue:
    """The weights in one folder and what is known of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cards = _read_cards(folder)

    def card(self, name: str) -> Card:
        if name not in self.cards:
            raise ModelError(f"No model {name!r} is shipped here (known: {', '.join(sorted(self.cards))}).")
        return self.cards[name]

    def read(self, model: str, file: str) -> bytes:
        """The bytes of a weight file, checked against the catalogue."""
        known = next((f for f in self.card(model).files if f.name == file), None)
        if known is None:
            raise ModelError(f"The catalogue names no file {file!r} for {model!r}.")
        try:
            content = (self.folder / file).read_bytes()
        except OSError as error:
            raise ModelError(f"The weights {file} are missing: install smallprint again.") from error
        if hashlib.sha256(content).hexdigest() != known.sha256:
            raise ModelError(f"The weights {file} are damaged: install smallprint again.")
        return content

    def seen_share(self, texts: list[str], model: str, *others: str) -> float:
        """The share of a bench's labelled texts or questions that one of these models was trained on."""
        seen = self.seen(texts, model, *others)
        return sum(seen) / len(seen) if seen else 0.0

    def seen(self, texts: list[str], model: str, *others: str) -> list[bool]:
        """Of each text whether one of these models was trained on it."""
        known = frozenset[bytes]().union(*map(self._seen, (model, *others)))
        return [seen_key(text) in known for text in texts]

    def _seen(self, model: str) -> frozenset[bytes]:
        content = self.read("seen", f"seen-{model}.bin")
        return frozenset(content[n : n + SEEN_BYTES] for n in range(0, len(content), SEEN_BYTES))


def seen_key(text: str) -> bytes:
    """A short hash of a text's letters and digits."""
    plain = "".join(c for c in text.lower() if c.isalnum())
    return hashlib.sha256(plain.encode()).digest()[:SEEN_BYTES]


def _read_cards(folder: Path) -> dict[str, Card]:
    try:
        entries = json.loads((folder / CATALOGUE).read_text(encoding="utf-8"))["models"]
        return {name: _card(name, entry) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("The catalogue of models is missing or damaged: install smallprint again.") from error


def _card(name: str, entry: dict[str, Any]) -> Card:
    return Card(
        name=name,
        files=tuple(WeightFile(f["name"], f["sha256"], f["size"]) for f in entry["files"]),
        licence=entry["licence"],
        base=entry["base"],
        data=entry["data"],
        settings=entry["settings"],
        scores=entry["scores"],
    )


@cache
def shipped() -> Catalogue:
    """The catalogue inside this package."""
    return Catalogue(Path(str(files("smallprint.models") / "weights")))
