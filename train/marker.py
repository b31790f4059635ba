"""Train the marker: question × passage → where the answer stands, and what it says. `python -m train.marker`.

It starts as the shipped marker and leaves the judge's two lowest layers as they are: at run time it goes on from what
they made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import torch

from smallprint.models.tokenizer import PASSAGE_PIECES, PieceTokenizer
from train import judge_data, labelled, marker_data
from train.encoder import freeze, load_base
from train.exclusions import for_judge
from train.judge_data import Asked, Context
from train.judge_model import APART
from train.labelled import Labelled
from train.loop import Plan, train
from train.marker_data import draws, forever
from train.marker_model import Batch, Marker, loss_of, steps_of
from train.mining import mined
from train.paths import Paths, parser, paths_of, start_log
from train.thaw import lay_shipped_base, start_of_marker

PLAN = Plan(rate=1.5e-4, tokens=9_000_000, minutes=85, head_factor=3.0, average_from=0.6)
DROPOUT = 0.1
SEGMENTS, SENTENCES, ASKED, GRADED, WRITTEN = 110, 30, 50, 110, 40
"""Examples of each kind in a draw, which is then sorted by length and cut into steps..."""
PIECES = 2_600
"""...of so many pieces."""
TOGETHER = 6
"""Sentences that are shown as one passage, at most."""


def batches(
    asked: Asked,
    contexts: list[Context],
    questions: list[Labelled],
    paths: Paths,
    tokenizer: PieceTokenizer,
    seed: int,
) -> Iterator[Batch]:
    draw = random.Random(seed)
    pool = judge_data.read_pool(paths.data)
    segments = forever(lambda: marker_data.policyqa_spans(contexts, pool, draw))
    sentences = forever(lambda: marker_data.asked_spans(asked, draw))
    put = forever(lambda: marker_data.asked_said(asked, draw, TOGETHER))
    graded, written = ([one for one in questions if one.graded == whether] for whether in (True, False))
    found = forever(lambda: marker_data.labelled_stances(graded, draw))
    said = forever(lambda: marker_data.labelled_stances(written, draw))
    sources = (segments, SEGMENTS), (sentences, SENTENCES), (put, ASKED), (found, GRADED), (said, WRITTEN)
    return steps_of(draws(*sources), tokenizer, PIECES, PASSAGE_PIECES)


def load_trained(paths: Paths) -> Marker:
    marker = Marker(load_base(paths.base))
    marker.load_state_dict(torch.load(paths.cache / "marker" / "model.pt", weights_only=True))
    return marker.eval()


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "marker")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = lay_shipped_base(paths)
    marker = Marker(load_base(paths.base))
    excluded = for_judge(paths.data)
    asked = mined(paths, judge_data.to_learn_from(paths, excluded))
    contexts = judge_data.read_policyqa(paths.data, "train", excluded)
    marker.load_state_dict(start_of_marker(paths), strict=False)
    questions = labelled.questions(paths, excluded)
    log.info("%d and %d questions, %d contexts", len(asked.questions), len(questions), len(contexts))
    freeze(marker.bert, APART)

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        loss, parts = loss_of(marker, batch, DROPOUT)
        return loss, parts, batch.padded.tokens

    train(
        marker,
        batches(asked, contexts, questions, paths, tokenizer, options.seed),
        step,
        PLAN,
        paths.made("marker"),
        log,
    )


if __name__ == "__main__":
    main()
