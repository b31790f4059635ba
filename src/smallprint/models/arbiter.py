"""The arbiter: what do the best sentences of a policy, read together, say to a question?

One sentence may promise what the next takes back, and a question may ask for two things of which only one is told. So
they are read as one text by a network of its own, deeper than the marker's, once a question.
"""

from __future__ import annotations

from collections.abc import Sequence

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.judge import lowest_layers
from smallprint.models.passage import Passage, together
from smallprint.models.said import Said, said_of
from smallprint.models.session import EncoderSession, load_graph
from smallprint.models.tokenizer import Pieces, PieceTokenizer

TOGETHER = 8
"""Sentences that are read as one text."""
PIECES = 400
"""Eight sentences with their headings have 250 on average; what follows is cut."""


class Arbiter:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._temperature: float = card.settings["temperature"]

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Arbiter:
        catalogue = catalogue or shipped()
        tokenizer = PieceTokenizer.from_bytes(catalogue.read("tokenizer", "tokenizer.json"))
        session = EncoderSession(lowest_layers(catalogue), load_graph(catalogue.read("arbiter", "arbiter.onnx")))
        return cls(session, tokenizer, catalogue.card("arbiter"))

    def said(self, question: str, passages: Sequence[Passage]) -> Said:
        """What `passages`, in the policy's order, say together; nothing where there are none."""
        if not passages:
            return Said(1.0, {})
        return said_of(self._session.run(pieces_of(self._tokenizer, question, passages))[0], self._temperature)


def pieces_of(tokenizer: PieceTokenizer, question: str, passages: Sequence[Passage]) -> Pieces:
    return tokenizer.pairs(question, [together(passages).text], longest=PIECES)[0]
