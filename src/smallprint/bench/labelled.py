"""Benches of single texts with labels: `opp115`, `question-category`, `vagueness`, `detector`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.ingest import detect
from smallprint.models.catalogue import shipped
from smallprint.models.detector import Detector
from smallprint.models.reader import Reader, Value
from smallprint.models.text_spans import phrase_spans, word_spans

Bools = NDArray[np.bool_]

COMMON_VALUE = 20
"""Values that two annotators gave to more segments than this are scored."""
NOT_A_VALUE = "not-selected"
"""What the annotation tool wrote where an annotator left an attribute untouched."""


def only_smallprint(system: str | None) -> None:
    """These benches measure the shipped models; rivals without weights have no row here."""
    if system not in (None, "smallprint"):
        raise DataMissing(f"There is no system {system!r} here (known: smallprint).")


def f1(gold: Bools, given: Bools) -> float:
    """Micro F1 over all cells."""
    return 2 * float((gold & given).sum()) / max(1.0, float(gold.sum() + given.sum()))


def macro_f1(gold: Bools, given: Bools) -> float:
    """Mean of the F1 of each label that occurs, [rows, labels] each."""
    present = [n for n in range(gold.shape[1]) if gold[:, n].any()]
    return float(np.mean([f1(gold[:, n], given[:, n]) for n in present])) if present else 0.0


def measured_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Only `test` counts where rows have a split; `valid` where there is no `test`."""
    splits = {row.get("split") for row in rows}
    wanted = next((split for split in ("test", "valid") if split in splits), None)
    return rows if wanted is None else [row for row in rows if row["split"] == wanted]


def opp115(data: DataDir, system: str | None = None) -> Report:
    only_smallprint(system)
    everything = data.rows("opp115/segments.jsonl")
    rows = [row for row in measured_rows(everything) if row["majority"] is not None]
    reader = Reader.load()
    readings = reader.read([row["text"] for row in rows])
    names = reader.labels.categories
    gold = np.array([[name in row["majority"] for name in names] for row in rows])
    given = readings.categories >= reader.thresholds["categories"]
    scores = {"micro_f1": f1(gold, given), "macro_f1": macro_f1(gold, given)}
    chosen = readings.values >= reader.thresholds["values"]
    scores["value_micro_f1"] = _value_f1(everything, rows, reader.labels.values, chosen)
    return Report(
        "opp115",
        data.used,
        len(rows),
        {"smallprint": scores},
        seen=shipped().seen_share([row["text"] for row in rows], "reader"),
    )


def agreed_values(row: dict[str, Any]) -> set[Value]:
    """The values that two or more annotators gave to a segment."""
    who: dict[Value, set[str]] = {}
    for annotation in row["annotations"]:
        for attribute, chosen in annotation["attributes"].items():
            if chosen["value"] != NOT_A_VALUE:
                key = (annotation["category"], attribute, chosen["value"])
                who.setdefault(key, set()).add(annotation["annotator"])
    return {value for value, annotators in who.items() if len(annotators) >= 2}


def _value_f1(
    everything: list[dict[str, Any]], rows: list[dict[str, Any]], known: Sequence[Value], chosen: Bools
) -> float:
    """A common value that the model does not know counts as missed each time."""
    counts = Counter(value for row in everything for value in agreed_values(row))
    common = sorted(value for value, count in counts.items() if count > COMMON_VALUE)
    gold = np.array([[value in agreed_values(row) for value in common] for row in rows])
    given = np.zeros_like(gold)
    for column, value in enumerate(common):
        if value in known:
            given[:, column] = chosen[:, known.index(value)]
    return f1(gold, given)


def question_category(data: DataDir, system: str | None = None) -> Report:
    """Questions that people put into a category; those without one are left out."""
    only_smallprint(system)
    rows = [row for row in data.rows("privacyqa/questions.jsonl") if row["categories"]]
    reader = Reader.load()
    names = reader.labels.question_categories
    chances = np.array([list(reader.question(row["question"]).categories.values()) for row in rows])
    given = chances >= reader.thresholds["question_categories"]
    given[np.arange(len(rows)), chances.argmax(axis=1)] = True
    gold = np.array([[name in row["categories"] for name in names] for row in rows])
    scores = {"micro_f1": f1(gold, given), "macro_f1": macro_f1(gold, given)}
    seen = shipped().seen_share([row["question"] for row in rows], "reader")
    return Report("question-category", data.used, len(rows), {"smallprint": scores}, seen=seen)


def vagueness(data: DataDir, system: str | None = None) -> Report:
    only_smallprint(system)
    rows = measured_rows(data.rows("vagueness/sentences.jsonl"))
    readings = Reader.load().read([row["text"] for row in rows])
    gold_words, given_words = [], []
    for row, found in zip(rows, readings.vague_words, strict=True):
        marked = phrase_spans(row["text"], [p for p, marks in row["vague_phrases"].items() if marks >= 2])
        words = word_spans(row["text"])
        gold_words += [_touches(word, marked) for word in words]
        given_words += [_touches(word, [(w.start, w.end) for w in found]) for word in words]
    classes = np.array([min(4, max(1, int(row["mean"]))) for row in rows])
    scores = {
        "word_f1": f1(np.array(gold_words), np.array(given_words)),
        "sentence_accuracy": float((readings.vague_classes.argmax(axis=1) + 1 == classes).mean()),
    }
    seen = shipped().seen_share([row["text"] for row in rows], "reader")
    return Report("vagueness", data.used, len(rows), {"smallprint": scores}, seen=seen)


def _touches(word: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(word[0] < end and word[1] > start for start, end in spans)


def _rows(known: Iterable[str], system: str | None) -> list[str]:
    names = [name for name in known if system in (None, name)]
    if not names:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(known)}).")
    return names


def detector(data: DataDir, system: str | None = None) -> Report:
    """The product beside its two halves: phrases that people weighed, words weighed by training."""
    model = Detector.load()
    judges: dict[str, Callable[[str], bool]] = {
        "smallprint": lambda text: detect.p_policy("", text) >= detect.POLICY_THRESHOLD,
        "phrases": lambda text: detect.by_phrases("", text) >= 0,
        "words": lambda text: model.chance(text) >= model.threshold,
    }
    rows = [row for row in measured_rows(data.rows("detector/documents.jsonl")) if row["clean"]]
    gold = np.array([row["label"] == 1 for row in rows])
    scores = {}
    for name in _rows(judges, system):
        given = np.array([judges[name](row["text"]) for row in rows])
        hits = float((gold & given).sum())
        scores[name] = {
            "precision": hits / max(1, given.sum()),
            "recall": hits / max(1, gold.sum()),
            "f1": f1(gold, given),
        }
    seen = shipped().seen_share([row["text"] for row in rows], "detector")
    return Report("detector", data.used, len(rows), scores, seen=seen)
