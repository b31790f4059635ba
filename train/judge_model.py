"""The judge's network: relevance, span and stance from one pass over question × passage."""

from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize
from transformers import BertModel

from smallprint.models.tokenizer import Pieces, PieceTokenizer
from train.encoder import Packed, encode, firsts, means, pack
from train.judge_data import STANCES, Group


@dataclass(frozen=True, slots=True)
class Weights:
    """What the losses beside relevance count: ranking within a question, the span, the stance."""

    listwise: float = 2.0
    span: float = 0.3
    stance: float = 0.5


GATE, CLOSENESS = -3.0, 15.0
APART = 2
"""The lowest layers stay the reader's own: they read each side alone, and learning leaves them as they are."""
SHUT = -1e4
OPENING_SPEED = 40.0
"""A gate has to move by whole numbers in some hundred steps, a weight by hundredths."""


class Judge(nn.Module):
    """Begins as the reader it is made from: question and passage hardly attend to each other, and relevance is their
    cosine. Gates and heads then learn where looking across pays. Begun as an ordinary pair encoder, the same network
    ranked worse after an hour than this one does before its first step."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        width = bert.config.hidden_size
        layers, heads = bert.config.num_hidden_layers, bert.config.num_attention_heads
        self.opening = nn.Parameter(torch.zeros(layers - APART, heads))
        self.relevance = nn.Linear(width, 1)
        nn.init.zeros_(self.relevance.weight)
        nn.init.constant_(self.relevance.bias, -CLOSENESS / 2)
        self.stance = nn.Linear(width, len(STANCES))
        self.span = nn.Linear(width, 2)
        self.closeness = nn.Parameter(torch.full((width,), CLOSENESS))

    def gates(self) -> Tensor:
        """[layers, heads]"""
        shut = self.opening.new_full((APART, self.opening.shape[1]), SHUT)
        return torch.cat([shut, GATE + OPENING_SPEED * self.opening])

    def forward(self, batch: Packed, dropout: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
        """Relevance [pairs], stance [pairs, 5], span starts and ends of all tokens [tokens, 2]."""
        hidden = encode(self.bert, batch, dropout, self.gates())
        pooled = firsts(hidden, batch) + means(hidden, batch)
        relevance = self.relevance(pooled)[:, 0] + product(hidden, batch) @ self.closeness
        return relevance, self.stance(pooled), self.span(hidden)


def product(hidden: Tensor, batch: Packed) -> Tensor:
    """Question's mean times passage's mean, both of length one: its sum is their cosine, [pairs, width]."""
    return normalize(side_means(hidden, batch, 0), dim=1) * normalize(side_means(hidden, batch, 1), dim=1)


def side_means(hidden: Tensor, batch: Packed, side: int) -> Tensor:
    """The mean of the tokens of one type, [pairs, width]."""
    chosen = batch.types == side
    total = hidden.new_zeros(len(batch.lengths), hidden.shape[1])
    counts = torch.bincount(batch.owner[chosen], minlength=len(batch.lengths))
    return total.index_add(0, batch.owner[chosen], hidden[chosen]) / counts[:, None]


@dataclass(frozen=True, slots=True)
class Batch:
    """Packed pairs of some groups. `group` names each pair's question; nan and -1 mean "no such label"."""

    packed: Packed
    target: Tensor
    group: Tensor
    stance: Tensor
    span: Tensor
    """First and last piece of the span, counted from the pair's first piece, [pairs, 2]."""


def pieces_of(span: tuple[int, int], pieces: Pieces) -> tuple[int, int] | None:
    """The first and last passage piece that overlap the characters of `span`."""
    inside = [
        number
        for number, (start, end) in enumerate(pieces.spans)
        if pieces.types[number] == 1 and end > start and start < span[1] and end > span[0]
    ]
    return (inside[0], inside[-1]) if inside else None


def build(groups: list[Group], tokenizer: PieceTokenizer) -> Batch:
    pairs: list[Pieces] = []
    target, owner, stance, spans = [], [], [], []
    for number, group in enumerate(groups):
        found = tokenizer.pairs(group.question, [e.passage.text for e in group.examples])
        for example, pieces in zip(group.examples, found, strict=True):
            pairs.append(pieces)
            owner.append(number)
            target.append(float("nan") if example.target is None else example.target)
            stance.append(-1 if example.stance is None else example.stance)
            spans.append((example.span and pieces_of(example.span, pieces)) or (-1, -1))
    return Batch(
        pack([p.ids for p in pairs], [p.types for p in pairs]),
        torch.tensor(target),
        torch.tensor(owner),
        torch.tensor(stance),
        torch.tensor(spans),
    )


def loss_of(judge: Judge, batch: Batch, dropout: float, weights: Weights) -> tuple[Tensor, dict[str, float]]:
    relevance, stance, span = judge(batch.packed, dropout)
    parts: dict[str, Tensor] = {}
    known = ~batch.target.isnan()
    if known.any():
        parts["relevance"] = binary_cross_entropy_with_logits(relevance[known], batch.target[known])
        ranked = listwise(relevance, batch)
        if ranked is not None:
            parts["listwise"] = weights.listwise * ranked
    if (batch.stance >= 0).any():
        parts["stance"] = weights.stance * cross_entropy(stance, batch.stance, ignore_index=-1)
    if (batch.span[:, 0] >= 0).any():
        parts["span"] = weights.span * span_loss(span, batch)
    total = torch.stack(list(parts.values())).sum()
    return total, {name: float(part.detach()) for name, part in parts.items()}


def listwise(relevance: Tensor, batch: Batch) -> Tensor | None:
    """Cross-entropy of each question's ranking against its grades, over questions with a graded sentence."""
    losses = []
    for number in batch.group.unique():
        mine = (batch.group == number) & ~batch.target.isnan()
        wanted = batch.target[mine]
        if len(wanted) > 1 and wanted.sum() > 0:
            losses.append(cross_entropy(relevance[mine][None], (wanted / wanted.sum())[None]) / 4)
    return torch.stack(losses).mean() if losses else None


def span_loss(scores: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the first and the last piece among the passage's pieces."""
    packed = batch.packed
    grid = scores.new_full((len(packed.lengths) * packed.longest, 2), -1e4)
    inside = packed.types == 1
    grid = grid.index_copy(0, packed.flat[inside], scores[inside])
    grid = grid.view(len(packed.lengths), packed.longest, 2)
    known = batch.span[:, 0] >= 0
    first = cross_entropy(grid[known, :, 0], batch.span[known, 0])
    return (first + cross_entropy(grid[known, :, 1], batch.span[known, 1])) / 2


def misspelt(question: str, draw: random.Random) -> str:
    """One slip of the finger, as people make them: two letters swapped, one dropped, or one doubled."""
    places = [n for n in range(1, len(question) - 1) if question[n].isalpha() and question[n + 1].isalpha()]
    if not places:
        return question
    at = draw.choice(places)
    slip = draw.randrange(3)
    if slip == 0:
        return question[:at] + question[at + 1] + question[at] + question[at + 2 :]
    return question[:at] + (question[at] * 2 if slip == 1 else "") + question[at + 1 :]
