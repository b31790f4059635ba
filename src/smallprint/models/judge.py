"""The judge: does this passage answer this question?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smallprint.models.catalogue import Card, Catalogue, shipped
from smallprint.models.layers import pair_layers
from smallprint.models.passage import Passage
from smallprint.models.session import Begun, EncoderSession, Floats, load_graph, shared_out, sigmoid
from smallprint.models.tokenizer import PieceTokenizer, shared_tokenizer


@dataclass(frozen=True, slots=True)
class Judgement:
    """`relevance` is calibrated: the chance that people would quote the sentence as the answer. `score` is the logit
    behind it, for ranking."""

    relevance: float
    score: float


class Judge:
    def __init__(self, session: EncoderSession, tokenizer: PieceTokenizer, card: Card) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._shares: dict[str, list[float]] = {name: card.settings[name] for name in ("with_cosine", "alone")}
        self.fingerprint = card.fingerprint

    @classmethod
    def load(cls, catalogue: Catalogue | None = None) -> Judge:
        catalogue = catalogue or shipped()
        session = EncoderSession(pair_layers(catalogue), load_graph(catalogue.read("judge", "judge.onnx")))
        return cls(session, shared_tokenizer(catalogue), catalogue.card("judge"))

    def begin(self, question: str, passages: Sequence[Passage]) -> list[Begun]:
        """Question and passages as the layers read them that the marker shares."""
        return shared_out(self._session.begin, self._tokenizer.pairs(question, [p.text for p in passages]))

    def judge(
        self, question: str, passages: Sequence[Passage], cosines: Sequence[float] | None = None
    ) -> list[Judgement]:
        """One judgement for each passage, in their order.

        `cosines` of the reader's vectors of question and sentences, where they are at hand (a policy's vectors are
        made once, when it is read), sharpen relevance and cost nothing.
        """
        return self.judge_begun(self.begin(question, passages), cosines)

    def judge_begun(self, begun: Sequence[Begun], cosines: Sequence[float] | None = None) -> list[Judgement]:
        near = [0.0] * len(begun) if cosines is None else cosines
        shares = self._shares["alone" if cosines is None else "with_cosine"]
        rows = zip(shared_out(self._session.go_on, begun), near, strict=True)
        return [_judgement(outputs[0], cosine, shares) for outputs, cosine in rows]


def _judgement(relevance: Floats, cosine: float, shares: list[float]) -> Judgement:
    logits = shares[0] * relevance + np.float32(shares[1] * cosine + shares[2])
    return Judgement(relevance=float(sigmoid(logits)[0]), score=float(logits[0]))
