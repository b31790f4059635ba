"""The judge: does this passage answer this question, where exactly, and with a yes or a no?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.passage import Passage, together
from smallprint.models.session import EncoderSession, Floats, sigmoid, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer

STANCES = ("yes", "no", "choice", "mixed", "na")
LONGEST_SPAN = 60
"""Pieces. People's spans have 15 on average; 99 in 100 are shorter than this."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge makes of one passage.

    `relevance` is calibrated: the chance that people would quote the sentence as the answer.
    `score` is the logit behind it, for ranking. `span` counts characters of the sentence (not the passage).
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
        self._shares: dict[str, list[float]] = {name: card.settings[name] for name in ("with_cosine", "alone")}
        self._stance_temperature: float = card.settings["stance_temperature"]
        self.fingerprint = card.fingerprint

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Judge:
        catalogue = catalogue or shipped()
        tokenizer = PieceTokenizer.from_bytes(catalogue.read("tokenizer", "tokenizer.json"))
        return cls(EncoderSession(catalogue.read("judge", "judge.onnx")), tokenizer, catalogue.card("judge"))

    def judge(
        self, question: str, passages: Sequence[Passage], cosines: Sequence[float] | None = None
    ) -> list[Judgement]:
        """One judgement for each passage, in their order.

        `cosines` of the reader's vectors of question and sentences, where they are at hand (a policy's vectors are
        made once, when it is read), sharpen relevance and cost nothing.
        """
        pieces = self._tokenizer.pairs(question, [p.text for p in passages])
        near = [0.0] * len(passages) if cosines is None else cosines
        shares = self._shares["alone" if cosines is None else "with_cosine"]
        rows = zip(self._session.run_all(pieces), pieces, passages, near, strict=True)
        return [self._judgement(*row, shares) for row in rows]

    def stance(self, question: str, sentences: Sequence[str]) -> dict[str, float]:
        """What sentences in the policy's order say together: one may promise what the next takes back."""
        pieces = self._tokenizer.pairs(question, [together(sentences).text])[0]
        return self._stances(self._session.run(pieces)[1])

    def _stances(self, logits: Floats) -> dict[str, float]:
        chances = softmax(logits / np.float32(self._stance_temperature))
        return dict(zip(STANCES, map(float, chances), strict=True))

    def _judgement(
        self, outputs: list[Floats], pieces: Pieces, passage: Passage, cosine: float, shares: list[float]
    ) -> Judgement:
        relevance, stance, span = outputs
        logits = shares[0] * relevance + np.float32(shares[1] * cosine + shares[2])
        place, span_score = best_span(span, pieces, passage)
        return Judgement(
            relevance=float(sigmoid(logits)[0]),
            score=float(logits[0]),
            span=place,
            span_score=span_score,
            stance=self._stances(stance),
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
