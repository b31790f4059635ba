"""Exported models before they are calibrated: the numbers that calibration and parity checks stand on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from smallprint.models.arbiter import Arbiter
from smallprint.models.catalogue import Card
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.reader import join_words
from smallprint.models.session import EncoderSession, load_graph
from smallprint.models.tokenizer import PieceTokenizer
from smallprint.models.word_weights import WordWeights

PAIRS = "base", "pairs"
"""The graphs that read question and passage apart."""


class RawReader:
    """Logits of the reader's heads as encoder and word weights give them."""

    def __init__(self, folder: Path, sizes: dict[str, int]) -> None:
        self._session = _session(folder, ("base",), "reader")
        self._tokenizer = PieceTokenizer.load(folder / "tokenizer.json")
        self._words = raw_words(folder / "words.npz")
        self._ends = dict(zip(sizes, np.cumsum(list(sizes.values())), strict=True))
        self._sizes = sizes

    def vectors(self, texts: list[str]) -> np.ndarray:
        return np.stack([self._session.run(p)[0] for p in self._tokenizer.texts(texts)])

    def logits(self, texts: list[str], heads: tuple[str, ...]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """For each head what the encoder and what the words say, [texts, labels] each."""
        output = np.stack([self._session.run(p)[1] for p in self._tokenizer.texts(texts)])
        said = [self._words.logits(text, heads) for text in texts]
        return {head: (self._cut(output, head), np.stack([row[head] for row in said])) for head in heads}

    def head_logits(self, texts: list[str], head: str) -> np.ndarray:
        """One head of the encoder, [texts, labels]."""
        return self._cut(np.stack([self._session.run(p)[1] for p in self._tokenizer.texts(texts)]), head)

    def word_logits(self, text: str) -> list[tuple[int, int, float]]:
        """Start, end and vagueness logit of each word."""
        pieces = self._tokenizer.texts([text])[0]
        found = join_words(text, pieces.spans, self._session.run(pieces)[2][:, 0])
        return [(word.start, word.end, word.chance) for word in found]

    def _cut(self, output: np.ndarray, head: str) -> np.ndarray:
        end = self._ends[head]
        return output[:, end - self._sizes[head] : end]


def raw_words(path: Path) -> WordWeights:
    with np.load(path) as stored:
        return WordWeights({name: stored[name] for name in stored.files})


def raw_judge(folder: Path) -> Judge:
    """A judge whose relevance is not calibrated yet; its scores are final."""
    plain = [1.0, 0.0, 0.0]
    card = Card("judge", (), "", "", {}, {"with_cosine": plain, "alone": plain}, {})
    return Judge(_session(folder, PAIRS, "judge"), PieceTokenizer.load(folder / "tokenizer.json"), card)


def raw_marker(folder: Path) -> Marker:
    """A marker whose stances are not calibrated yet; its spans are final."""
    card = Card("marker", (), "", "", {}, {"stance_temperature": 1.0}, {})
    return Marker(_session(folder, PAIRS, "marker"), PieceTokenizer.load(folder / "tokenizer.json"), card)


def raw_arbiter(folder: Path) -> Arbiter:
    """An arbiter whose chances are not calibrated yet."""
    card = Card("arbiter", (), "", "", {}, {"temperature": 1.0}, {})
    return Arbiter(_session(folder, PAIRS, "arbiter"), PieceTokenizer.load(folder / "tokenizer.json"), card)


def _session(folder: Path, lowest: tuple[str, ...], upper: str) -> EncoderSession:
    *first, last = (load_graph((folder / f"{name}.onnx").read_bytes()) for name in (*lowest, upper))
    return EncoderSession(first, last)
