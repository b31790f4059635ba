"""The marker: where exactly does a passage answer a question, and with a yes or a no?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.judge import lowest_layers
from smallprint.models.passage import Passage, together
from smallprint.models.session import Begun, EncoderSession, Floats, load_graph, shared_out, softmax
from smallprint.models.tokenizer import Pieces, PieceTokenizer

STANCES = ("yes", "no", "choice", "mixed", "na")
SILENT = "silent"
SAID = (*STANCES, SILENT)
LONGEST_SPAN = 60
"""Pieces. People's spans have 15 on average; 99 in 100 are shorter than this."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says to a question: `silent` is the chance that it says nothing, `stance` gives each of yes, no,
    choice, mixed, na its chance if it does."""

    silent: float
    stance: dict[str, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """`span` counts characters of the sentence (not the passage)."""

    span: tuple[int, int]
    said: Said


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
        return self.mark_begun(shared_out(self._session.begin, pieces), passages)

    def mark_begun(self, begun: Sequence[Begun], passages: Sequence[Passage]) -> list[Mark]:
        """The same for pairs that the judge has begun to read."""
        rows = zip(shared_out(self._session.go_on, begun), begun, passages, strict=True)
        return [Mark(best_span(span, one.pieces, passage), self._said(said)) for (said, span), one, passage in rows]

    def said(self, question: str, passages: Sequence[Passage]) -> Said:
        """What sentences in the policy's order say together: one may promise what the next takes back."""
        pieces = self._tokenizer.pairs(question, [together(passages).text])[0]
        return self._said(self._session.run(pieces)[0])

    def _said(self, logits: Floats) -> Said:
        *stances, silent = (float(chance) for chance in softmax(logits / self._temperature))
        return Said(silent, {name: chance / sum(stances) for name, chance in zip(STANCES, stances, strict=True)})


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
