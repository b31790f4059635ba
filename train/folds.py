"""The judge in five folds of `asked`, by policy: `python -m train.folds`.

What ships never learns from one fixed fifth of the policies, and is measured there. Here each fifth takes its turn. One
beginning serves all: an encoder that learned from our own labels alone, vectors first and then the judge, with no
question and no policy of `asked`. For each fold it goes on with the other four fifths. It takes an hour and a half of
one core, a quarter of what the recipes spend, and nothing of it ships.
"""

from __future__ import annotations

import json
import random
import shutil
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from logging import Logger
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

import torch

from train import judge, labelled, opp115, reader
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.export import base_graph, head_sizes, judge_graph, pairs_graph, reader_graph
from train.judge_data import Asked, as_asked, not_asked_in, read_asked, without
from train.judge_model import Batch, Judge, build
from train.labelled import Labelled, Texts
from train.loop import Plan, train
from train.mining import mined
from train.paths import WEIGHTS, Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_judge
from train.reader_data import AnswerPair, asked_pairs
from train.reader_model import Reader, vector_losses
from train.scoring import Scored, score_asked, stored
from train.ship_judge import Shares, fit_shares, measure_asked, silence, silent_threshold, unanswerable_scores
from train.thaw import lay_shipped_base

FOLDS = range(5)


@dataclass(frozen=True, slots=True)
class Spent:
    vectors: Plan
    judge: Plan


BEGINNING = Spent(replace(reader.PLAN, tokens=700_000, minutes=12), replace(judge.PLAN, tokens=5_000_000, minutes=60))
EACH_FOLD = Spent(replace(reader.PLAN, tokens=200_000, minutes=5), replace(judge.PLAN, tokens=1_000_000, minutes=20))
PAIRS = 16
GROUPS = 3
"""Questions of `asked` in a step of a fold: about 1,500 pieces."""
EVERY_QUESTION = 2
"""Questions are many, and each is judged in fp32 on thirty sentences."""
COSINE_ALONE: Shares = (0.0, 1.0, 0.0)
JUDGE_ALONE: Shares = (1.0, 0.0, 0.0)


def ours(paths: Paths) -> tuple[Asked, list[Labelled]]:
    """Our own questions, to whole policies and to some sentences of them, without those whose wording stands in
    `asked`."""
    excluded, measured = for_judge(paths.data), everything(paths)
    own = as_asked(not_asked_in(measured, labelled.whole(Texts(paths), held_out=False)))
    return mined(paths, without(own, excluded)), not_asked_in(measured, labelled.questions(paths, excluded))


def theirs(paths: Paths, fold: int) -> Asked:
    """`asked` without this fold."""
    return mined(paths, without(read_asked(paths.data, held_out=False, fold=fold), for_judge(paths.data)))


def everything(paths: Paths) -> Asked:
    return read_asked(paths.data, held_out=False, fold=len(FOLDS))


def teach_vectors(
    encoder: Reader, plan: Plan, pairs: Iterator[AnswerPair], paths: Paths, folder: Path, log: Logger
) -> None:
    """To lay questions beside what answers them; its other heads learn nothing."""
    tokenizer = judge.load_tokenizer(paths)
    freeze(encoder.bert, reader.FROZEN)

    def steps() -> Iterator[list[AnswerPair]]:
        while True:
            yield list(islice(pairs, PAIRS))

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, list)
        losses, tokens = vector_losses(encoder, tokenizer, batch, reader.DROPOUT / 2)
        return losses["vectors"], {"vectors": float(losses["vectors"].detach())}, tokens

    train(encoder, steps(), step, plan, folder, log)
    encoder.eval()


def new_reader(paths: Paths) -> Reader:
    return Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))


def begin(options: Namespace, paths: Paths, log: Logger) -> None:
    """What all folds go on from."""
    seed = options.seed
    torch.manual_seed(seed)
    torch.set_num_threads(options.threads)
    asked, questions = ours(paths)
    log.info("%d and %d questions of our own", len(asked.questions), len(questions))
    encoder, network = new_reader(paths), Judge(load_base(paths.base))
    pairs = reader.pairs(asked, questions, random.Random(seed))
    teach_vectors(encoder, BEGINNING.vectors, pairs, paths, paths.made("folds/vectors"), log)
    network.bert.load_state_dict(encoder.bert.state_dict())
    judge.learn(network, BEGINNING.judge, judge.batches(asked, questions, paths, seed), paths.made("folds/judge"), log)


def steps_of(asked: Asked, paths: Paths, seed: int) -> Iterator[Batch]:
    tokenizer, questions = judge.load_tokenizer(paths), judge.asked_stream(asked, random.Random(seed))
    while True:
        yield build(list(islice(questions, GROUPS)), tokenizer)


def study(options: Namespace, fold: int) -> list[Scored]:
    """All of one fold: learn without it, then score every other question of it."""
    paths, seed = paths_of(options), options.seed + fold
    log = start_log(paths, f"folds/{fold}")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    folder, asked = paths.made(f"folds/{fold}"), theirs(paths, fold)
    encoder, network = new_reader(paths), Judge(load_base(paths.base))
    for part, model in ("vectors", encoder), ("judge", network):
        model.load_state_dict(torch.load(paths.cache / "folds" / part / "model.pt", weights_only=True))
    pairs = asked_pairs(asked, random.Random(seed))
    teach_vectors(encoder, EACH_FOLD.vectors, pairs, paths, paths.made(f"folds/{fold}/vectors"), log)
    judge.learn(network, EACH_FOLD.judge, steps_of(asked, paths, seed), paths.made(f"folds/{fold}/judge"), log)
    graphs = {"reader": reader_graph(encoder, None), "pairs": pairs_graph(network.eval(), None)}
    graphs |= {"base": base_graph(encoder, None), "judge": judge_graph(network, None)}
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
    begin(options, paths, log)
    for fold in FOLDS:
        theirs(paths, fold)  # negatives mined once, not by two at a time
    with ProcessPoolExecutor(options.threads, mp_context=get_context("spawn")) as pool:
        scored = list(pool.map(partial(study, options), FOLDS))
    asked = everything(paths)
    found = [figures(fold, scored, asked) for fold in FOLDS]
    for name in found[0]:
        ways = [one[name] for one in found]
        log.info("%s: mean of the folds %s", name, json.dumps(mean_of(ways)))
        for fold, one in zip(FOLDS, ways, strict=True):
            log.info("%s, fold %d: %s", name, fold, json.dumps(one))


if __name__ == "__main__":
    main()
