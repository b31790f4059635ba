"""Export, calibrate and measure what was trained, and write it into the package. `python -m train.ship`.

Everything is staged in the cache first; the package's folder is only written when all of it is there.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smallprint.models.catalogue import seen_key
from smallprint.models.reader import Value
from train import opp115, reader_data
from train.data import fingerprint, rows
from train.exclusions import for_judge, for_reader
from train.export import head_sizes, judge_graph, reader_graph
from train.judge import load_trained
from train.judge_data import STANCES as JUDGE_STANCES
from train.judge_data import read_asked, read_policyqa, without
from train.paths import WEIGHTS, Paths, parser, paths_of, start_log
from train.raw import RawReader, raw_judge
from train.reader import load_trained as load_reader
from train.scoring import score_asked, score_privacyqa, stored
from train.ship_judge import settings_and_scores
from train.ship_reader import calibrate_questions, calibrate_segments, calibrate_vagueness

BASE = "all-MiniLM-L6-v2 (Apache-2.0), vocabulary pruned to the pieces of privacy policies"
LICENCES = {
    "judge": "Apache-2.0 base; trained on PolicyQA, whose text is OPP-115: research and non-commercial use",
    "reader": "Apache-2.0 base; trained on OPP-115: research and non-commercial use",
    "vectors": "MIT",
    "detector": "MIT",
    "tokenizer": "Apache-2.0",
    "seen": "MIT",
}
SETS = {
    "judge": ("asked/docs", "asked/questions", "policyqa/train", "policyqa/question_pool"),
    "reader": (
        "asked/docs", "asked/questions", "opp115/segments", "vagueness/sentences",
        "privacyqa/question_categories", "extra/appcorp", "extra/policyie", "extra/mapp_english",
    ),
    "vectors": ("corpus/policies",),
    "detector": ("detector/documents",),
    "tokenizer": ("corpus/policies", "corpus/websites"),
    "seen": (),
}  # fmt: skip
FILES = {
    "judge": ("judge.onnx",),
    "reader": ("reader.onnx", "words.npz"),
    "vectors": ("vectors.npz",),
    "detector": ("detector.npz",),
    "tokenizer": ("tokenizer.json",),
    "seen": ("seen-reader.bin", "seen-judge.bin", "seen-detector.bin"),
}


def stage(paths: Paths, folder: Path) -> dict[str, int]:
    """Stage the weight files that the recipes have made; gives the sizes of the reader's heads."""
    reader = load_reader(paths, paths.cache / "reader_mean")
    (folder / "reader.onnx").write_bytes(reader_graph(reader).SerializeToString())
    judge = load_trained(paths)
    (folder / "judge.onnx").write_bytes(judge_graph(judge).SerializeToString())
    for source in ("base/tokenizer.json", "words/words.npz", "vectors/vectors.npz", "detector/detector.npz"):
        if (paths.cache / source).exists():
            shutil.copyfile(paths.cache / source, folder / Path(source).name)
    for model, texts in learned_texts(paths.data).items():
        (folder / f"seen-{model}.bin").write_bytes(b"".join(sorted(set(map(seen_key, texts)))))
    return head_sizes(reader)


def learned_texts(data: Path) -> dict[str, list[str]]:
    """Every labelled text and question that each model learned from; the judge starts from the reader's encoder, but
    of the reader's labels only what has a question in it could tell it anything."""
    judged, read = for_judge(data), for_reader(data)
    asked = [q["question"] for q in without(read_asked(data, held_out=False), judged).questions]
    return {
        "judge": [*asked, *(c.text for c in read_policyqa(data, "train", judged))],
        "reader": [
            *asked,
            *(s.text for s in opp115.segments(data, "train", [], read)),
            *(s.text for s in opp115.extra_segments(data, 0, read)),
            *(v.text for v in reader_data.read_vague(data, "train", read)),
            *(q.text for q in reader_data.category_questions(data, read, held_out=False)),
        ],
        "detector": [row["text"] for row in rows(data, "detector/documents") if row["split"] == "train"],
    }


def judge_entry(paths: Paths, folder: Path, reader: RawReader, every: int) -> dict[str, Any]:
    judge = raw_judge(folder)
    asked = read_asked(paths.data, held_out=True)
    mark = stamp(folder, "judge", "reader")
    on_asked = stored(folder / f"asked-{mark}.jsonl", score_asked(judge, reader, asked, every))
    on_privacyqa = stored(folder / f"privacyqa-{mark}.jsonl", score_privacyqa(judge, reader, paths.data))
    settings, scores = settings_and_scores(on_asked, on_privacyqa, asked, paths.data)
    return {"settings": settings | {"stances": list(JUDGE_STANCES)}, "scores": scores}


def reader_entry(paths: Paths, reader: RawReader, sizes: dict[str, int]) -> dict[str, Any]:
    calibration, limits, reliable = calibrate_segments(reader, paths.data)
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
        "scores": {"asked kinds, held-out fifth": kinds, "vagueness": vagueness, "reliability, opp115 test": reliable},
    }


def entry(paths: Paths, folder: Path, name: str, known: dict[str, Any]) -> dict[str, Any]:
    """One model as the catalogue has it."""
    files = []
    for file in FILES[name]:
        content = (folder / file).read_bytes()
        files.append({"name": file, "sha256": hashlib.sha256(content).hexdigest(), "size": len(content)})
    data = {source: fingerprint(paths.data, source) for source in SETS[name]}
    base = BASE if name in ("judge", "reader") else ""
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
    sizes = stage(paths, folder)
    log.info("staged: %s", {p.name: p.stat().st_size for p in sorted(folder.iterdir())})
    reader = RawReader(folder, sizes)
    known: dict[str, dict[str, Any]] = {name: {} for name in FILES}
    known["reader"] = kept(folder, "reader", lambda: reader_entry(paths, reader, sizes))
    log.info("reader: %s", json.dumps(rounded(known["reader"]["scores"])))
    known["judge"] = judge_entry(paths, folder, reader, chosen.every)
    log.info("judge: %s", json.dumps(rounded(known["judge"]["scores"])))
    made = [name for name, files in FILES.items() if all((folder / file).exists() for file in files)]
    for name in {"detector", "vectors"} & set(made):
        report = json.loads((paths.cache / name / "report.json").read_text())
        known[name] = {"settings": report.pop("settings", {}), "scores": report.pop("scores", report)}
    models = {name: entry(paths, folder, name, known[name]) for name in made}
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    for file in (file for name in made for file in FILES[name]):
        shutil.copyfile(folder / file, WEIGHTS / file)
    (WEIGHTS / "catalogue.json").write_text(json.dumps({"models": rounded(models)}, indent=1) + "\n", encoding="utf-8")
    log.info("shipped: %s", ", ".join(made))


if __name__ == "__main__":
    main()
