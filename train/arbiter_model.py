"""The arbiter's network: the judge's two lowest layers as they are, eight above them that read question and passage
together.

Both base encoders have one ancestor of twelve layers: MiniLM-L6 kept every second one, bge-small all, and what they
learned since has hardly moved them apart. So the four upper layers of the marker, which knows what sentences say, take
four of bge's between them. Before its first step such a network tells the stance nearly as often as the marker (.51 and
.56 of those of `asked`), where bge's layers alone know nothing of it (.39, as often as the commonest).
"""

from __future__ import annotations

import copy

from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import BertModel

from smallprint.models.said import SAID
from train.judge_model import APART
from train.marker_model import Batch, mean
from train.padded import Padded, encode

DEPTH = 10
BETWEEN = (3, 5, 7, 9)
"""Layers of bge; the marker's stand for those after each of them."""
SMOOTHING = 0.05
"""A second reader agrees with the labels for .86 to .93 of the questions."""


class Arbiter(nn.Module):
    """Reads [CLS] and the mean."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = deepened(bert)
        self.stance = nn.Linear(bert.config.hidden_size, len(SAID))

    def forward(self, batch: Padded, dropout: float = 0.0) -> Tensor:
        """What it says, [pairs, 6]."""
        hidden = encode(self.bert, batch, APART, dropout)
        said: Tensor = self.stance(hidden[:, 0] + mean(hidden, batch.real))
        return said


def deepened(bert: BertModel) -> BertModel:
    """With as many layers as the arbiter has; what is in the new ones means nothing yet."""
    layers = bert.encoder.layer
    layers.extend(copy.deepcopy(layers[-1]) for _ in range(DEPTH - len(layers)))
    bert.config.num_hidden_layers = DEPTH
    return bert


def interleaved(marker: dict[str, Tensor], bge: dict[str, Tensor]) -> dict[str, Tensor]:
    """A beginning: the marker's layers and bge's by turns, the marker's stance above them."""
    layers = [(marker, f"bert.encoder.layer.{number}.") for number in range(APART)]
    for number, between in enumerate(BETWEEN, APART):
        layers += [(bge, f"encoder.layer.{between}."), (marker, f"bert.encoder.layer.{number}.")]
    state = {name: weight for name, weight in marker.items() if name.startswith(("bert.embeddings.", "stance."))}
    for place, (weights, prefix) in enumerate(layers):
        parts = {name.removeprefix(prefix): weight for name, weight in weights.items() if name.startswith(prefix)}
        state |= {f"bert.encoder.layer.{place}.{name}": weight.float() for name, weight in parts.items()}
    return state


def loss_of(arbiter: Arbiter, batch: Batch, dropout: float) -> Tensor:
    return cross_entropy(arbiter(batch.padded, dropout), batch.stance, label_smoothing=SMOOTHING)
