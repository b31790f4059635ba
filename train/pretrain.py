"""Teach the base encoder how policies speak, before any task: masked words, and headings beside their sections.

`python -m train.pretrain` reads about ten million words in two hours on two idle cores; it resumes where it stopped.
When it is done, the recipes of judge and reader start from it instead of the plain base.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from smallprint.models.tokenizer import PieceTokenizer
from train.data import rows
from train.encoder import Packed, encode, load_base, means, pack
from train.loop import Plan, train
from train.paths import Paths, parser, paths_of, start_log

PLAN = Plan(rate=1e-4, tokens=13_000_000, minutes=120)
PIECES = 128
WINDOWS, PAIRS = 12, 16
MASKED = 0.15
TEMPERATURE = 0.05
_HEADING = re.compile(r"^#+\s+(.{4,80})$")


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    windows: list[list[int]]
    sections: list[Section]


class Pretrainer(nn.Module):
    """The encoder with a head that guesses masked pieces through the word table itself."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bert = load_base(folder)
        self.transform = nn.Linear(self.bert.config.hidden_size, self.bert.config.hidden_size)
        self.bias = nn.Parameter(torch.zeros(self.bert.config.vocab_size))

    def guess(self, hidden: Tensor) -> Tensor:
        words = self.bert.embeddings.word_embeddings.weight
        return nn.functional.gelu(self.transform(hidden)) @ words.T + self.bias


def sections_of(text: str) -> Iterator[Section]:
    """Markdown headings with the paragraph below them."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line, below in pairwise(lines):
        found = _HEADING.match(line)
        if found and len(below) > 60 and not below.startswith("#"):
            yield Section(found.group(1), below[:600])


def documents(data: Path, draw: random.Random) -> Iterator[str]:
    """Policies in an order of their own each time round."""
    texts = [row["text"] for row in rows(data, "corpus/policies")]
    while True:
        draw.shuffle(texts)
        yield from texts


def batches(data: Path, tokenizer: PieceTokenizer, seed: int) -> Iterator[Batch]:
    draw = random.Random(seed)
    windows: list[list[int]] = []
    sections: list[Section] = []
    for text in documents(data, draw):
        found = list(islice(sections_of(text), 8))
        sections.extend(draw.sample(found, min(4, len(found))))
        starts = range(0, min(len(text), 12_000) - 400, 3_000)
        windows.extend(p.ids for p in tokenizer.texts([text[n : n + 800] for n in starts], longest=PIECES))
        while len(windows) >= WINDOWS and len(sections) >= PAIRS:
            yield Batch(windows[:WINDOWS], sections[:PAIRS])
            windows, sections = windows[WINDOWS:], sections[PAIRS:]


def masked(windows: list[list[int]], mask: int, pieces: int) -> tuple[Packed, Tensor, Tensor]:
    """Hide some pieces (most behind [MASK], some behind another piece); which, and what they were."""
    packed = pack(windows, [[0] * len(w) for w in windows])
    last = packed.lengths[packed.owner] - 1
    inner = (packed.places > 0) & (packed.places < last)
    hidden = (torch.rand(len(packed.ids)) < MASKED) & inner
    gold = packed.ids[hidden].clone()
    dice = torch.rand(len(gold))
    shown = torch.where(dice < 0.8, torch.full_like(gold, mask), gold)
    shown = torch.where(dice > 0.9, torch.randint(5, pieces, gold.shape), shown)
    packed.ids[hidden] = shown
    return packed, hidden, gold


def loss_of(
    model: Pretrainer, tokenizer: PieceTokenizer, mask: int, batch: Batch
) -> tuple[Tensor, dict[str, float], int]:
    packed, hidden, gold = masked(batch.windows, mask, model.bert.config.vocab_size)
    words = cross_entropy(model.guess(encode(model.bert, packed)[hidden]), gold)
    asked = tokenizer.texts([s.heading for s in batch.sections], longest=32)
    read = tokenizer.texts([s.text for s in batch.sections], longest=PIECES)
    sides = [pack([p.ids for p in side], [p.types for p in side]) for side in (asked, read)]
    headings, texts = (normalize(means(encode(model.bert, side), side), dim=1) for side in sides)
    pairs = cross_entropy(headings @ texts.T / TEMPERATURE, torch.arange(len(batch.sections)))
    tokens = len(packed.ids) + sum(len(side.ids) for side in sides)
    return words + pairs, {"words": float(words.detach()), "pairs": float(pairs.detach())}, tokens


def save(model: Pretrainer, paths: Paths) -> None:
    """In the form of the base, so that the other recipes can start from it."""
    folder = paths.made("pretrained")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(paths.cache / "base" / name, folder / name)
    save_file({n: w.contiguous() for n, w in model.bert.state_dict().items()}, folder / "model.safetensors")


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "pretraining")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = PieceTokenizer.load(paths.cache / "base" / "tokenizer.json")
    model = Pretrainer(paths.cache / "base")
    mask = tokenizer.number("[MASK]")

    def step(batch: object) -> tuple[Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        return loss_of(model, tokenizer, mask, batch)

    train(model, batches(paths.data, tokenizer, options.seed), step, PLAN, paths.made("pretraining"), log)
    save(model, paths)


if __name__ == "__main__":
    main()
