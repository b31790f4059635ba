"""Last stage of the reader: its head for kinds of questions, by itself. `python -m train.reader_kinds`.

In the stages before, that head learns beside six others, a few questions in a step. It is linear, so once the encoder
stands it can be fitted to all questions at once, in a minute.
"""

from __future__ import annotations

import numpy as np
import torch

from smallprint.models.tokenizer import PieceTokenizer
from train import opp115, reader_data
from train.calibrate import standardised
from train.encoder import load_base
from train.exclusions import for_reader
from train.export import head_sizes
from train.judge_data import read_asked, without
from train.paths import parser, paths_of, start_log
from train.reader_model import Reader, packed_of
from train.thaw import lay_shipped_base, reader_state, trained

STRENGTH = 0.01
"""Inverse of the penalty; .003 to .1 differ by a question or two."""
BATCH = 64


def pooled(reader: Reader, tokenizer: PieceTokenizer, texts: list[str]) -> np.ndarray:
    """What the head is given, [texts, 2 × width]."""
    batches = [tokenizer.texts(texts[n : n + BATCH]) for n in range(0, len(texts), BATCH)]
    with torch.no_grad():
        return torch.cat([reader(packed_of(batch))[2] for batch in batches]).numpy()


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "reader_kinds")
    tokenizer = lay_shipped_base(paths)
    reader = Reader(load_base(paths.base), len(opp115.value_labels(paths.data)))
    reader.load_state_dict(trained(paths, "reader_mean", lambda: reader_state(head_sizes(reader))))
    reader.eval()
    asked = without(read_asked(paths.data, held_out=False), for_reader(paths.data))
    questions = reader_data.kinds_to_learn(asked)
    x = pooled(reader, tokenizer, [q.text for q in questions])
    _, weights, shifts = standardised(x, [q.kind for q in questions], STRENGTH)
    reader.kind.weight.data, reader.kind.bias.data = torch.from_numpy(weights).float(), torch.from_numpy(shifts).float()
    torch.save(reader.state_dict(), paths.made("reader_mean") / "model.pt")
    log.info("%d questions", len(questions))


if __name__ == "__main__":
    main()
