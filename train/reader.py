"""Train the reader: vectors, practices, vagueness and question heads in one encoder. `python -m train.reader`."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import numpy as np
import torch

from smallprint.bench.published.headings import Section
from smallprint.models.tokenizer import PieceTokenizer
from train import headings, labelled, opp115, reader_data
from train.encoder import freeze, load_base
from train.exclusions import for_reader
from train.headings import heading_losses
from train.judge import load_tokenizer
from train.judge_data import Asked, read_asked, without
from train.labelled import Labelled
from train.loop import Plan, train
from train.mining import mined
from train.opp115 import Segment
from train.paths import Paths, parser, paths_of, start_log
from train.reader_data import AnswerPair, AskedQuestion, Vague, forever
from train.reader_model import (
    WEIGHTS,
    Losses,
    Reader,
    question_losses,
    segment_losses,
    vague_losses,
    vector_losses,
)

PLAN = Plan(rate=1.5e-4, tokens=4_400_000, minutes=44, head_factor=4.0)
FROZEN = 3
"""Lowest layers left as they are, and the word table with them."""
DROPOUT = 0.1
SIZES = {
    "pairs": 8,
    "segments": 6,
    "labelled": 6,
    "mapp": 2,
    "extra": 2,
    "vague": 5,
    "kinds": 5,
    "categories": 4,
    "sections": 8,
}
"""Rows of each task in a step: about 3,000 pieces, a third of them segments. OPP-115's own are fewer by far and weigh
as much as those that we labelled: what counts is how its annotators read."""
ASKED_SHARE = 0.6
"""Of the questions beside answers; the others are labelled here."""


@dataclass(frozen=True, slots=True)
class Step:
    pairs: list[AnswerPair]
    segments: list[Segment]
    labelled: list[Segment]
    mapp: list[Segment]
    extra: list[Segment]
    vague: list[Vague]
    kinds: list[AskedQuestion]
    categories: list[AskedQuestion]
    sections: list[Section]


def rarity(targets: list[np.ndarray]) -> torch.Tensor:
    """√(absent ÷ present) of each label, at most 8."""
    present = (np.stack(targets) > 0.5).sum(axis=0)
    return torch.tensor(np.sqrt((len(targets) - present) / np.maximum(present, 1)).clip(1, 8), dtype=torch.float32)


@dataclass(frozen=True, slots=True)
class Segments:
    """OPP-115's, our own, MAPP's with values of its own, and those of other sets."""

    opp115: list[Segment]
    labelled: list[Segment]
    mapp: list[Segment]
    extra: list[Segment]

    @property
    def known(self) -> list[Segment]:
        return [*self.opp115, *self.labelled, *self.mapp]


def read_segments(paths: Paths, halves: Sequence[int] = opp115.HALVES) -> Segments:
    """OPP-115's train split with these halves of the validation split, and all others."""
    labels = opp115.value_labels(paths.data)
    excluded = for_reader(paths.data)
    own = [opp115.segments(paths.data, "valid", labels, excluded, half) for half in halves]
    return Segments(
        opp115.segments(paths.data, "train", labels, excluded) + [segment for half in own for segment in half],
        opp115.labelled_segments(labelled.practices(paths, excluded), labels),
        opp115.mapp_segments(paths.data, labels, excluded),
        opp115.extra_segments(paths.data, len(labels), excluded),
    )


def read_asked_for_training(paths: Paths) -> Asked:
    return mined(paths, without(read_asked(paths.data, held_out=False), for_reader(paths.data)))


def pairs(asked: Asked, questions: list[Labelled], draw: random.Random) -> Iterator[AnswerPair]:
    """Questions beside answers: those of `asked`, and those that were labelled here."""
    theirs, ours = reader_data.asked_pairs(asked, draw), reader_data.labelled_pairs(questions, draw)
    return (next(theirs if draw.random() < ASKED_SHARE else ours) for _ in count())


def steps(paths: Paths, asked: Asked, segments: Segments, seed: int, sizes: dict[str, int]) -> Iterator[Step]:
    draw = random.Random(seed)
    excluded = for_reader(paths.data)
    beside = pairs(asked, labelled.questions(paths, excluded), draw)
    streams = {
        "segments": forever(segments.opp115, draw),
        "labelled": forever(segments.labelled, draw),
        "mapp": forever(segments.mapp, draw),
        "extra": forever(segments.extra, draw),
        "vague": forever(reader_data.read_vague(paths.data, "train", excluded), draw),
        "kinds": forever(reader_data.kinds_to_learn(asked), draw),
        "sections": headings.sections(paths.data, random.Random(seed)),
        "categories": forever(reader_data.category_questions(paths.data, excluded, held_out=False), draw),
    }
    while True:
        taken = {name: list(islice(stream, sizes[name])) for name, stream in streams.items()}
        yield Step(pairs=list(islice(beside, sizes["pairs"])), **taken)  # type: ignore[arg-type]


def losses_of(
    reader: Reader, tokenizer: PieceTokenizer, rare: tuple[torch.Tensor, torch.Tensor]
) -> Callable[[object], tuple[torch.Tensor, dict[str, float], int]]:
    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Step)
        parts: list[tuple[Losses, int]] = [
            vector_losses(reader, tokenizer, batch.pairs, DROPOUT / 2),
            segment_losses(reader, tokenizer, [*batch.segments, *batch.labelled, *batch.mapp], rare, DROPOUT),
            vague_losses(reader, tokenizer, batch.vague, DROPOUT),
            question_losses(reader, tokenizer, batch.kinds + batch.categories, DROPOUT),
            heading_losses(reader, tokenizer, batch.sections, DROPOUT / 2),
        ]
        weighted = [WEIGHTS[name] * loss for losses, _ in parts for name, loss in losses.items()]
        extra, tokens = segment_losses(reader, tokenizer, batch.extra, rare, DROPOUT)
        weighted.append(0.4 * WEIGHTS["categories"] * extra["categories"])
        shown = {name: float(loss.detach()) for losses, _ in parts for name, loss in losses.items()}
        return torch.stack(weighted).sum(), shown, tokens + sum(n for _, n in parts)

    return step


def load_trained(paths: Paths, folder: Path) -> Reader:
    reader = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    reader.load_state_dict(torch.load(folder / "model.pt", weights_only=True))
    return reader.eval()


def learn(
    reader: Reader,
    plan: Plan,
    segments: Segments,
    *,
    name: str,
    frozen: int,
    sizes: dict[str, int],
    seed: int,
    paths: Paths,
    log: logging.Logger,
) -> None:
    tokenizer = load_tokenizer(paths)
    asked = read_asked_for_training(paths)
    log.info("%d segments, %d extra, %d questions", len(segments.known), len(segments.extra), len(asked.questions))
    freeze(reader.bert, frozen)
    rare = rarity([s.categories for s in segments.known]), rarity([s.values for s in segments.known])
    stream = steps(paths, asked, segments, seed, sizes)
    train(reader, stream, losses_of(reader, tokenizer, rare), plan, paths.made(name), log)


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "reader")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    reader = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    segments = read_segments(paths, halves=())
    learn(reader, PLAN, segments, name="reader", frozen=FROZEN, sizes=SIZES, seed=options.seed, paths=paths, log=log)


if __name__ == "__main__":
    main()
