"""The arbiter: what do the best sentences of a policy, read together, say to a question, and which of them answer it?

One sentence may promise what the next takes back, a question may ask for two things of which only one is told, and a
sentence that comes near is no answer beside one that hits. So they are read as one text by a network of its own, deeper
than the marker's, once a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.layers import pair_layers
from smallprint.models.passage import Passage, together
from smallprint.models.said import Said, said_of
from smallprint.models.session import EncoderSession, load_graph
from smallprint.models.tokenizer import PieceTokenizer, shared_tokenizer

TOGETHER = 8
"""Sentences that are read as one text."""
PIECES = 400
"""Eight sentences with their headings have 250 on average; what follows is cut."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What speaks for a sentence to be quoted, and to help at all, beside the others: log-odds."""

    quoted: float
    helps: float


@dataclass(frozen=True, slots=True)
class Heard:
    """What passages say together, and what each of their sentences is worth; None for those that were cut."""

    said: Said
    worth: tuple[Worth | None, ...]


class Arbiter:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._temperature: float = card.settings["temperature"]

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Arbiter:
        catalogue = catalogue or shipped()
        session = EncoderSession(pair_layers(catalogue), load_graph(catalogue.read("arbiter", "arbiter.onnx")))
        return cls(session, shared_tokenizer(catalogue), catalogue.card("arbiter"))

    def hear(self, question: str, passages: Sequence[Passage]) -> Heard:
        """Passages stand in the policy's order; where there are none, nothing is said."""
        if not passages:
            return Heard(Said(1.0, {}), ())
        joined = together(passages)
        pieces = self._tokenizer.pairs(question, [joined.text], longest=PIECES)[0]
        said, answers = self._session.run(pieces)
        ranges = [pieces.over(*span) for span in joined.sentences]
        worth = [Worth(*map(float, answers[a[0] : a[1] + 1].mean(axis=0))) if a else None for a in ranges]
        return Heard(said_of(said, self._temperature), tuple(worth))
