"""The judge: does this passage answer this question, where exactly, and with a yes or a no?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.passage import Passage
from smallprint.models.session import EncoderSession, Floats, sigmoid, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer

STANCES = ("yes", "no", "choice", "mixed", "na")
LONGEST_SPAN = 60
"""Pieces. People's spans have 15 on average; 99 in 100 are shorter than this."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge makes of one passage.

    `relevance` is calibrated: the chance that people would quote the sentence as the answer.
    `score` is the raw logit behind it, for ranking. `span` counts characters of the sentence (not the passage).
    `stance` gives each of yes, no, choice, mixed, na its probability, were the sentence an answer.
    """

    relevance: float
    score: float
    span: tuple[int, int]
    span_score: float
    stance: dict[str, float]


class Judge:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._scale, self._shift = card.settings["relevance"]
        self._stance_temperature: float = card.settings["stance_temperature"]
        self.fingerprint = card.fingerprint

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Judge:
        catalogue = catalogue or shipped()
        tokenizer = PieceTokenizer.from_bytes(catalogue.read("tokenizer", "tokenizer.json"))
        return cls(EncoderSession(catalogue.read("judge", "judge.onnx")), tokenizer, catalogue.card("judge"))

    def judge(self, question: str, passages: Sequence[Passage]) -> list[Judgement]:
        """One judgement for each passage, in their order."""
        pieces = self._tokenizer.pairs(question, [p.text for p in passages])
        return [self._judge(p, passage) for p, passage in zip(pieces, passages, strict=True)]

    def _judge(self, pieces: Pieces, passage: Passage) -> Judgement:
        relevance, stance, span = self._session.run(pieces)
        score = float(relevance[0])
        chances = softmax(stance / self._stance_temperature)
        place, span_score = best_span(span, pieces, passage)
        return Judgement(
            relevance=float(sigmoid(self._scale * relevance + self._shift)[0]),
            score=score,
            span=place,
            span_score=span_score,
            stance=dict(zip(STANCES, map(float, chances), strict=True)),
        )


def best_span(logits: Floats, pieces: Pieces, passage: Passage) -> tuple[tuple[int, int], float]:
    """The likeliest run of pieces inside the sentence, as its characters, and its chance.

    logits: [pieces, 2], first and last piece of a span. The whole sentence where no piece lies inside it.
    """
    inside = [
        n
        for n, (start, end) in enumerate(pieces.spans)
        if pieces.types[n] == 1 and end > start and start >= passage.start
    ]
    if not inside:
        return (0, len(passage.sentence)), 0.0
    first, last = softmax(logits[inside, 0]), softmax(logits[inside, 1])
    joint = np.triu(first[:, None] * last[None, :])
    joint = joint - np.triu(joint, k=LONGEST_SPAN)
    a, b = divmod(int(joint.argmax()), len(inside))
    start, end = pieces.spans[inside[a]][0], pieces.spans[inside[b]][1]
    return (start - passage.start, end - passage.start), float(joint[a, b])
