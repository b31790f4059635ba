"""Second stage of the reader: the lower layers learn too, and segments come first. `python -m train.reader_deeper`.

The first stage settles the heads on a third of the layers for speed. Here all layers but the lowest move, at half the
rate, with more segments in a step. What ships is the mean of both stages' weights: on OPP-115's validation split and on
held-out questions of `asked` it does better than either alone.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from train.paths import parser, paths_of, start_log
from train.reader import PLAN, SIZES, learn, load_trained

DEEPER = replace(PLAN, rate=1e-4, tokens=5_000_000, minutes=85, average_from=0.5)
FROZEN = 1


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "reader_deeper")
    torch.manual_seed(options.seed + 1)
    torch.set_num_threads(options.threads)
    reader = load_trained(paths, paths.cache / "reader")
    sizes = {**SIZES, "segments": 16, "vague": 3, "kinds": 4, "categories": 3}
    learn(reader, DEEPER, name="reader_deeper", frozen=FROZEN, sizes=sizes, seed=options.seed + 1, paths=paths, log=log)
    first = load_trained(paths, paths.cache / "reader").state_dict()
    mean = {name: torch.lerp(first[name], weight, 0.5) for name, weight in reader.state_dict().items()}
    torch.save(mean, paths.made("reader_mean") / "model.pt")


if __name__ == "__main__":
    main()
