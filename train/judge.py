"""Train the judge: question × passage → relevance. `python -m train.judge`.

It starts from the first stage of the reader, whose vectors already lay questions beside their answers; where no reader
was trained here, it goes on from the shipped judge.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import torch

from smallprint.models.tokenizer import PieceTokenizer
from train import judge_data, labelled
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.judge_data import Asked, Context, Group
from train.judge_model import APART, Batch, Judge, build, loss_of, misspelt
from train.labelled import Labelled
from train.loop import Plan, train
from train.mining import mined
from train.paths import Paths, parser, paths_of, start_log
from train.thaw import judge_state, lay_shipped_base

PLAN = Plan(rate=8e-5, tokens=4_000_000, minutes=45, head_factor=5.0, average_from=0.5)
DROPOUT = 0.05
GROUPS = 3
"""Questions of `asked` in a step: about 1,500 pieces."""
LABELLED = 4
"""Questions put to other policies: about 1,200 pieces."""
CONTEXTS = 2
"""Questions of PolicyQA in a step: about 200 pieces."""
MISSPELT_SHARE = 0.08


def asked_stream(asked: Asked, draw: random.Random) -> Iterator[Group]:
    while True:
        yield from judge_data.asked_epoch(asked, draw)


def span_stream(contexts: list[Context], paths: Paths, draw: random.Random) -> Iterator[Group]:
    pool = judge_data.read_pool(paths.data)
    while True:
        yield from judge_data.policyqa_groups(contexts, pool, draw)


def batches(asked: Asked, graded: list[Labelled], paths: Paths, seed: int) -> Iterator[Batch]:
    """PolicyQA's questions stand beside these."""
    tokenizer, draw = load_tokenizer(paths), random.Random(seed)
    contexts = judge_data.read_policyqa(paths.data, "train", for_judge(paths.data))
    questions, segments = asked_stream(asked, draw), span_stream(contexts, paths, draw)
    more = judge_data.labelled_groups(graded, draw)
    while True:
        chosen = [*islice(questions, GROUPS), *islice(more, LABELLED)]
        chosen = [
            Group(misspelt(g.question, draw), g.examples) if draw.random() < MISSPELT_SHARE else g for g in chosen
        ]
        yield build([*chosen, *islice(segments, CONTEXTS)], tokenizer)


def load_tokenizer(paths: Paths) -> PieceTokenizer:
    return PieceTokenizer.load(paths.base / "tokenizer.json")


def load_trained(paths: Paths) -> Judge:
    judge = Judge(load_base(paths.base))
    judge.load_state_dict(torch.load(paths.cache / "judge" / "model.pt", weights_only=True))
    return judge.eval()


def start(judge: Judge, paths: Paths) -> None:
    reader = paths.cache / "reader" / "model.pt"
    if not reader.exists():
        judge.load_state_dict(judge_state())
        return
    weights = torch.load(reader, weights_only=True)
    judge.bert.load_state_dict({name[5:]: w for name, w in weights.items() if name.startswith("bert.")})


def learn(judge: Judge, plan: Plan, stream: Iterator[Batch], folder: Path, log: logging.Logger) -> None:
    freeze(judge.bert, APART)

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        loss, parts = loss_of(judge, batch, DROPOUT)
        return loss, parts, len(batch.packed.ids)

    train(judge, stream, step, plan, folder, log)


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "judge")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    lay_shipped_base(paths)
    judge = Judge(load_base(paths.base))
    start(judge, paths)
    excluded = for_judge(paths.data)
    asked = mined(paths, judge_data.to_learn_from(paths, excluded))
    questions = labelled.questions(paths, excluded)
    log.info("%d and %d questions", len(asked.questions), len(questions))
    learn(judge, PLAN, batches(asked, questions, paths, options.seed), paths.made("judge"), log)


if __name__ == "__main__":
    main()
