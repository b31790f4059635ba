"""The judge in five folds of `asked`, by policy: `python -m train.folds`.

What ships never learns from one fixed fifth of the policies, and is measured there. Here each fifth takes its turn: for
each an encoder learns from the base on, vectors first and then the judge, on a quarter of what the recipes spend and
without a label, or a question, of that fifth. Two folds learn side by side, a core each; an hour in all. Nothing of it
ships. More time would bring what the recipes have: the card tells both.
"""

from __future__ import annotations

import json
import random
import shutil
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from logging import Logger
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

import torch

from train import judge, labelled, opp115, reader
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.export import base_graph, head_sizes, judge_graph, pairs_graph, reader_graph
from train.judge_data import Asked, not_asked_in, read_asked, without
from train.judge_model import Judge
from train.labelled import Labelled
from train.loop import train
from train.mining import mine
from train.paths import WEIGHTS, Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_judge
from train.reader_data import AnswerPair, asked_pairs, labelled_pairs
from train.reader_model import Reader, vector_losses
from train.scoring import Scored, score_asked, stored
from train.ship_judge import Shares, fit_shares, measure_asked, silence, silent_threshold, unanswerable_scores
from train.thaw import lay_shipped_base

FOLDS = range(5)
VECTORS = replace(reader.PLAN, tokens=500_000, minutes=11)
JUDGE = replace(judge.PLAN, tokens=1_000_000, minutes=22)
PAIRS = 16
EVERY_QUESTION = 2
"""Questions are many, and each is judged in fp32 on thirty sentences."""
COSINE_ALONE: Shares = (0.0, 1.0, 0.0)
JUDGE_ALONE: Shares = (1.0, 0.0, 0.0)


def to_learn_from(paths: Paths, fold: int) -> tuple[Asked, list[Labelled]]:
    """`asked` without this fold, and our own questions to other policies without those that were asked in it."""
    excluded = for_judge(paths.data)
    asked = without(read_asked(paths.data, held_out=False, fold=fold), excluded)
    asked.hard = mine(asked, paths.made("judge") / "hard.npz")
    measured = read_asked(paths.data, held_out=True, fold=fold)
    return asked, not_asked_in(measured, labelled.questions(paths, excluded))


def vectors_learned(
    paths: Paths, asked: Asked, questions: list[Labelled], folder: Path, seed: int, log: Logger
) -> Reader:
    """The base, taught to lay questions beside what answers them; its other heads learn nothing."""
    tokenizer = judge.load_tokenizer(paths)
    encoder = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    freeze(encoder.bert, reader.FROZEN)
    draw = random.Random(seed)
    theirs, ours = asked_pairs(asked, draw), labelled_pairs(questions, draw)

    def steps() -> Iterator[list[AnswerPair]]:
        while True:
            yield [next(theirs if draw.random() < reader.ASKED_SHARE else ours) for _ in range(PAIRS)]

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, list)
        losses, tokens = vector_losses(encoder, tokenizer, batch, reader.DROPOUT / 2)
        return losses["vectors"], {"vectors": float(losses["vectors"].detach())}, tokens

    train(encoder, steps(), step, VECTORS, folder, log)
    return encoder.eval()


def judge_learned(
    paths: Paths, encoder: Reader, asked: Asked, questions: list[Labelled], folder: Path, seed: int, log: Logger
) -> Judge:
    """It begins as that encoder."""
    network = Judge(load_base(paths.base))
    network.bert.load_state_dict(encoder.bert.state_dict())
    judge.learn(network, JUDGE, asked, questions, folder, seed=seed, paths=paths, log=log)
    return network.eval()


def study(options: Namespace, fold: int) -> list[Scored]:
    """All of one fold: learn without it, then score every other question of it."""
    paths, seed = paths_of(options), options.seed + fold
    log = start_log(paths, f"folds/{fold}")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    folder = paths.made(f"folds/{fold}")
    asked, questions = to_learn_from(paths, fold)
    encoder = vectors_learned(paths, asked, questions, paths.made(f"folds/{fold}/vectors"), seed, log)
    network = judge_learned(paths, encoder, asked, questions, paths.made(f"folds/{fold}/judge"), seed, log)
    graphs = {"base": base_graph(encoder, None), "reader": reader_graph(encoder, None)}
    graphs |= {"pairs": pairs_graph(network, None), "judge": judge_graph(network, None)}
    for name, graph in graphs.items():
        (folder / f"{name}.onnx").write_bytes(graph.SerializeToString())
    for name in ("tokenizer.json", "words.npz"):
        shutil.copyfile(WEIGHTS / name, folder / name)
    measured = read_asked(paths.data, held_out=True, fold=fold)
    made = score_asked(raw_judge(folder), RawReader(folder, head_sizes(encoder)), measured, EVERY_QUESTION)
    return stored(folder / "scored.jsonl", made)


def figures(fold: int, scored: list[list[Scored]], asked: Asked) -> dict[str, dict[str, float]]:
    """Of one fold; the shares of judge and cosine, and what counts as silence, are fitted on the other four."""
    questions = {row["query_id"]: row for row in asked.questions}
    others = [one for number, them in enumerate(scored) if number != fold for one in them]
    shares = fit_shares(others, questions, cosine=True)
    threshold = silent_threshold(*silence(others, questions, shares))
    ways = {"cosine alone": COSINE_ALONE, "judge alone": JUDGE_ALONE, "both": shares}
    return {
        **{name: measure_asked(scored[fold], asked, way) for name, way in ways.items()},
        "silent": unanswerable_scores(*silence(scored[fold], questions, shares), threshold),
    }


def mean_of(folds: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(fmean(fold[name] for fold in folds), 4) for name in folds[0]}


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "folds")
    lay_shipped_base(paths)
    for fold in FOLDS:
        to_learn_from(paths, fold)  # texts found and negatives mined once, not by two at a time
    with ProcessPoolExecutor(options.threads, mp_context=get_context("spawn")) as pool:
        scored = list(pool.map(partial(study, options), FOLDS))
    everything = read_asked(paths.data, held_out=False, fold=len(FOLDS))
    found = [figures(fold, scored, everything) for fold in FOLDS]
    for name in found[0]:
        ways = [one[name] for one in found]
        log.info("%s: mean of the folds %s", name, json.dumps(mean_of(ways)))
        for fold, one in zip(FOLDS, ways, strict=True):
            log.info("%s, fold %d: %s", name, fold, json.dumps(one))


if __name__ == "__main__":
    main()
