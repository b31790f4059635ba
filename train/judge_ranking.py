"""Second stage of the judge: ranking first. `python -m train.judge_ranking`.

In the first stage the span's gradient is the largest and ranking lags behind. Here it leads: more questions in a
step, the span at a tenth of its weight just to keep it, and relevance helped by the means' product.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch

from train.encoder import freeze
from train.judge import DROPOUT, FROZEN, PLAN, batches, load_tokenizer, load_trained, prepare
from train.judge_model import Batch, Weights, loss_of
from train.loop import train
from train.paths import parser, paths_of, start_log

RANKING = replace(PLAN, rate=5e-5, minutes=9.0, head_factor=4.0, average_from=0.5, average_decay=0.98)
WEIGHTS = Weights(listwise=2.0, span=0.1, stance=0.1)
GROUPS, CONTEXTS = 3, 1


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "judge_ranking")
    torch.manual_seed(options.seed + 1)
    torch.set_num_threads(options.threads)
    tokenizer, judge = load_tokenizer(paths), load_trained(paths)
    asked, contexts = prepare(paths, judge.bert, tokenizer)
    freeze(judge.bert, FROZEN)
    stream = batches(asked, contexts, paths, tokenizer, options.seed + 1, groups=GROUPS, spans=CONTEXTS)
    loss = partial(loss_of, judge, dropout=DROPOUT, weights=WEIGHTS)

    def step(batch: object) -> tuple[torch.Tensor, dict[str, float], int]:
        assert isinstance(batch, Batch)
        total, parts = loss(batch)
        return total, parts, len(batch.packed.ids)

    train(judge, stream, step, RANKING, paths.made("judge_ranking"), log)


if __name__ == "__main__":
    main()
