"""What int8 costs: the shipped graphs against the same weights in fp32, on the same rows. `python -m train.parity`.

The fp32 graph gives the trained network's numbers to six digits, so it stands for the network here.
"""

from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from smallprint.models.reader import SEGMENT_HEADS
from train import opp115
from train.calibrate import micro_macro, sigmoid
from train.export import head_sizes, judge_graph, marker_graph, pairs_graph, reader_graph
from train.judge import load_trained as load_judge
from train.judge_data import read_asked
from train.marker import load_trained as load_marker
from train.paths import WEIGHTS, Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_judge, raw_marker
from train.reader import load_trained as load_reader
from train.scoring import Scored, score_asked
from train.ship_judge import measure_asked
from train.ship_marker import policyqa
from train.ship_reader import blended, targets

EVERY_SEGMENT = 1
QUESTIONS = 120
EVERY_QUESTION = 5


def stage_fp32(paths: Paths) -> tuple[Path, dict[str, int]]:
    folder = paths.made("fp32")
    reader = load_reader(paths, paths.cache / "reader_mean")
    (folder / "reader.onnx").write_bytes(reader_graph(reader, None).SerializeToString())
    judge, marker = load_judge(paths), load_marker(paths)
    (folder / "pairs.onnx").write_bytes(pairs_graph(judge, None).SerializeToString())
    (folder / "judge.onnx").write_bytes(judge_graph(judge, None).SerializeToString())
    (folder / "marker.onnx").write_bytes(marker_graph(marker, None).SerializeToString())
    for name in ("tokenizer.json", "words.npz"):
        shutil.copyfile(paths.cache / "ship" / name, folder / name)
    return folder, head_sizes(reader)


def measure(folder: Path, sizes: dict[str, int], settings: dict[str, Any], data: Path) -> dict[str, Any]:
    """Headline measures of the graphs in one folder, and the vectors behind them."""
    reader, judge = RawReader(folder, sizes), raw_judge(folder)
    labels = opp115.value_labels(data)
    test = opp115.segments(data, "test", labels, None)[::EVERY_SEGMENT]
    logits = reader.logits([s.text for s in test], SEGMENT_HEADS)
    chances = sigmoid(blended(logits, "categories", settings["reader"]["calibration"]))
    micro, macro = micro_macro(
        targets(test, "categories"), chances >= np.array(settings["reader"]["thresholds"]["categories"])
    )
    asked = read_asked(data, held_out=True)
    scored: list[Scored] = list(islice(score_asked(judge, reader, asked, EVERY_QUESTION), QUESTIONS))
    ranked = measure_asked(scored, asked, tuple(settings["judge"]["with_cosine"]))
    return {
        "micro_f1": micro,
        "macro_f1": macro,
        "asked": {name: ranked[name] for name in ("F@5_majority", "MRR_majority", "MAP_majority", "MRR")},
        "policyqa": policyqa(raw_marker(folder), data, every=1),
        "vectors": reader.vectors([s.text for s in test[:60]]),
    }


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "parity")
    models = json.loads((WEIGHTS / "catalogue.json").read_text())["models"]
    settings = {name: models[name]["settings"] for name in ("reader", "judge")}
    folder, sizes = stage_fp32(paths)
    wide = measure(folder, sizes, settings, paths.data)
    small = measure(paths.cache / "ship", sizes, settings, paths.data)
    cosines = (wide.pop("vectors") * small.pop("vectors")).sum(axis=1)
    log.info("fp32 %s", json.dumps(wide))
    log.info("int8 %s", json.dumps(small))
    log.info("cosine of vectors: lowest %.4f mean %.4f", cosines.min(), cosines.mean())


if __name__ == "__main__":
    main()
