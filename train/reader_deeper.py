"""Second stage of the reader: the lower layers learn too, and segments come first. `python -m train.reader_deeper`.

The first stage settles the heads on a third of the layers for speed. Here all layers but the lowest move, with more
segments in a step. What ships is a mean of both stages' weights: on OPP-115's validation split it does better than
either alone. Where no first stage was trained here, the shipped reader takes its place.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from train import opp115
from train.encoder import load_base
from train.export import head_sizes
from train.paths import parser, paths_of, start_log
from train.reader import PLAN, SIZES, learn
from train.reader_model import Reader
from train.thaw import lay_shipped_base, reader_state, trained

DEEPER = replace(PLAN, rate=1e-4, tokens=5_000_000, minutes=75, average_from=0.5)
FROZEN = 1
SHARE = 0.75
"""Of this stage in what ships."""


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "reader_deeper")
    torch.manual_seed(options.seed + 1)
    torch.set_num_threads(options.threads)
    lay_shipped_base(paths)
    reader = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    first = trained(paths, "reader", lambda: reader_state(head_sizes(reader)))
    reader.load_state_dict(first)
    sizes = {**SIZES, "segments": 7, "labelled": 11, "vague": 3, "kinds": 4, "categories": 3}
    learn(reader, DEEPER, name="reader_deeper", frozen=FROZEN, sizes=sizes, seed=options.seed + 1, paths=paths, log=log)
    mean = {name: torch.lerp(first[name], weight, SHARE) for name, weight in reader.state_dict().items()}
    torch.save(mean, paths.made("reader_mean") / "model.pt")


if __name__ == "__main__":
    main()
