"""Train the arbiter: question × several sentences → what they say together, and which of them answer.

    python -m train.arbiter

It goes on from the shipped arbiter. The judge's two lowest layers stay as they are: at run time it goes on from what
they made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import torch

from smallprint.models.arbiter import PIECES, TOGETHER
from smallprint.models.tokenizer import PieceTokenizer
from train import judge_data, labelled, marker_data
from train.arbiter_model import Arbiter, loss_of
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.judge_data import Asked
from train.judge_model import APART
from train.labelled import Labelled
from train.loop import Plan, train
from train.marker_data import draws, forever
from train.marker_model import Batch, steps_of
from train.mining import mine
from train.paths import Paths, parser, paths_of, start_log
from train.thaw import lay_shipped_base, start_of_arbiter

PLAN = Plan(rate=1e-4, tokens=9_000_000, minutes=80, head_factor=3.0, average_from=0.6, average_decay=0.995)
DROPOUT = 0.1
ASKED, WHOLE, GRADED, WRITTEN = 70, 150, 50, 60
"""Examples of each kind in a draw, which is then sorted by length and cut into steps..."""
STEP_PIECES = 3_200
"""...of so many pieces."""


def batches(asked: Asked, questions: list[Labelled], tokenizer: PieceTokenizer, seed: int) -> Iterator[Batch]:
    draw = random.Random(seed)
    graded, written = ([one for one in questions if one.graded == whether] for whether in (True, False))
    theirs, ours = judge_data.apart(asked)
    put = forever(lambda: marker_data.asked_said(theirs, draw, TOGETHER))
    whole = forever(lambda: marker_data.asked_said(ours, draw, TOGETHER))
    found = forever(lambda: marker_data.labelled_stances(graded, draw))
    said = forever(lambda: marker_data.labelled_stances(written, draw))
    sources = (put, ASKED), (whole, WHOLE), (found, GRADED), (said, WRITTEN)
    return steps_of(draws(*sources), tokenizer, STEP_PIECES, PIECES)


def load_trained(paths: Paths) -> Arbiter:
    arbiter = Arbiter(load_base(paths.base))
    arbiter.load_state_dict(torch.load(paths.cache / "arbiter" / "model.pt", weights_only=True))
    return arbiter.eval()


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "arbiter")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = lay_shipped_base(paths)
    arbiter = Arbiter(load_base(paths.base))
    arbiter.load_state_dict(start_of_arbiter(paths), strict=False)
    excluded = for_judge(paths.data)
    asked = judge_data.to_learn_from(paths, excluded)
    asked.hard = mine(asked, paths.made("judge") / "hard.npz")
    questions = labelled.questions(paths, excluded)
    log.info("%d and %d questions", len(asked.questions), len(questions))
    freeze(arbiter.bert, APART)

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        loss, parts = loss_of(arbiter, batch, DROPOUT)
        return loss, parts, batch.padded.tokens

    train(arbiter, batches(asked, questions, tokenizer, options.seed), step, PLAN, paths.made("arbiter"), log)


if __name__ == "__main__":
    main()
