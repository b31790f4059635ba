"""Export, calibrate and measure what was trained, and write it into the package. `python -m train.ship`.

Everything is staged in the cache first; the package's folder is only written when all of it is there. A model that
was not trained here stays as it is shipped.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import onnx
from torch.nn.functional import cosine_similarity

from smallprint.models.catalogue import seen_key
from smallprint.models.reader import Value
from train import opp115, reader_data, ship_arbiter, ship_marker
from train.arbiter import load_trained as load_arbiter
from train.arbiter_model import Arbiter
from train.data import fingerprint, rows
from train.exclusions import for_judge, for_reader
from train.export import arbiter_graph, base_graph, head_sizes, judge_graph, marker_graph, pairs_graph, reader_graph
from train.judge import load_tokenizer
from train.judge import load_trained as load_judge
from train.judge_data import read_asked, read_policyqa, without
from train.judge_model import Judge
from train.marker import load_trained as load_marker
from train.marker_model import Marker
from train.outliers import wide_channels
from train.padded import pad
from train.paths import WEIGHTS, Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_arbiter, raw_judge, raw_marker
from train.reader import load_trained as load_reader
from train.reader_model import packed_of
from train.scoring import score_asked, score_privacyqa, stored
from train.ship_judge import settings_and_scores
from train.ship_reader import calibrate_questions, calibrate_segments, calibrate_vagueness
from train.thaw import Frozen, encoder_state

Network = TypeVar("Network", Judge, Marker, Arbiter)
SAME = 0.999
"""How near the base's weights, rounded to eight bits, are to a network's own."""

BASE = "all-MiniLM-L6-v2 (Apache-2.0), vocabulary pruned to the pieces of privacy policies"
BASES = {
    "reader": BASE,
    "judge": BASE,
    "marker": BASE,
    "arbiter": f"the marker, and layers of bge-small-en-v1.5 (MIT) between its own; below them {BASE}",
}
LICENCES = {
    "arbiter": "Apache-2.0 and MIT bases; begun from the marker: research and non-commercial use",
    "judge": "Apache-2.0 base; trained on PolicyQA, whose text is OPP-115: research and non-commercial use",
    "marker": "Apache-2.0 base; trained on PolicyQA, whose text is OPP-115: research and non-commercial use",
    "reader": "Apache-2.0 base; trained on OPP-115: research and non-commercial use",
    "vectors": "MIT",
    "detector": "MIT",
    "tokenizer": "Apache-2.0",
    "seen": "MIT",
}
SETS = {
    "arbiter": ("asked/docs", "asked/questions", "corpus/policies", "corpus/websites"),
    "judge": ("asked/docs", "asked/questions", "policyqa/train", "policyqa/question_pool"),
    "marker": (
        "asked/docs", "asked/questions", "policyqa/train", "policyqa/question_pool",
        "corpus/policies", "corpus/websites",
    ),
    "reader": (
        "asked/docs", "asked/questions", "opp115/segments", "vagueness/sentences",
        "privacyqa/question_categories", "extra/appcorp", "extra/policyie", "extra/mapp_english",
        "corpus/policies", "corpus/websites",
    ),
    "vectors": ("corpus/policies",),
    "detector": ("detector/documents",),
    "tokenizer": ("corpus/policies", "corpus/websites"),
    "seen": (),
}  # fmt: skip
FILES = {
    "arbiter": ("arbiter.onnx",),
    "judge": ("pairs.onnx", "judge.onnx"),
    "marker": ("marker.onnx",),
    "reader": ("base.onnx", "reader.onnx", "words.npz"),
    "vectors": ("vectors.npz",),
    "detector": ("detector.npz",),
    "tokenizer": ("tokenizer.json",),
    "seen": ("seen-reader.bin", "seen-judge.bin", "seen-detector.bin"),
}


TRAINED = {"reader": "reader_mean", "judge": "judge", "marker": "marker", "arbiter": "arbiter"}
"""Folders of the cache with the networks."""
COPIED = {
    "tokenizer": "base/tokenizer.json",
    "reader": "words/words.npz",
    "vectors": "vectors/vectors.npz",
    "detector": "detector/detector.npz",
}


def stage(paths: Paths, folder: Path) -> set[str]:
    """Lay out all weight files, those that the recipes have made in place of the shipped ones; gives the names of the
    models that are new."""
    for file in (file for files in FILES.values() for file in files):
        if (WEIGHTS / file).exists():
            shutil.copyfile(WEIGHTS / file, folder / file)
    for model, texts in learned_texts(paths.data).items():
        (folder / f"seen-{model}.bin").write_bytes(b"".join(sorted(set(map(seen_key, texts)))))
    made = {name for name, network in TRAINED.items() if (paths.cache / network / "model.pt").exists()}
    for name in (name for name in TRAINED if name in made):
        for file, graph in graphs_of(paths, name, folder).items():
            (folder / file).write_bytes(graph.SerializeToString())
    for name, source in COPIED.items():
        if (paths.cache / source).exists():
            shutil.copyfile(paths.cache / source, folder / Path(source).name)
            made.add(name)
    return {*made, "seen"}


def graphs_of(paths: Paths, name: str, folder: Path) -> dict[str, onnx.ModelProto]:
    tokenizer, (questions, sentences) = load_tokenizer(paths), usual_texts(paths.data)
    if name == "reader":
        reader = load_reader(paths, paths.cache / TRAINED["reader"])
        read = packed_of(tokenizer.texts([*questions, *sentences]))
        wide = wide_channels(reader.bert, lambda: reader(read))
        return {"base.onnx": base_graph(reader, wide), "reader.onnx": reader_graph(reader, wide)}
    both = [tokenizer.pairs(q, [s])[0] for q, s in zip(questions, sentences, strict=True)]
    if name == "marker":
        marker = upon_base(load_marker(paths), folder)
        return {"marker.onnx": marker_graph(marker, wide_channels(marker.bert, lambda: marker(pad(both))))}
    if name == "arbiter":
        arbiter = upon_base(load_arbiter(paths), folder)
        return {"arbiter.onnx": arbiter_graph(arbiter, wide_channels(arbiter.bert, lambda: arbiter(pad(both))))}
    judge = upon_base(load_judge(paths), folder)
    wide = wide_channels(judge.bert, lambda: judge(packed_of(both)))
    return {"pairs.onnx": pairs_graph(judge, wide), "judge.onnx": judge_graph(judge, wide)}


def upon_base(network: Network, folder: Path) -> Network:
    """The same network, which must have learned upon the word table and lowest layer that are staged."""
    own, base = network.bert.state_dict(), encoder_state(Frozen(folder / "base.onnx"))
    del base["embeddings.token_type_embeddings.weight"]  # of which one row is read
    for name, weight in base.items():
        if own[name].shape != weight.shape or cosine_similarity(own[name].flatten(), weight.flatten(), dim=0) < SAME:
            raise SystemExit(f"{name} is not the base's: train reader, judge, marker and arbiter from one base")
    return network


def usual_texts(data: Path, count: int = 120) -> tuple[list[str], list[str]]:
    """Questions and sentences of `asked`'s training part, as many of both: what activations usually look like."""
    asked = read_asked(data, held_out=False)
    chosen = asked.questions[:: len(asked.questions) // count][:count]
    policies = [asked.policies[q["doc_id"]] for q in chosen]
    return [q["question"] for q in chosen], [p.text(p.offered[n % len(p.offered)]) for n, p in enumerate(policies)]


def learned_texts(data: Path) -> dict[str, list[str]]:
    """Every labelled text and question that each model learned from; the judge starts from the reader's encoder, but
    of the reader's labels only what has a question in it could tell it anything."""
    judged, read = for_judge(data), for_reader(data)
    asked = [q["question"] for q in without(read_asked(data, held_out=False), judged).questions]
    return {
        "judge": [*asked, *(c.text for c in read_policyqa(data, "train", judged))],  # and what the marker learned
        "reader": [
            *asked,
            *(s.text for split in ("train", "valid") for s in opp115.segments(data, split, [], read)),
            *(s.text for s in opp115.mapp_segments(data, [], read) + opp115.extra_segments(data, 0, read)),
            *(v.text for v in reader_data.read_vague(data, "train", read)),
            *(q.text for q in reader_data.category_questions(data, read, held_out=False)),
        ],
        "detector": [row["text"] for row in rows(data, "detector/documents") if row["split"] == "train"],
    }


def judge_entry(paths: Paths, folder: Path, reader: RawReader, every: int) -> dict[str, Any]:
    judge = raw_judge(folder)
    asked = read_asked(paths.data, held_out=True)
    mark = stamp(folder, "pairs", "judge", "reader")
    on_asked = stored(folder / f"asked-{mark}.jsonl", score_asked(judge, reader, asked, every))
    on_privacyqa = stored(folder / f"privacyqa-{mark}.jsonl", score_privacyqa(judge, reader, paths.data))
    settings, scores = settings_and_scores(on_asked, on_privacyqa, asked, paths.data)
    return {"settings": settings, "scores": scores}


def marker_entry(paths: Paths, folder: Path) -> dict[str, Any]:
    asked = read_asked(paths.data, held_out=True)
    settings, scores = ship_marker.settings_and_scores(raw_marker(folder), asked, paths)
    return {"settings": settings, "scores": scores}


def arbiter_entry(paths: Paths, folder: Path) -> dict[str, Any]:
    asked = read_asked(paths.data, held_out=True)
    settings, scores = ship_arbiter.settings_and_scores(raw_arbiter(folder), asked, paths)
    return {"settings": settings, "scores": scores}


def reader_entry(paths: Paths, reader: RawReader, sizes: dict[str, int]) -> dict[str, Any]:
    calibration, limits, reliable = calibrate_segments(paths, reader)
    more, more_limits, kinds = calibrate_questions(reader, paths.data)
    vague, vague_limits, heat, vagueness = calibrate_vagueness(reader, paths.data)
    values: list[Value] = opp115.value_labels(paths.data)
    labels = {
        "categories": opp115.CATEGORIES,
        "values": values,
        "stance": opp115.STANCES,
        "question_categories": reader_data.QUESTION_CATEGORIES,
        "kind": reader_data.KINDS,
    }
    settings = {
        "heads": sizes,
        "labels": labels,
        "calibration": calibration | more | vague,
        "thresholds": limits | more_limits | vague_limits,
        "temperatures": heat,
    }
    return {
        "settings": settings,
        "scores": kinds | {"vagueness": vagueness, "reliability, opp115 test": reliable},
    }


def entry(paths: Paths, folder: Path, name: str, known: dict[str, Any]) -> dict[str, Any]:
    """One model as the catalogue has it."""
    files = []
    for file in FILES[name]:
        content = (folder / file).read_bytes()
        files.append({"name": file, "sha256": hashlib.sha256(content).hexdigest(), "size": len(content)})
    data = {source: fingerprint(paths.data, source) for source in SETS[name]}
    base = BASES.get(name, "")
    return {"files": files, "licence": LICENCES[name], "base": base, "data": data, "settings": {}, "scores": {}} | known


def rounded(value: Any) -> Any:
    """Five significant digits: more would only make the file long."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list | tuple) else value


def stamp(folder: Path, *names: str) -> str:
    """Names exactly these weights: what was worked out for others is worked out again."""
    content = b"".join((folder / f"{name}.onnx").read_bytes() for name in names)
    return hashlib.sha256(content).hexdigest()[:12]


def kept(folder: Path, name: str, made: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What was worked out for exactly these weights before, or now."""
    path = folder / f"{name}-{stamp(folder, name)}.json"
    if not path.exists():
        path.write_text(json.dumps(made()))
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def main() -> None:
    options = parser(__doc__ or "")
    options.add_argument("--every", type=int, default=1, help="score one in so many held-out questions")
    chosen = options.parse_args()
    paths = paths_of(chosen)
    log = start_log(paths, "ship")
    folder = paths.made("ship")
    made = stage(paths, folder)
    log.info("staged anew: %s", ", ".join(sorted(made)))
    shipped = json.loads((WEIGHTS / "catalogue.json").read_text(encoding="utf-8"))["models"]
    known: dict[str, dict[str, Any]] = {}
    sizes = shipped["reader"]["settings"]["heads"]
    if "reader" in made:
        sizes = head_sizes(load_reader(paths, paths.cache / TRAINED["reader"]))
        known["reader"] = kept(folder, "reader", lambda: reader_entry(paths, RawReader(folder, sizes), sizes))
    if {"judge", "reader"} & made:
        known["judge"] = judge_entry(paths, folder, RawReader(folder, sizes), chosen.every)
    if "marker" in made:
        known["marker"] = kept(folder, "marker", lambda: marker_entry(paths, folder))
    if "arbiter" in made:
        known["arbiter"] = kept(folder, "arbiter", lambda: arbiter_entry(paths, folder))
    for name in {"detector", "vectors"} & made:
        report = json.loads((paths.cache / name / "report.json").read_text())
        known[name] = {"settings": report.pop("settings", {}), "scores": report.pop("scores", report)}
    log.info("%s", json.dumps(rounded({name: new["scores"] for name, new in known.items()})))
    models = shipped | {name: entry(paths, folder, name, known.get(name, {})) for name in {*made, *known}}
    for file in (file for name in models for file in FILES[name]):
        shutil.copyfile(folder / file, WEIGHTS / file)
    (WEIGHTS / "catalogue.json").write_text(json.dumps({"models": rounded(models)}, indent=1) + "\n", encoding="utf-8")
    log.info("shipped: %s", ", ".join(models))


if __name__ == "__main__":
    main()
