"""Train the two small networks of the PriBot and SemVec rows: `python -m train.published_polisis`. Some minutes.

Each is Polisis' shape (003, figure 4): frozen word vectors, 200 filters over three words, the best of each filter,
a dense layer of 100. Learns from OPP-115's train split, stops by its validation split; measured texts are left out.
"""

from __future__ import annotations

import json
import logging

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from smallprint.bench.published.polisis import RUN, embedded
from smallprint.bench.published.word_space import mark
from smallprint.models.vectors import WordVectors
from train.exclusions import for_reader
from train.opp115 import CATEGORIES, Segment, segments, value_labels
from train.paths import REPOSITORY, parser, paths_of, start_log

WEIGHTS = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights" / "polisis.npz"
FILTERS, DENSE, DROPOUT = 200, 100, 0.3
LONGEST, BATCH, RATE = 100, 32, 3e-3
EPOCHS = {"categories": 20, "values": 60}
"""Rare labels take longer; the best epoch is kept."""
SCALE = 6
"""Word vectors have length one, a hundred small numbers: at this scale the filters learn in a few epochs."""


class TextCnn(nn.Module):
    def __init__(self, width: int, labels: int) -> None:
        super().__init__()
        self.filters = nn.Conv1d(width, FILTERS, RUN, padding=1)
        nn.init.normal_(self.filters.weight, std=SCALE * (RUN * width) ** -0.5)
        self.dense = nn.Linear(FILTERS, DENSE)
        self.labels = nn.Linear(DENSE, labels)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """words: [texts, longest, 100] → [texts, labels]"""
        found = torch.relu(self.filters(words.transpose(1, 2)))
        inside = torch.arange(words.shape[1])[None, :] < lengths[:, None]
        best = (found * inside[:, None, :]).amax(dim=2)
        labels: Tensor = self.labels(self.dropout(torch.relu(self.dense(self.dropout(best)))))
        return labels

    def tables(self, name: str) -> dict[str, np.ndarray]:
        filters = self.filters.weight.detach().permute(2, 1, 0).reshape(-1, FILTERS)
        made = {
            "filters": filters,
            "filters_bias": self.filters.bias,
            "dense": self.dense.weight.T,
            "dense_bias": self.dense.bias,
            "labels": self.labels.weight.T,
            "labels_bias": self.labels.bias,
        }
        return {f"{name}.{key}": table.detach().numpy().astype(np.float16) for key, table in made.items()}


def padded(texts: list[np.ndarray]) -> tuple[Tensor, Tensor]:
    lengths = [min(len(t), LONGEST) for t in texts]
    batch = np.zeros((len(texts), max(lengths), texts[0].shape[1]), dtype=np.float32)
    for n, text in enumerate(texts):
        batch[n, : lengths[n]] = text[:LONGEST]
    return torch.from_numpy(batch), torch.tensor(lengths)


def batches(texts: list[np.ndarray], draw: np.random.Generator) -> list[np.ndarray]:
    """Texts of about the same length together, so that little is spent on padding; in a new order each time."""
    lengths = np.array([min(len(t), LONGEST) for t in texts]) + draw.uniform(0, 8, len(texts))
    parts = np.array_split(np.argsort(lengths), max(1, len(texts) // BATCH))
    return [parts[n] for n in draw.permutation(len(parts))]


def micro_f1(logits: np.ndarray, gold: np.ndarray) -> float:
    given, gold = logits > 0, gold >= 1
    return float(2 * (given & gold).sum() / max(1, given.sum() + gold.sum()))


def fit(
    train: tuple[list[np.ndarray], np.ndarray],
    valid: tuple[list[np.ndarray], np.ndarray],
    epochs: int,
    seed: int,
    log: logging.Logger,
) -> tuple[TextCnn, float]:
    """The network of the best epoch on the validation split, and its micro F1 there."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    net = TextCnn(train[0][0].shape[1], train[1].shape[1])
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    best, state = -1.0, net.state_dict()
    for epoch in range(epochs):
        net.train()
        for chosen in batches(train[0], draw):
            words, lengths = padded([train[0][n] for n in chosen])
            target = torch.from_numpy((train[1][chosen] >= 1).astype(np.float32))
            loss = binary_cross_entropy_with_logits(net(words, lengths), target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        net.eval()
        with torch.no_grad():
            score = micro_f1(net(*padded(valid[0])).numpy(), valid[1])
        log.info("epoch %d: %.3f", epoch, score)
        if score > best:
            best, state = score, {name: t.clone() for name, t in net.state_dict().items()}
    net.load_state_dict(state)
    return net.eval(), best


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "published_polisis")
    torch.set_num_threads(options.threads)
    labels, vectors = value_labels(paths.data), WordVectors.load()
    excluded = for_reader(paths.data)
    parts: dict[str, list[Segment]] = {
        split: [s for s in segments(paths.data, split, labels, excluded) if s.text.split()]
        for split in ("train", "valid")
    }
    texts = {split: [embedded(s.text, vectors, subwords=True) for s in part] for split, part in parts.items()}
    texts = {split: [t if len(t) else np.zeros((1, 100), np.float32) for t in part] for split, part in texts.items()}
    names = "\n".join(CATEGORIES) + "\n\n" + "\n".join("\t".join(label) for label in labels)
    tables = {"names": np.frombuffer(names.encode(), dtype=np.uint8)}
    scores = {}
    for head in ("categories", "values"):
        gold = {split: np.stack([getattr(s, head) for s in part]) for split, part in parts.items()}
        train, valid = ((texts[split], gold[split]) for split in ("train", "valid"))
        net, scores[head] = fit(train, valid, EPOCHS[head], options.seed, log)
        tables |= net.tables(head)
    np.savez_compressed(WEIGHTS, **tables, **mark())
    counted = {split: len(part) for split, part in parts.items()}
    log.info("%s", json.dumps({"segments": counted, "micro_f1_valid": scores, "bytes": WEIGHTS.stat().st_size}))


if __name__ == "__main__":
    main()
