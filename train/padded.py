"""A BERT encoder over sequences of like length, padded to the longest: nothing but large matrix products.

Packing (`train.encoder`) pays where lengths differ within a question's passages. Where examples can be sorted by length
first, padding costs a tenth and moving tokens about costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import gelu
from transformers import BertModel

from smallprint.models.tokenizer import Pieces
from train.precision import attend, narrow


@dataclass(frozen=True, slots=True)
class Padded:
    """Pairs of question and passage, [pairs, longest] each."""

    ids: Tensor
    types: Tensor
    real: Tensor

    @property
    def positions(self) -> Tensor:
        """Counted from the first token of the question or of the passage: each is read as if it stood alone."""
        asked = (self.real & (self.types == 0)).sum(dim=1, keepdim=True)
        return torch.arange(self.ids.shape[1]) - self.types * asked

    @property
    def tokens(self) -> int:
        return int(self.real.sum())


def pad(pieces: list[Pieces]) -> Padded:
    longest = max(len(p.ids) for p in pieces)
    rows = [
        (p.ids + [0] * short, p.types + [1] * short, [True] * len(p.ids) + [False] * short)
        for p in pieces
        for short in [longest - len(p.ids)]
    ]
    ids, types, real = (torch.tensor(column) for column in zip(*rows, strict=True))
    return Padded(ids, types, real)


def encode(bert: BertModel, batch: Padded, apart: int, dropout: float = 0.0) -> Tensor:
    """Hidden states [pairs, longest, width]; in the `apart` lowest layers question and passage don't see each other,
    and nothing is learned there."""
    seen = batch.real[:, None, None, :]
    alone = seen & (batch.types[:, None, :, None] == batch.types[:, None, None, :])
    tables, drop = bert.embeddings, torch.nn.Dropout(dropout).train(bert.training)
    with torch.no_grad(), narrow(training=bert.training):
        hidden = tables.word_embeddings(batch.ids) + tables.token_type_embeddings.weight[0]
        hidden = tables.LayerNorm(hidden + tables.position_embeddings(batch.positions))
        for layer in bert.encoder.layer[:apart]:
            hidden = _layer(layer, hidden, alone, torch.nn.Identity())
    with narrow(training=bert.training):
        for layer in bert.encoder.layer[apart:]:
            hidden = _layer(layer, hidden, seen, drop)
    return hidden.float()


def _layer(layer: torch.nn.Module, hidden: Tensor, mask: Tensor, drop: torch.nn.Module) -> Tensor:
    attention = layer.attention.self
    pairs, longest, _ = hidden.shape

    def heads(values: Tensor) -> Tensor:
        return values.view(pairs, longest, attention.num_attention_heads, -1).transpose(1, 2)

    query, key, value = (heads(part(hidden)) for part in (attention.query, attention.key, attention.value))
    mixed = attend(query, key, value, mask).transpose(1, 2).reshape(hidden.shape)
    hidden = layer.attention.output.LayerNorm(drop(layer.attention.output.dense(mixed)) + hidden)
    return layer.output.LayerNorm(drop(layer.output.dense(gelu(layer.intermediate.dense(hidden)))) + hidden)
