"""The marker: where exactly does a passage answer a question, and with a yes or a no?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.judge import lowest_layers
from smallprint.models.passage import Passage, together
from smallprint.models.session import EncoderSession, Floats, load_graph, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer

STANCES = ("yes", "no", "choice", "mixed", "na")
LONGEST_SPAN = 60
"""Pieces. People's spans have 15 on average; 99 in 100 are shorter than this."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`span` counts characters of the sentence (not the passage). `stance` gives each of yes, no, choice, mixed, na its
    probability, were the sentence an answer."""

    span: tuple[int, int]
    stance: dict[str, float]


class Marker:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._temperature = np.float32(card.settings["stance_temperature"])

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Marker:
        catalogue = catalogue or shipped()
        tokenizer = PieceTokenizer.from_bytes(catalogue.read("tokenizer", "tokenizer.json"))
        session = EncoderSession(lowest_layers(catalogue), load_graph(catalogue.read("marker", "marker.onnx")))
        return cls(session, tokenizer, catalogue.card("marker"))

    def mark(self, question: str, passages: Sequence[Passage]) -> list[Mark]:
        """One mark for each passage, in their order."""
        pieces = self._tokenizer.pairs(question, [p.text for p in passages])
        rows = zip(self._session.run_all(pieces), pieces, passages, strict=True)
        return [Mark(best_span(span, read, passage), self._stances(stance)) for (stance, span), read, passage in rows]

    def stance(self, question: str, sentences: Sequence[str]) -> dict[str, float]:
        """What sentences in the policy's order say together: one may promise what the next takes back."""
        pieces = self._tokenizer.pairs(question, [together(sentences).text])[0]
        return self._stances(self._session.run(pieces)[0])

    def _stances(self, logits: Floats) -> dict[str, float]:
        return dict(zip(STANCES, map(float, softmax(logits / self._temperature)), strict=True))


def best_span(logits: Floats, pieces: Pieces, passage: Passage) -> tuple[int, int]:
    """The likeliest run of pieces inside the sentence, as its characters.

    logits: [pieces, 2], first and last piece of a span. The whole sentence where no piece lies inside it.
    """
    inside = [
        n
        for n, (start, end) in enumerate(pieces.spans)
        if pieces.types[n] == 1 and end > start and start >= passage.start
    ]
    if not inside:
        return 0, len(passage.sentence)
    first, last = softmax(logits[inside, 0]), softmax(logits[inside, 1])
    joint = np.triu(first[:, None] * last[None, :])
    joint = joint - np.triu(joint, k=LONGEST_SPAN)
    a, b = divmod(int(joint.argmax()), len(inside))
    return pieces.spans[inside[a]][0] - passage.start, pieces.spans[inside[b]][1] - passage.start
