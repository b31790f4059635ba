"""The reader's network: one text in, a vector and all heads out, and the loss of each task."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, linear, mse_loss, normalize
from transformers import BertModel

from smallprint.models.reader import SEGMENT_HEADS
from smallprint.models.tokenizer import TEXT_PIECES, Pieces, PieceTokenizer
from train.encoder import Packed, encode, firsts, means, pack, shares, sums
from train.opp115 import CATEGORIES, STANCES, Segment
from train.reader_data import KINDS, QUESTION_CATEGORIES, VAGUE_CLASSES, AnswerPair, AskedQuestion, Vague

TEMPERATURE = 0.05
SENTENCE_PIECES = 96
LOOK_SPEED = 7.5
"""Where to look has to be learned from nothing within a few passes. On the validation split micro F1 and that of values
are .827 and .628 without such haste, .838 and .636 with it, and .829 and .630 where labels look everywhere alike."""
WEIGHTS = {
    "vectors": 0.5,
    "categories": 4.0,
    "values": 4.0,
    "stance": 1.0,
    "marked": 0.5,
    "vague_words": 2.0,
    "vague_score": 0.5,
    "question_categories": 2.0,
    "kind": 0.5,
    "headings": 0.25,
}


class Reader(nn.Module):
    """Heads read [CLS] and the mean of the tokens; the vector is the mean alone, as in the base encoder. Each label of
    a segment has a mean of its own: it looks at the words that tell it, as annotators marked them."""

    def __init__(self, bert: BertModel, value_count: int) -> None:
        super().__init__()
        self.bert = bert
        width = bert.config.hidden_size
        self.categories = nn.Linear(2 * width, len(CATEGORIES))
        self.values = nn.Linear(2 * width, value_count)
        self.stance = nn.Linear(2 * width, len(STANCES))
        self.look = nn.Linear(width, len(CATEGORIES) + value_count + len(STANCES), bias=False)
        nn.init.zeros_(self.look.weight)
        self.vague_score = nn.Linear(2 * width, VAGUE_CLASSES + 1)
        self.vague_words = nn.Linear(width, 1)
        self.question_categories = nn.Linear(2 * width, len(QUESTION_CATEGORIES))
        self.kind = nn.Linear(2 * width, len(KINDS))

    def forward(self, batch: Packed, dropout: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens [tokens, width], means [texts, width], and [CLS] beside mean [texts, 2 × width]."""
        hidden = encode(self.bert, batch, dropout)
        mean = means(hidden, batch)
        drop = nn.Dropout(2 * dropout).train(self.training)
        return hidden, mean, drop(torch.cat([firsts(hidden, batch), mean], dim=1))

    def labels(self, batch: Packed, dropout: float = 0.0) -> tuple[dict[str, Tensor], Tensor]:
        """Logits [texts, labels] of each head over segments; how much of its look each label gives each token, [tokens,
        labels of all heads]."""
        hidden = encode(self.bert, batch, dropout)
        first = nn.Dropout(2 * dropout).train(self.training)(firsts(hidden, batch))
        tokens = nn.Dropout(dropout).train(self.training)(hidden)
        heads = {name: self.get_submodule(name) for name in SEGMENT_HEADS}
        from_first, from_tokens = torch.cat([head.weight for head in heads.values()]).chunk(2, dim=1)
        share = shares(LOOK_SPEED * self.look(tokens), batch)
        seen = sums(share * linear(tokens, from_tokens), batch)
        logits = seen + linear(first, from_first, torch.cat([head.bias for head in heads.values()]))
        parts = logits.split([head.out_features for head in heads.values()], dim=1)
        return dict(zip(heads, parts, strict=True)), share


def packed_of(pieces: list[Pieces]) -> Packed:
    return pack([p.ids for p in pieces], [p.types for p in pieces])


def known_bce(logits: Tensor, targets: Tensor, weight: Tensor | None = None) -> Tensor:
    """Binary cross-entropy over the labels that are known (not nan)."""
    known = ~targets.isnan()
    losses = binary_cross_entropy_with_logits(logits, targets.nan_to_num(0.0), pos_weight=weight, reduction="none")
    return (losses * known).sum() / known.sum().clamp(min=1)


Losses = dict[str, Tensor]


