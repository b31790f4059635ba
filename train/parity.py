"""What few bits cost: the shipped graphs against the same weights in fp32, on the same rows. `python -m train.parity`.

Of each network that was trained here; the others are shipped as they were. The fp32 graph gives the trained network's
numbers to six digits, so it stands for the network here.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from smallprint.models.catalogue import shipped
from smallprint.models.reader import SEGMENT_HEADS
from train import opp115
from train.arbiter import load_trained as load_arbiter
from train.calibrate import micro_macro, sigmoid
from train.export import arbiter_graph, base_graph, judge_graph, marker_graph, pairs_graph, reader_graph
from train.judge import load_trained as load_judge
from train.judge_data import read_asked
from train.marker import load_trained as load_marker
from train.paths import Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_arbiter, raw_judge, raw_marker
from train.reader import load_trained as load_reader
from train.scoring import Scored, score_asked
from train.ship import FILES, TRAINED
from train.ship_arbiter import settings_and_scores as arbiter_scores
from train.ship_judge import measure_asked
from train.ship_marker import policyqa
from train.ship_reader import blended, targets

QUESTIONS = 120
EVERY_QUESTION = 5


def in_fp32(paths: Paths, name: str) -> dict[str, onnx.ModelProto]:
    match name:
        case "reader":
            reader = load_reader(paths, paths.cache / TRAINED[name])
            return {"base": base_graph(reader, None), "reader": reader_graph(reader, None)}
        case "judge":
            judge = load_judge(paths)
            return {"pairs": pairs_graph(judge, None), "judge": judge_graph(judge, None)}
        case "marker":
            return {"marker": marker_graph(load_marker(paths), None)}
        case _:
            return {"arbiter": arbiter_graph(load_arbiter(paths), None)}


def stage_fp32(paths: Paths, made: list[str]) -> Path:
    """What is shipped, and in its place what was made here, in fp32."""
    folder = paths.made("fp32")
    for file in (file for files in FILES.values() for file in files):
        shutil.copyfile(paths.cache / "ship" / file, folder / file)
    for name in made:
        for file, graph in in_fp32(paths, name).items():
            (folder / f"{file}.onnx").write_bytes(graph.SerializeToString())
    return folder


def of_reader(folder: Path, paths: Paths) -> dict[str, Any]:
    """Practices of the test split, and vectors."""
    own = shipped().card("reader").settings
    reader = RawReader(folder, own["heads"])
    test = opp115.segments(paths.data, "test", opp115.value_labels(paths.data), None)
    logits = reader.logits([s.text for s in test], SEGMENT_HEADS)
    chances = sigmoid(blended(logits, "categories", own["calibration"]))
    micro, macro = micro_macro(targets(test, "categories"), chances >= np.array(own["thresholds"]["categories"]))
    return {"micro_f1": micro, "macro_f1": macro, "vectors": reader.vectors([s.text for s in test[:60]])}


def of_judge(folder: Path, paths: Paths) -> dict[str, Any]:
    judge, reader = raw_judge(folder), RawReader(folder, shipped().card("reader").settings["heads"])
    asked = read_asked(paths.data, held_out=True)
    scored: list[Scored] = list(islice(score_asked(judge, reader, asked, EVERY_QUESTION), QUESTIONS))
    ranked = measure_asked(scored, asked, tuple(shipped().card("judge").settings["with_cosine"]))
    return {name: ranked[name] for name in ("F@5_majority", "MRR_majority", "MAP_majority", "MRR")}


def of_marker(folder: Path, paths: Paths) -> dict[str, Any]:
    return policyqa(raw_marker(folder), paths.data, every=1)


def of_arbiter(folder: Path, paths: Paths) -> dict[str, Any]:
    asked = read_asked(paths.data, held_out=True)
    return arbiter_scores(raw_arbiter(folder), asked, paths)[1]


MEASURES: dict[str, Callable[[Path, Paths], dict[str, Any]]] = {
    "reader": of_reader,
    "judge": of_judge,
    "marker": of_marker,
    "arbiter": of_arbiter,
}


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "parity")
    made = [name for name in MEASURES if (paths.cache / TRAINED[name] / "model.pt").exists()]
    folder = stage_fp32(paths, made)
    for name in made:
        wide, small = (MEASURES[name](graphs, paths) for graphs in (folder, paths.cache / "ship"))
        if "vectors" in wide:
            cosines = (wide.pop("vectors") * small.pop("vectors")).sum(axis=1)
            log.info("cosine of vectors: lowest %.4f mean %.4f", cosines.min(), cosines.mean())
        log.info("%s in fp32 %s", name, json.dumps(wide))
        log.info("%s as shipped %s", name, json.dumps(small))


if __name__ == "__main__":
    main()
