"""The marker: where exactly does a passage answer a question, and with a yes or a no?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.layers import pair_layers
from smallprint.models.passage import Passage
from smallprint.models.said import Said, said_of
from smallprint.models.session import Begun, EncoderSession, Floats, load_graph, shared_out, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer, shared_tokenizer

LONGEST_SPAN = 60
"""Pieces. People's spans have 15 on average; 99 in 100 are shorter than this."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`span` counts characters of the sentence (not the passage)."""

    span: tuple[int, int]
    said: Said


class Marker:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._temperature: float = card.settings["stance_temperature"]

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Marker:
        catalogue = catalogue or shipped()
        session = EncoderSession(pair_layers(catalogue), load_graph(catalogue.read("marker", "marker.onnx")))
        return cls(session, shared_tokenizer(catalogue), catalogue.card("marker"))

    def mark(self, question: str, passages: Sequence[Passage]) -> list[Mark]:
        """One mark for each passage, in their order."""
        pieces = self._tokenizer.pairs(question, [p.text for p in passages])
        return self.mark_begun(shared_out(self._session.begin, pieces), passages)

    def mark_begun(self, begun: Sequence[Begun], passages: Sequence[Passage]) -> list[Mark]:
        """The same for pairs that the judge has begun to read."""
        rows = zip(shared_out(self._session.go_on, begun), begun, passages, strict=True)
        return [
            Mark(best_span(span, one.pieces, passage), said_of(said, self._temperature))
            for (said, span), one, passage in rows
        ]


def best_span(logits: Floats, pieces: Pieces, passage: Passage) -> tuple[int, int]:
    """The likeliest run of pieces inside the sentence, as its characters; whole words of it.

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
    start, end = pieces.spans[inside[a]][0], pieces.spans[inside[b]][1]
    while start > passage.start and passage.text[start - 1 : start + 1].isalnum():
        start -= 1
    while end < len(passage.text) and passage.text[end - 1 : end + 1].isalnum():
        end += 1
    return start - passage.start, end - passage.start
