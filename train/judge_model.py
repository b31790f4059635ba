"""The judge's network: relevance from one pass over question × passage."""

from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize
from transformers import BertModel

from smallprint.models.tokenizer import Pieces, PieceTokenizer
from train.encoder import Packed, encode, firsts, means, pack
from train.judge_data import Group

LISTWISE = 2.0
"""What ranking within a question counts beside the relevance of each passage."""
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
        self.closeness = nn.Parameter(torch.full((width,), CLOSENESS))

    def gates(self) -> Tensor:
        """[layers, heads]"""
        shut = self.opening.new_full((APART, self.opening.shape[1]), SHUT)
        return torch.cat([shut, GATE + OPENING_SPEED * self.opening])

    def forward(self, batch: Packed, dropout: float = 0.0) -> Tensor:
        """Relevance [pairs]."""
        hidden = encode(self.bert, batch, dropout, self.gates())
        pooled = firsts(hidden, batch) + means(hidden, batch)
        found: Tensor = self.relevance(pooled)[:, 0] + product(hidden, batch) @ self.closeness
        return found


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
    """Packed pairs of some groups. `group` names each pair's question."""

    packed: Packed
    target: Tensor
    group: Tensor


def build(groups: list[Group], tokenizer: PieceTokenizer) -> Batch:
    pairs: list[Pieces] = []
    target, owner = [], []
    for number, group in enumerate(groups):
        found = tokenizer.pairs(group.question, [e.passage.text for e in group.examples])
        pairs += found
        owner += [number] * len(found)
        target += [example.target for example in group.examples]
    packed = pack([p.ids for p in pairs], [p.types for p in pairs])
    return Batch(packed, torch.tensor(target), torch.tensor(owner))


def loss_of(judge: Judge, batch: Batch, dropout: float) -> tuple[Tensor, dict[str, float]]:
    relevance = judge(batch.packed, dropout)
    parts = {"relevance": binary_cross_entropy_with_logits(relevance, batch.target)}
    ranked = listwise(relevance, batch)
    if ranked is not None:
        parts["listwise"] = LISTWISE * ranked
    total = torch.stack(list(parts.values())).sum()
    return total, {name: float(part.detach()) for name, part in parts.items()}


def listwise(relevance: Tensor, batch: Batch) -> Tensor | None:
    """Cross-entropy of each question's ranking against its grades, over questions with a graded sentence."""
    losses = []
    for number in batch.group.unique():
        mine = batch.group == number
        wanted = batch.target[mine]
        if len(wanted) > 1 and wanted.sum() > 0:
            losses.append(cross_entropy(relevance[mine][None], (wanted / wanted.sum())[None]) / 4)
    return torch.stack(losses).mean() if losses else None


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
