"""Second stage of the reader: the lower layers learn too, and segments come first. `python -m train.reader_deeper`.

The first stage settles the heads on a third of the layers for speed. Here all layers but the lowest move, with more
segments in a step. Two students learn side by side, a core each; each sees one half of OPP-115's validation split, and
is measured on the other, so that all labels can be learned from and chances still be calibrated on what was not. What
ships is the mean of their weights, with a share of those they began from. Where no first stage was trained here, the
shipped reader takes its place; it has learned from the whole validation split, so that chances stay calibrated as they
are.
"""

from __future__ import annotations

from argparse import Namespace
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import torch

from train import opp115
from train.encoder import load_base
from train.export import head_sizes
from train.mean import mean_with_start, start_kept
from train.paths import Paths, parser, paths_of, start_log
from train.reader import PLAN, SIZES, learn, read_asked_for_training, read_segments
from train.reader_model import Reader
from train.thaw import lay_shipped_base, reader_state, trained

DEEPER = replace(PLAN, rate=1e-4, tokens=5_000_000, minutes=60, average_from=0.5)
MORE = {"segments": 8, "labelled": 9, "mapp": 3, "vague": 3, "kinds": 4, "categories": 3}
FROZEN = 1


def start_of(paths: Paths) -> Reader:
    """A student that begins from the first stage."""
    student = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    start = start_kept(
        paths, "reader_deeper", lambda: trained(paths, "reader", lambda: reader_state(head_sizes(student)))
    )
    student.load_state_dict(start)
    return student


def name_of(half: int) -> str:
    """The folder of the student that learned from this half of the validation split."""
    return f"reader_deeper-{half}"


def study(options: Namespace, half: int) -> None:
    """One student, the train split and one half of the validation split."""
    paths, name, seed = paths_of(options), name_of(half), options.seed + 1 + half
    log = start_log(paths, name)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    student = start_of(paths)
    segments = read_segments(paths, halves=(half,))
    sizes = SIZES | MORE
    learn(student, DEEPER, segments, name=name, frozen=FROZEN, sizes=sizes, seed=seed, paths=paths, log=log)


def learned_by(paths: Paths, *halves: int) -> Reader:
    """The mean of these students."""
    states = [torch.load(paths.cache / name_of(half) / "model.pt", weights_only=True) for half in halves]
    student = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    student.load_state_dict({name: torch.stack([s[name] for s in states]).mean(dim=0) for name in states[0]})
    return student.eval()


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    lay_shipped_base(paths)
    read_asked_for_training(paths)  # mined once for both students
    start = start_of(paths).state_dict()
    with ProcessPoolExecutor(len(opp115.HALVES), mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(study, options), opp115.HALVES))
    learned = learned_by(paths, *opp115.HALVES).state_dict()
    torch.save(mean_with_start(learned, start), paths.made("reader_mean") / "model.pt")


if __name__ == "__main__":
    main()
