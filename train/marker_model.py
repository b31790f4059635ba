"""The marker's network: the judge's two lowest layers as they are, four layers of its own above them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu
from transformers import BertModel

from smallprint.models.passage import together
from smallprint.models.said import SAID
from smallprint.models.tokenizer import Pieces, PieceTokenizer
from train.judge_model import APART
from train.marker_data import Example, Span
from train.padded import Padded, encode, pad

STANCE_WEIGHT = 1.0
NOWHERE = -1e4
MATCH_WIDTH = 256


class Marker(nn.Module):
    """The stance reads [CLS] and the mean. Spans read each token beside the question's mean and their product: the base
    never learned to look from one text into another, and with the token alone it takes hours to begin."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        self.stance = nn.Linear(bert.config.hidden_size, len(SAID))
        self.match = nn.Linear(3 * bert.config.hidden_size, MATCH_WIDTH)
        self.span = nn.Linear(MATCH_WIDTH, 2)

    def forward(self, batch: Padded, dropout: float = 0.0) -> tuple[Tensor, Tensor]:
        """Stance [pairs, 6], span starts and ends [pairs, longest, 2]."""
        hidden = encode(self.bert, batch, APART, dropout)
        asked = mean(hidden, batch.real & (batch.types == 0))[:, None].expand_as(hidden)
        matched = gelu(self.match(torch.cat([hidden, asked, hidden * asked], dim=2)))
        return self.stance(hidden[:, 0] + mean(hidden, batch.real)), self.span(matched)


def mean(hidden: Tensor, chosen: Tensor) -> Tensor:
    """Of the chosen tokens, [pairs, width]."""
    return (hidden * chosen[:, :, None]).sum(dim=1) / chosen.sum(dim=1, keepdim=True)


@dataclass(frozen=True, slots=True)
class Graded:
    """The sentences of a batch that somebody looked at: the pair each stands in, its first and last piece, its grade;
    [sentences] each."""

    pair: Tensor
    first: Tensor
    last: Tensor
    grade: Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    padded: Padded
    stance: Tensor
    """[pairs], -1 where there is none."""
    spans: list[list[Span]]
    """First and last piece of each right span, counted from the pair's first piece."""
    graded: Graded


@dataclass(frozen=True, slots=True)
class Read:
    """An example in pieces; its spans and the sentences with their grades count them."""

    pieces: Pieces
    spans: list[Span]
    said: int
    graded: list[tuple[Span, int]]


def build(examples: list[Read]) -> Batch:
    stances = torch.tensor([example.said for example in examples])
    rows = [(pair, *span, grade) for pair, example in enumerate(examples) for span, grade in example.graded]
    graded = Graded(*torch.tensor(rows, dtype=torch.long).reshape(-1, 4).T)
    spans = [example.spans for example in examples]
    return Batch(pad([example.pieces for example in examples]), stances, spans, graded)


def steps_of(draws: Iterator[list[Example]], tokenizer: PieceTokenizer, pieces: int, longest: int) -> Iterator[Batch]:
    """Each draw sorted by length and cut into steps of about so many pieces; a text has `longest` at most. Steps of
    like length do not follow each other."""
    mixed = random.Random(0)
    for chosen in draws:
        fitting = [fit for example in chosen if (fit := read(example, tokenizer, longest))]
        steps = [build(step) for step in by_length(fitting, pieces)]
        mixed.shuffle(steps)
        yield from steps


def by_length(examples: list[Read], pieces: int) -> Iterator[list[Read]]:
    """Runs of like length, of about so many pieces each."""
    run: list[Read] = []
    for example in sorted(examples, key=lambda one: len(one.pieces.ids)):
        run.append(example)
        if len(run) * len(example.pieces.ids) >= pieces:
            yield run
            run = []
    if run:
        yield run


def read(example: Example, tokenizer: PieceTokenizer, longest: int) -> Read | None:
    """None where nothing is left to learn: the span lies beyond what fits."""
    joined = together(example.passages)
    pieces = tokenizer.pairs(example.question, [joined.text], longest=longest)[0]
    spans = [found for span in example.spans if (found := pieces.over(*span))]
    looked_at = zip(joined.sentences, example.grades, strict=True) if example.grades else ()
    graded = [(found, grade) for sentence, grade in looked_at if (found := pieces.over(*sentence))]
    return Read(pieces, spans, example.said, graded) if spans or example.said >= 0 else None


def loss_of(marker: Marker, batch: Batch, dropout: float) -> tuple[Tensor, dict[str, float]]:
    stance, span = marker(batch.padded, dropout)
    parts: dict[str, Tensor] = {}
    if any(batch.spans):
        parts["span"] = span_loss(span, batch)
    if (batch.stance >= 0).any():
        parts["stance"] = STANCE_WEIGHT * cross_entropy(stance, batch.stance, ignore_index=-1)
    return torch.stack(list(parts.values())).sum(), {name: float(part.detach()) for name, part in parts.items()}


def span_loss(scores: Tensor, batch: Batch) -> Tensor:
    """How unlikely it is that any of the right spans is marked: a question's annotators need not agree."""
    inside = (batch.padded.types == 1) & batch.padded.real
    logs = scores.masked_fill(~inside[:, :, None], NOWHERE).log_softmax(dim=1)
    losses = [
        -torch.stack([logs[pair, first, 0] + logs[pair, last, 1] for first, last in spans]).logsumexp(0) / 2
        for pair, spans in enumerate(batch.spans)
        if spans
    ]
    return torch.stack(losses).mean()
