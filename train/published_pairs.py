"""Train the two small networks of the summary rows: `python -m train.published_pairs`. Some minutes.

Relevance learns from the questions of `asked` (PrivacyQA's own train labels are not at hand), the detector of
answers from PolicyQA's train part. Policies that are measured, and the held-out fifth of `asked`, are left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, conv1d, cross_entropy, normalize, softplus

from smallprint.bench.published.pairs import LONGEST, Detector, Relevance, Segments, best_spans
from smallprint.bench.published.word_space import mark
from smallprint.models.vectors import WordVectors, words_of
from smallprint.retrieve.lexical import Bm25
from train.exclusions import Exclusions, for_judge
from train.judge_data import read_asked, read_policyqa, read_pool, without
from train.paths import REPOSITORY, parser, paths_of, start_log

WEIGHTS = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights" / "pairs.npz"
WIDTH, HIDDEN = 96, 32
POSITIVES, HARD, RANDOM = 3, 4, 4
TARGET = {2: 1.0, 1: 0.5}
EPOCHS, BATCH, RATE = 4, 24, 2e-3
SPANS, SPAN_EPOCHS, EMPTY_SHARE = 12_000, 6, 0.25


class Vocabulary:
    """Words as numbers; row 0 of the table is the empty word."""

    def __init__(self) -> None:
        self._vectors = WordVectors.load()
        self._numbers: dict[str, int] = {}
        self._rows: list[np.ndarray] = [np.zeros(100, dtype=np.float32)]

    def numbers(self, text: str) -> list[int]:
        found = []
        for word in words_of(text)[:LONGEST]:
            if word not in self._numbers:
                self._numbers[word] = len(self._rows)
                self._rows.append(self._vectors.vector(word))
            found.append(self._numbers[word])
        return found or [0]

    def table(self) -> Tensor:
        return torch.from_numpy(np.array(self._rows, dtype=np.float32))


def padded(texts: Sequence[list[int]]) -> Tensor:
    """[texts, longest] of word numbers, -1 past the end."""
    batch = torch.full((len(texts), max(map(len, texts))), -1)
    for n, text in enumerate(texts):
        batch[n, : len(text)] = torch.tensor(text)
    return batch


class Pair(nn.Module):
    """`states` [3, 100, width] is the convolution; a question word's weight is a softplus."""

    def __init__(self) -> None:
        super().__init__()
        start = torch.zeros(3, 100, WIDTH)
        start[1] = torch.linalg.qr(torch.randn(100, WIDTH))[0]
        self.states = nn.Parameter(start + 0.02 * torch.randn(3, 100, WIDTH))
        self.weight = nn.Parameter(torch.zeros(100))
        self.weight_bias = nn.Parameter(torch.zeros(1))

    def read(self, table: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Words [n, longest, 100], their states [n, longest, width] and which of them are there."""
        there = numbers >= 0
        words = table[numbers.clamp(min=0)] * there[..., None]
        states = conv1d(words.transpose(1, 2), self.states.permute(2, 1, 0), padding=1).transpose(1, 2)
        return words, states * there[..., None], there

    def shares(self, words: Tensor, there: Tensor) -> Tensor:
        weights = softplus(words @ self.weight + self.weight_bias) * there
        return weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-6)

    def tables(self, name: str) -> dict[str, np.ndarray]:
        made = {key: p.detach().numpy() for key, p in self.named_parameters()}
        for key in ("states", "second"):
            if key in made:
                made[key] = made[key].reshape(-1, made[key].shape[-1])
        return {f"{name}.{key}": value.astype(np.float16) for key, value in made.items()}


class RelevanceNet(Pair):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Parameter(torch.tensor([8.0, 4.0, -8.0]))

    def forward(self, table: Tensor, questions: Tensor, segments: Tensor) -> Tensor:
        """Logits, [pairs]"""
        words, asked, there = self.read(table, questions)
        shares = self.shares(words, there)
        _, said, said_there = self.read(table, segments)
        matches = normalize(asked, dim=2) @ normalize(said, dim=2).transpose(1, 2)
        best = matches.masked_fill(~said_there[:, None, :], -1).amax(dim=2)
        late = (best * shares).sum(dim=1)
        whole = (normalize((asked * shares[..., None]).sum(1), dim=1) * normalize(said.sum(1), dim=1)).sum(1)
        logits: Tensor = self.mix[0] * late + self.mix[1] * whole + self.mix[2]
        return logits


class DetectorNet(Pair):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(2 * WIDTH + 1, HIDDEN) / WIDTH**0.5)
        self.first_bias = nn.Parameter(torch.zeros(HIDDEN))
        self.second = nn.Parameter(torch.randn(5, HIDDEN, HIDDEN) / (5 * HIDDEN) ** 0.5)
        self.second_bias = nn.Parameter(torch.zeros(HIDDEN))
        self.span = nn.Parameter(torch.randn(HIDDEN, 2) / HIDDEN**0.5)
        self.no_answer = nn.Parameter(torch.zeros(()))

    def forward(self, table: Tensor, questions: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of a span's first and last word, [pairs, 1 + longest]; column 0 is the empty span."""
        words, asked, there = self.read(table, questions)
        whole = (asked * self.shares(words, there)[..., None]).sum(1)
        _, said, said_there = self.read(table, segments)
        match = (normalize(asked, dim=2) @ normalize(said, dim=2).transpose(1, 2)).amax(dim=1)
        seen = torch.cat([said, said * whole[:, None, :], match[..., None]], dim=2)
        first = torch.relu(seen @ self.first + self.first_bias) * said_there[..., None]
        second = conv1d(first.transpose(1, 2), self.second.permute(2, 1, 0), padding=2).transpose(1, 2)
        scores = (torch.relu(second + self.second_bias) @ self.span).masked_fill(~said_there[..., None], -1e4)
        empty = (self.no_answer / 2).expand(len(scores), 1)
        starts, ends = (torch.cat([empty, scores[..., side]], dim=1) for side in (0, 1))
        return starts, ends


@dataclass(frozen=True, slots=True)
class Group:
    """One question with some sentences of its policy."""

    question: list[int]
    sentences: list[list[int]]
    targets: list[float]


def asked_groups(data: Path, excluded: Exclusions, vocabulary: Vocabulary, draw: random.Random) -> list[Group]:
    asked = without(read_asked(data, held_out=False), excluded)
    indexes = {name: Bm25([p.text(n) for n in p.offered]) for name, p in asked.policies.items()}
    groups = []
    for row in asked.questions:
        policy = asked.policies[row["doc_id"]]
        grades = {n: g for n, g in row["relevant"] if n in policy.offered}
        if row["kind"] != "answerable" or not grades:
            continue
        positives = sorted(grades, key=lambda n: -grades[n])[:POSITIVES]
        scores = dict(zip(policy.offered, indexes[row["doc_id"]].scores(row["question"]), strict=True))
        others = sorted((n for n in policy.offered if n not in grades), key=lambda n: -scores[n])
        far = others[HARD * 3 :]
        chosen = draw.sample(others[: HARD * 3], min(HARD, len(others))) + draw.sample(far, min(RANDOM, len(far)))
        numbers = [vocabulary.numbers(policy.text(n)) for n in positives + chosen]
        targets = [TARGET.get(grades.get(n, 0), 0.0) for n in positives + chosen]
        groups.append(Group(vocabulary.numbers(row["question"]), numbers, targets))
    return groups


def train_relevance(net: RelevanceNet, table: Tensor, groups: list[Group], draw: random.Random) -> Iterator[float]:
    """The mean loss of each epoch: every sentence by itself, and the best of a group against its others."""
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    for _ in range(EPOCHS):
        losses = []
        draw.shuffle(groups)
        for at in range(0, len(groups), BATCH):
            batch = groups[at : at + BATCH]
            pairs = [(g.question, s) for g in batch for s in g.sentences]
            logits = net(table, padded([q for q, _ in pairs]), padded([s for _, s in pairs]))
            targets = torch.tensor([t for g in batch for t in g.targets])
            loss = binary_cross_entropy_with_logits(logits, targets)
            for part, wanted in zip(
                logits.split([len(g.targets) for g in batch]),
                targets.split([len(g.targets) for g in batch]),
                strict=True,
            ):
                loss = loss + cross_entropy(part[None], (wanted / wanted.sum())[None]) / len(batch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
        yield float(np.mean(losses))


@dataclass(frozen=True, slots=True)
class Span:
    """first and last count words from 1; 0 and 0 where the segment has no answer."""

    question: list[int]
    segment: list[int]
    first: int
    last: int


def policyqa_spans(data: Path, excluded: Exclusions, vocabulary: Vocabulary, draw: random.Random) -> list[Span]:
    """A quarter of them put a question to a segment that nobody asked it of: the empty span is right there."""
    contexts, pool = read_policyqa(data, "train", excluded), read_pool(data)
    order = [(context, row) for context in contexts for row in context.questions]
    spans = []
    for context, row in draw.sample(order, min(SPANS, len(order))):
        question = vocabulary.numbers(draw.choice(pool.get(tuple(row["triple"]), [row["question"]])))
        if draw.random() < EMPTY_SHARE:
            other = draw.choice(contexts)
            if all(r["triple"] != row["triple"] for r in other.questions):
                spans.append(Span(question, vocabulary.numbers(other.text), 0, 0))
            continue
        answer = row["answers"][0]
        first = len(words_of(context.text[: answer["start"]])) + 1
        last = first + max(1, len(words_of(answer["text"]))) - 1
        if last <= min(LONGEST, len(words_of(context.text))):
            spans.append(Span(question, vocabulary.numbers(context.text), first, last))
    return spans


def train_detector(net: DetectorNet, table: Tensor, spans: list[Span], draw: random.Random) -> Iterator[float]:
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    for _ in range(SPAN_EPOCHS):
        losses = []
        ordered = sorted(spans, key=lambda s: len(s.segment) + draw.uniform(0, 10))
        parts = [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]
        draw.shuffle(parts)
        for batch in parts:
            starts, ends = net(table, padded([s.question for s in batch]), padded([s.segment for s in batch]))
            loss = cross_entropy(starts, torch.tensor([s.first for s in batch]))
            loss = loss + cross_entropy(ends, torch.tensor([s.last for s in batch]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
        yield float(np.mean(losses))


def parity(tables: dict[str, np.ndarray], relevance: RelevanceNet, detector: DetectorNet) -> float:
    """The largest difference between what was trained and what ships, on made-up pairs."""
    question, texts = "do you sell my location?", ["We never sell it.", "Your location stays with us, always."]
    segments, vocabulary = Segments.of(texts), Vocabulary()
    asked, said = padded([vocabulary.numbers(question)] * len(texts)), padded([vocabulary.numbers(t) for t in texts])
    shipped = Relevance(tables, "relevance"), Detector(tables, "detector")
    chances, scores = (net(question, net.prepare(segments)) for net in shipped)
    with torch.no_grad():
        wanted = torch.sigmoid(relevance(vocabulary.table(), asked, said)).numpy()
        starts, ends = (side[:, 1:].numpy() for side in detector(vocabulary.table(), asked, said))
        spans = best_spans(starts, ends) - float(detector.no_answer)
    return float(max(np.abs(chances - wanted).max(), np.abs(scores - spans).max()))


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log, draw = start_log(paths, "published_pairs"), random.Random(options.seed)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    vocabulary, excluded = Vocabulary(), for_judge(paths.data)
    groups = asked_groups(paths.data, excluded, vocabulary, draw)
    spans = policyqa_spans(paths.data, excluded, vocabulary, draw)
    table = vocabulary.table()
    log.info("%d questions, %d spans, %d words", len(groups), len(spans), len(table))
    relevance, detector = RelevanceNet(), DetectorNet()
    for loss in train_relevance(relevance, table, groups, draw):
        log.info("relevance %.4f", loss)
    for loss in train_detector(detector, table, spans, draw):
        log.info("detector %.4f", loss)
    tables = relevance.tables("relevance") | detector.tables("detector")
    np.savez_compressed(WEIGHTS, **tables, **mark())
    size = WEIGHTS.stat().st_size
    log.info("%s", json.dumps({"bytes": size, "parity": parity(tables, relevance, detector)}))


if __name__ == "__main__":
    main()
