"""A BERT encoder over packed tokens: sequences of any length in one batch, without padding.

On a CPU nearly all time goes into the linear layers, so padding is work thrown away; packed, a question's
passages can share a batch whatever their lengths. Attention alone is padded, and it is cheap at these lengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import BertModel

from train.precision import attend, narrow


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sequences of like length: which tokens they hold, [tokens], and the place of each in a padded grid."""

    tokens: Tensor
    flat: Tensor
    mask: Tensor
    """Which places of the grid hold a token, [sequences, 1, 1, longest]."""
    across: Tensor
    """1 where one token is of the question and the other of the passage, [sequences, 1, longest, longest]."""


@dataclass(frozen=True, slots=True)
class Packed:
    """`ids`, `types`, `owner` (the sequence of each token): [tokens]. `lengths`: [sequences]."""

    ids: Tensor
    types: Tensor
    places: Tensor
    """Counted from the first token of the sequence."""
    positions: Tensor
    """Counted from the first token of the question or of the passage: each is read as if it stood alone."""
    owner: Tensor
    lengths: Tensor
    buckets: list[Bucket]

    @property
    def longest(self) -> int:
        return int(self.lengths.max())

    @property
    def flat(self) -> Tensor:
        """The place of each token in one grid [sequences × longest] of all sequences."""
        return self.owner * self.longest + self.places


def pack(sequences: list[list[int]], types: list[list[int]]) -> Packed:
    lengths = torch.tensor([len(s) for s in sequences])
    places = torch.cat([torch.arange(len(s)) for s in sequences])
    owner = torch.repeat_interleave(torch.arange(len(sequences)), lengths)
    sides = torch.tensor([t for s in types for t in s])
    return Packed(
        ids=torch.tensor([i for s in sequences for i in s]),
        types=sides,
        places=places,
        positions=places - sides * torch.tensor([t.count(0) for t in types])[owner],
        owner=owner,
        lengths=lengths,
        buckets=_buckets(lengths, places, owner, sides),
    )


def _buckets(lengths: Tensor, places: Tensor, owner: Tensor, sides: Tensor) -> list[Bucket]:
    """Cut the sequences, sorted by length, into eighths: attention grows with the square of the longest."""
    order = lengths.argsort(stable=True)
    found = []
    for chosen in order.chunk(min(8, len(order))):
        longest = int(lengths[chosen].max())
        row = torch.full((len(lengths),), -1).index_copy(0, chosen, torch.arange(len(chosen)))
        tokens = (row[owner] >= 0).nonzero()[:, 0]
        mask = (torch.arange(longest) < lengths[chosen][:, None])[:, None, None, :]
        flat = row[owner[tokens]] * longest + places[tokens]
        side = torch.zeros(mask.numel(), dtype=sides.dtype).index_copy(0, flat, sides[tokens]).view(-1, 1, 1, longest)
        found.append(Bucket(tokens, flat, mask, (side != side.transpose(2, 3)).float()))
    return found


def load_base(folder: Path) -> BertModel:
    return BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager", dtype=torch.float32)


def freeze(bert: BertModel, layers: int) -> None:
    """Keep the word table and the lowest layers as they are: a third of the work saved for little lost."""
    for part in (bert.embeddings, *bert.encoder.layer[:layers]):
        part.requires_grad_(False)


def encode(bert: BertModel, batch: Packed, dropout: float = 0.0, gates: Tensor | None = None) -> Tensor:
    """Hidden states of all tokens, [tokens, width].

    `gates` [layers, heads] is added to the attention between question and passage: far below zero, each is read as if
    it stood alone.
    """
    tables = bert.embeddings
    hidden = tables.word_embeddings(batch.ids) + tables.token_type_embeddings.weight[0]
    hidden = tables.LayerNorm(hidden + tables.position_embeddings(batch.positions))
    drop = torch.nn.Dropout(dropout).train(bert.training)
    with narrow(training=bert.training):
        for number, layer in enumerate(bert.encoder.layer):
            attended = _attend(layer.attention.self, hidden, batch, None if gates is None else gates[number])
            attended = drop(layer.attention.output.dense(attended))
            hidden = layer.attention.output.LayerNorm(attended + hidden)
            inner = torch.nn.functional.gelu(layer.intermediate.dense(hidden))
            hidden = layer.output.LayerNorm(drop(layer.output.dense(inner)) + hidden)
    return hidden.float()


def _attend(attention: torch.nn.Module, hidden: Tensor, batch: Packed, gate: Tensor | None) -> Tensor:
    whole = attention.query(hidden), attention.key(hidden), attention.value(hidden)
    heads, width = attention.num_attention_heads, hidden.shape[1]
    mixed = torch.empty_like(hidden)
    for bucket in batch.buckets:
        count, longest = bucket.mask.shape[0], bucket.mask.shape[-1]

        def grid(values: Tensor, bucket: Bucket = bucket, count: int = count, longest: int = longest) -> Tensor:
            padded = values.new_zeros(count * longest, width).index_copy(0, bucket.flat, values[bucket.tokens])
            return padded.view(count, longest, heads, width // heads).transpose(1, 2)

        query, key, value = map(grid, whole)
        mask = bucket.mask if gate is None else _gated(bucket, gate)
        attended = attend(query, key, value, mask)
        flat = attended.transpose(1, 2).reshape(count * longest, width)[bucket.flat]
        mixed = mixed.index_copy(0, bucket.tokens, flat)
    return mixed


def _gated(bucket: Bucket, gate: Tensor) -> Tensor:
    """What is added to the attention, [sequences, heads, longest, longest]."""
    return (bucket.across * gate[:, None, None]).masked_fill(~bucket.mask, -1e9)


def means(hidden: Tensor, batch: Packed) -> Tensor:
    """The mean of each sequence's token vectors, [sequences, width]."""
    return sums(hidden, batch) / batch.lengths[:, None]


def firsts(hidden: Tensor, batch: Packed) -> Tensor:
    """The vector of each sequence's first token, [sequences, width]."""
    return hidden[batch.places == 0]


def shares(scores: Tensor, batch: Packed) -> Tensor:
    """Softmax over each sequence's tokens, column by column, [tokens, columns]."""
    highest = scores.new_full((len(batch.lengths), scores.shape[1]), float("-inf"))
    highest = highest.scatter_reduce(0, batch.owner[:, None].expand_as(scores), scores.detach(), "amax")
    raised = (scores - highest[batch.owner]).exp()
    return raised / sums(raised, batch)[batch.owner]


def sums(values: Tensor, batch: Packed) -> Tensor:
    """Over each sequence's tokens, [sequences, columns]."""
    return values.new_zeros(len(batch.lengths), values.shape[1]).index_add(0, batch.owner, values)
