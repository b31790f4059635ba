"""The arbiter's network: the judge's two lowest layers as they are, eight above them that read question and passage
together.

Both base encoders have one ancestor of twelve layers: MiniLM-L6 kept every second one, bge-small all, and what they
learned since has hardly moved them apart. So the four upper layers of the marker, which knows what sentences say, take
four of bge's between them. Before its first step such a network tells the stance nearly as often as the marker (.51 and
.56 of those of `asked`), where bge's layers alone know nothing of it (.39, as often as the commonest).
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import BertModel

from smallprint.models.said import SAID
from train.judge_model import APART
from train.marker_model import Batch, Graded, mean
from train.padded import Padded, encode

DEPTH = 10
BETWEEN = (3, 5, 7, 9)
"""Layers of bge; the marker's stand for those after each of them."""
SMOOTHING = 0.05
"""A second reader agrees with the labels for .86 to .93 of the questions."""


GRADES_WEIGHT = 1.0
"""Of what each sentence is worth, beside what they say together."""


class Arbiter(nn.Module):
    """What the text says is read from [CLS] and the mean, what a sentence is worth from the mean of its tokens."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = deepened(bert)
        self.stance = nn.Linear(bert.config.hidden_size, len(SAID))
        self.answers = nn.Linear(bert.config.hidden_size, 2)

    def forward(self, batch: Padded, dropout: float = 0.0) -> tuple[Tensor, Tensor]:
        """What it says [pairs, 6]; what speaks in each token for a sentence to be quoted, and to help, [pairs, longest,
        2]."""
        hidden = encode(self.bert, batch, APART, dropout)
        return self.stance(hidden[:, 0] + mean(hidden, batch.real)), self.answers(hidden)


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


def loss_of(arbiter: Arbiter, batch: Batch, dropout: float) -> tuple[Tensor, dict[str, float]]:
    said, tokens = arbiter(batch.padded, dropout)
    parts = {"said": cross_entropy(said, batch.stance, label_smoothing=SMOOTHING)}
    if len(batch.graded.grade):
        worth = torch.stack([batch.graded.grade >= 2, batch.graded.grade >= 1], dim=1).float()
        parts["answers"] = GRADES_WEIGHT * binary_cross_entropy_with_logits(over(tokens, batch.graded), worth)
    return torch.stack(list(parts.values())).sum(), {name: float(part.detach()) for name, part in parts.items()}


def over(tokens: Tensor, graded: Graded) -> Tensor:
    """The mean over each sentence's tokens, [sentences, 2]."""
    sums = nn.functional.pad(tokens.cumsum(dim=1), (0, 0, 1, 0))
    total = sums[graded.pair, graded.last + 1] - sums[graded.pair, graded.first]
    return total / (graded.last + 1 - graded.first)[:, None]
