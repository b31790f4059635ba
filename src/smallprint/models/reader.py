"""The reader: one text in; a vector, its practices, its vagueness, or what a question is about, out.

One pass of the encoder gives all heads. Heads over labels add the word weights' opinion to the encoder's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.layers import base_layers
from smallprint.models.session import EncoderSession, Floats, load_graph, sigmoid, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer, shared_tokenizer
from smallprint.models.word_weights import WordWeights

WIDTH = 384
SEGMENT_HEADS = ("categories", "values", "stance")
QUESTION_HEADS = ("question_categories", "kind")

Value = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ReaderLabels:
    """The names of the columns, in order; `values` are (category, attribute, value)."""

    categories: tuple[str, ...]
    values: tuple[Value, ...]
    stances: tuple[str, ...]
    question_categories: tuple[str, ...]
    question_kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VagueWord:
    """Characters [start, end) of a text and the chance that people would mark them as vague."""

    start: int
    end: int
    chance: float


@dataclass(frozen=True, slots=True)
class Readings:
    """One row for each text. Chances are calibrated; vectors have length one, so cosine is a dot product.

    vectors [n, 384], categories [n, 12], values [n, values], stance [n, 3] (does, does not, choice: any may hold),
    vagueness [n] (1 clear … 4 vague), vague_classes [n, 4] (chance of each class).
    """

    vectors: Floats
    categories: Floats
    values: Floats
    stance: Floats
    vagueness: Floats
    vague_classes: Floats
    vague_words: tuple[tuple[VagueWord, ...], ...]


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """vector [384]; chance of each category of practice, and of each kind of question."""

    vector: Floats
    categories: dict[str, float]
    kinds: dict[str, float]
    """in_policies, not_in_policies, out_of_scope, unclear, incomprehensible; they sum to one."""


class Reader:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, words: WordWeights, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._word_weights = words
        self._settings: dict[str, Any] = card.settings
        self.fingerprint = card.fingerprint

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Reader:
        catalogue = catalogue or shipped()
        session = EncoderSession([base_layers(catalogue)], load_graph(catalogue.read("reader", "reader.onnx")))
        return cls(session, shared_tokenizer(catalogue), WordWeights.load(catalogue), catalogue.card("reader"))

    @cached_property
    def labels(self) -> ReaderLabels:
        names = self._settings["labels"]
        return ReaderLabels(
            categories=tuple(names["categories"]),
            values=tuple((c, a, v) for c, a, v in names["values"]),
            stances=tuple(names["stance"]),
            question_categories=tuple(names["question_categories"]),
            question_kinds=tuple(names["kind"]),
        )

    @cached_property
    def thresholds(self) -> dict[str, Floats]:
        """Above which chance a label holds: `categories` [12], `values` [values], `stance` [3], `vague_words` [1],
        `question_categories` [7]. Tuned for F1 on validation parts."""
        return {name: np.array(t, dtype=np.float32) for name, t in self._settings["thresholds"].items()}

    def read(self, texts: Sequence[str]) -> Readings:
        """Read sentences or segments, each by itself."""
        pieces = self._tokenizer.texts(texts)
        rows = self._session.run_all(pieces)
        heads = self._parts(np.array([row[1] for row in rows], dtype=np.float32).reshape(len(rows), self._width))
        words = self._words_say(texts, SEGMENT_HEADS)
        score = heads["vague_score"]
        return Readings(
            vectors=np.array([row[0] for row in rows], dtype=np.float32).reshape(len(rows), WIDTH),
            categories=sigmoid(self._blend("categories", heads, words)),
            values=sigmoid(self._blend("values", heads, words)),
            stance=sigmoid(self._blend("stance", heads, words)),
            vagueness=np.clip(score[:, 4] + 2.5, 1, 4).astype(np.float32),
            vague_classes=softmax(score[:, :4] / np.float32(self._settings["temperatures"]["vague_score"])),
            vague_words=tuple(
                self._vague_words(text, p, row[2][:, 0]) for text, p, row in zip(texts, pieces, rows, strict=True)
            ),
        )

    def question(self, text: str) -> QuestionReading:
        """Read one question: its vector, the practices it asks about, and whether a policy could answer it."""
        vector, output, _ = self._session.run(self._tokenizer.texts([text])[0])
        heads, words = self._parts(output[None, :]), self._words_say([text], QUESTION_HEADS)
        kinds = softmax(self._blend("kind", heads, words))[0]
        categories = sigmoid(self._blend("question_categories", heads, words))[0]
        return QuestionReading(
            vector=vector,
            categories=dict(zip(self.labels.question_categories, map(float, categories), strict=True)),
            kinds=dict(zip(self.labels.question_kinds, map(float, kinds), strict=True)),
        )

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Vectors alone, [n, 384]."""
        rows = self._session.run_all(self._tokenizer.texts(texts))
        return np.array([row[0] for row in rows], dtype=np.float32).reshape(len(rows), WIDTH)

    def by_words(self, texts: Sequence[str], head: str) -> Floats:
        """What the words alone say of the labels of a segment head, [n, labels] logits: no pass of the encoder, so
        nearly free. Enough to tell which sentence of a segment a value comes from (right for .73 of them, .77 with the
        encoder)."""
        return self._words_say(texts, (head,))[head]

    @cached_property
    def _width(self) -> int:
        sizes: dict[str, int] = self._settings["heads"]
        return sum(sizes.values())

    def _parts(self, output: Floats) -> dict[str, Floats]:
        """Cut the heads that stand side by side, [n, all], into [n, own width] each."""
        sizes: dict[str, int] = self._settings["heads"]
        ends = np.cumsum(list(sizes.values()))
        return {name: output[:, end - size : end] for (name, size), end in zip(sizes.items(), ends, strict=True)}

    def _words_say(self, texts: Sequence[str], heads: tuple[str, ...]) -> dict[str, Floats]:
        """Logits of the word weights, [n, labels] for each head."""
        said = [self._word_weights.logits(text, heads) for text in texts]
        widths: dict[str, int] = self._settings["heads"]
        return {
            head: np.array([row[head] for row in said], dtype=np.float32).reshape(len(said), widths[head])
            for head in heads
        }

    def _blend(self, head: str, encoder: dict[str, Floats], words: dict[str, Floats]) -> Floats:
        """Calibrated logits: encoder and words, each with its share, and a shift for each label."""
        encoder_share, words_share, shift = self._settings["calibration"][head]
        blended: Floats = (
            encoder[head] * np.float32(encoder_share)
            + words[head] * np.float32(words_share)
            + np.array(shift, dtype=np.float32)
        )
        return blended

    def _vague_words(self, text: str, pieces: Pieces, logits: Floats) -> tuple[VagueWord, ...]:
        """Whole words above the threshold; a word's chance is that of its likeliest piece."""
        scale, shift = self._settings["calibration"]["vague_words"]
        chances = sigmoid(logits * np.float32(scale) + np.float32(shift))
        threshold = float(self.thresholds["vague_words"][0])
        return tuple(w for w in join_words(text, pieces.spans, chances) if w.chance >= threshold)


@cache
def shipped_reader() -> Reader:
    """The reader of this process, loaded once."""
    return Reader.load()


def join_words(text: str, spans: list[tuple[int, int]], chances: NDArray[np.float32]) -> list[VagueWord]:
    """Join pieces that no space parts into words."""
    words: list[VagueWord] = []
    for (start, end), chance in zip(spans, map(float, chances), strict=True):
        if end <= start:
            continue
        if words and words[-1].end == start and text[start].isalnum() and text[start - 1].isalnum():
            last = words[-1]
            words[-1] = VagueWord(last.start, end, max(last.chance, chance))
        else:
            words.append(VagueWord(start, end, chance))
    return words
