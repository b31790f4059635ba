"""Train the arbiter: question × several sentences → what they say together, and which of them answer.

    python -m train.arbiter

It goes on from the shipped arbiter, and what ships is the mean of both. The judge's two lowest layers stay as they
are: at run time it goes on from what they made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import torch

from smallprint.models.arbiter import PIECES, TOGETHER
from smallprint.models.tokenizer import PieceTokenizer
from train import judge_data, labelled, marker_data, near_misses
from train.arbiter_model import Arbiter, loss_of
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.judge_data import Asked
from train.judge_model import APART
from train.labelled import Labelled, Texts
from train.loop import Plan, train
from train.marker_data import draws, forever
from train.marker_model import Batch, steps_of
from train.mean import mean_with_start, start_kept
from train.mining import mined
from train.near_misses import Found
from train.paths import Paths, parser, paths_of, start_log
from train.thaw import lay_shipped_base, start_of_arbiter

PLAN = Plan(rate=1e-4, tokens=5_000_000, minutes=90, head_factor=3.0, average_from=0.6, average_decay=0.995)
DROPOUT = 0.1
"""None while what it learned from was told little better than what it did not; then the loss of the former fell from
.80 to .48, and the latter stayed."""
ASKED, WHOLE, GRADED, WRITTEN = 25, 50, 50, 200
ASKED_BRIEFLY, WHOLE_BRIEFLY, BY_RULE = 60, 260, 130
"""Examples of each kind in a draw, which is then sorted by length and cut into steps..."""
STEP_PIECES = 2_000
"""...of so many pieces."""
BRIEFLY = 0.6
"""How often a question with the six sentences found is shown with those alone that answer it."""


def batches(
    asked: Asked, questions: list[Labelled], near: list[Found], tokenizer: PieceTokenizer, seed: int
) -> Iterator[Batch]:
    draw = random.Random(seed)
    graded, written = ([one for one in questions if one.graded == whether] for whether in (True, False))
    theirs, ours = judge_data.apart(asked)
    put = forever(lambda: marker_data.asked_said(theirs, draw, TOGETHER))
    whole = forever(lambda: marker_data.asked_said(ours, draw, TOGETHER))
    put_briefly = forever(lambda: marker_data.asked_briefly(theirs, draw))
    whole_briefly = forever(lambda: marker_data.asked_briefly(ours, draw))
    found = forever(lambda: marker_data.labelled_stances(graded, draw, BRIEFLY))
    said = forever(lambda: marker_data.labelled_stances(written, draw))
    long = (put, ASKED), (whole, WHOLE), (found, GRADED)
    by_rule = near_misses.examples(near, draw)
    brief = (put_briefly, ASKED_BRIEFLY), (whole_briefly, WHOLE_BRIEFLY), (said, WRITTEN), (by_rule, BY_RULE)
    return steps_of(draws(*long, *brief), tokenizer, STEP_PIECES, PIECES)


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
    start = start_kept(paths, "arbiter", lambda: start_of_arbiter(paths))
    arbiter.load_state_dict(start, strict=False)
    excluded = for_judge(paths.data)
    asked = mined(paths, judge_data.to_learn_from(paths, excluded))
    questions = labelled.questions(paths, excluded)
    near = near_misses.read(Texts(paths), excluded, held_out=False)
    log.info("%d and %d questions", len(asked.questions), len(questions))
    freeze(arbiter.bert, APART)

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        loss, parts = loss_of(arbiter, batch, DROPOUT)
        return loss, parts, batch.padded.tokens

    stream = batches(asked, questions, near, tokenizer, options.seed)
    train(arbiter, stream, step, PLAN, paths.made("arbiter"), log)
    torch.save(mean_with_start(arbiter.state_dict(), start), paths.made("arbiter") / "model.pt")


if __name__ == "__main__":
    main()