def segment_losses(
    reader: Reader, tokenizer: PieceTokenizer, batch: list[Segment], rarity: tuple[Tensor, Tensor], dropout: float
) -> tuple[Losses, int]:
    """`rarity`: square roots of absent ÷ present for categories and for values, so that rare labels count."""
    pieces = tokenizer.texts([s.text for s in batch], longest=TEXT_PIECES)
    packed = packed_of(pieces)
    logits, share = reader.labels(packed, dropout)
    categories = torch.stack([torch.from_numpy(s.categories) for s in batch])
    values = torch.stack([torch.from_numpy(s.values) for s in batch])
    stance = torch.stack([torch.from_numpy(s.stance) for s in batch])
    losses = {
        "categories": known_bce(logits["categories"], categories, rarity[0]),
        "values": known_bce(logits["values"], values, rarity[1]),
        "stance": known_bce(logits["stance"], stance),
        "marked": marked_loss(share, pieces, batch),
    }
    return losses, len(packed.ids)


def marked_loss(share: Tensor, pieces: list[Pieces], batch: list[Segment]) -> Tensor:
    """How little labels look at the words that were marked for them."""
    looked, start = [], 0
    for read, segment in zip(pieces, batch, strict=True):
        for label, spans in segment.marked.items():
            inside = [start + n for n, hit in enumerate(word_targets(read, spans)) if hit == 1]
            if inside:
                looked.append(share[inside, label].sum())
        start += len(read.ids)
    return -torch.stack(looked).clamp(min=1e-6).log().mean() if looked else share.new_zeros(())


def vector_losses(
    reader: Reader, tokenizer: PieceTokenizer, batch: list[AnswerPair], dropout: float
) -> tuple[Losses, int]:
    """Each question must find its answer among all texts of the batch, but those of its own policy only as `other`:
    another question's answer from the same policy may answer this one too."""
    asked = packed_of(tokenizer.texts([p.question for p in batch], longest=48))
    texts = [p.answer for p in batch] + [p.other for p in batch]
    read = packed_of(tokenizer.texts(texts, longest=SENTENCE_PIECES))
    questions = normalize(reader(asked, dropout)[1], dim=1)
    answers = normalize(reader(read, dropout)[1], dim=1)
    scores = questions @ answers.T / TEMPERATURE
    policies = [p.policy for p in batch]
    same = torch.tensor([[a == b for b in policies] for a in policies])
    own = torch.eye(len(batch), dtype=torch.bool)
    hidden = torch.cat([same & ~own, same & ~own], dim=1)
    scores = scores.masked_fill(hidden, -1e4)
    loss = cross_entropy(scores, torch.arange(len(batch)))
    return {"vectors": loss}, len(asked.ids) + len(read.ids)


def question_losses(
    reader: Reader, tokenizer: PieceTokenizer, batch: list[AskedQuestion], dropout: float
) -> tuple[Losses, int]:
    packed = packed_of(tokenizer.texts([q.text for q in batch], longest=48))
    _, _, pooled = reader(packed, dropout)
    categories = torch.stack([torch.from_numpy(q.categories) for q in batch])
    kinds = torch.tensor([q.kind for q in batch])
    losses = {"question_categories": known_bce(reader.question_categories(pooled), categories)}
    if (kinds >= 0).any():
        losses["kind"] = cross_entropy(reader.kind(pooled), kinds, ignore_index=-1)
    return losses, len(packed.ids)


def word_targets(pieces: Pieces, spans: list[tuple[int, int]]) -> list[float]:
    """1 for pieces inside a vague phrase, nan for special pieces."""
    return [
        float(any(start < b and end > a for a, b in spans)) if end > start else float("nan")
        for start, end in pieces.spans
    ]


def vague_losses(reader: Reader, tokenizer: PieceTokenizer, batch: list[Vague], dropout: float) -> tuple[Losses, int]:
    """Word tags, four classes (the mean rounded down) and the mean itself as a fifth output."""
    pieces = tokenizer.texts([v.text for v in batch], longest=SENTENCE_PIECES)
    packed = packed_of(pieces)
    hidden, _, pooled = reader(packed, dropout)
    tags = torch.tensor([t for p, v in zip(pieces, batch, strict=True) for t in word_targets(p, v.spans)])
    found = reader.vague_score(pooled)
    means_ = torch.tensor([v.score for v in batch])
    classes = means_.floor().long().clamp(1, VAGUE_CLASSES) - 1
    score = cross_entropy(found[:, :VAGUE_CLASSES], classes) + mse_loss(found[:, VAGUE_CLASSES], means_ - 2.5)
    return {"vague_words": known_bce(reader.vague_words(hidden)[:, 0], tags), "vague_score": score}, len(packed.ids)
