"""Benches of single texts with labels: `opp115`, `question-category`, `vagueness`, `detector`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
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


def gold_and_given(
    golds: Sequence[Collection[Hashable]], labels: Sequence[Hashable], known: Sequence[Hashable], chosen: Bools
) -> tuple[Bools, Bools]:
    """Gold and given, [rows, labels] each; `chosen` is [rows, known]. A label that the model does not know is never
    given, so it counts as missed each time."""
    cells = [[label in row for label in labels] for row in golds]
    gold = np.array(cells, dtype=bool).reshape(len(golds), len(labels))
    given = np.zeros_like(gold)
    for column, label in enumerate(labels):
        if label in known:
            given[:, column] = chosen[:, known.index(label)]
    return gold, given


def label_scores(golds: Sequence[Collection[str]], known: Sequence[str], chosen: Bools) -> dict[str, float]:
    unknown = {label for row in golds for label in row}.difference(known)
    gold, given = gold_and_given(golds, [*known, *sorted(unknown)], known, chosen)
    return {"micro_f1": f1(gold, given), "macro_f1": macro_f1(gold, given)}


def opp115(data: DataDir, system: str | None = None) -> Report:
    only_smallprint(system)
    rows = data.gold("opp115/segments.jsonl", lambda row: row.get("majority") is not None)
    reader = Reader.load()
    readings = reader.read([row["text"] for row in rows])
    given = readings.categories >= reader.thresholds["categories"]
    scores = label_scores([row["majority"] for row in rows], reader.labels.categories, given)
    common = _common_values(data.rows("opp115/segments.jsonl"))
    chosen = readings.values >= reader.thresholds["values"]
    agreed = [agreed_values(row) for row in rows]
    scores["value_micro_f1"] = f1(*gold_and_given(agreed, common, reader.labels.values, chosen))
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
    for annotation in row.get("annotations") or ():
        for attribute, chosen in (annotation.get("attributes") or {}).items():
            if chosen["value"] != NOT_A_VALUE:
                key = (annotation["category"], attribute, chosen["value"])
                who.setdefault(key, set()).add(annotation["annotator"])
    return {value for value, annotators in who.items() if len(annotators) >= 2}


def _common_values(rows: list[dict[str, Any]]) -> list[Value]:
    """Counted over all splits: which values are scored does not hang on how the rows were split."""
    counts = Counter(value for row in rows for value in agreed_values(row))
    return sorted(value for value, count in counts.items() if count > COMMON_VALUE)


def question_category(data: DataDir, system: str | None = None) -> Report:
    """Questions that people put into a category; those without one are left out."""
    only_smallprint(system)
    rows = data.gold("privacyqa/questions.jsonl", lambda row: row.get("categories"))
    reader = Reader.load()
    chances = np.array([list(reader.question(row["question"]).categories.values()) for row in rows])
    given = chances >= reader.thresholds["question_categories"]
    given[np.arange(len(rows)), chances.argmax(axis=1)] = True
    scores = label_scores([row["categories"] for row in rows], reader.labels.question_categories, given)
    seen = shipped().seen_share([row["question"] for row in rows], "reader")
    return Report("question-category", data.used, len(rows), {"smallprint": scores}, seen=seen)


def vagueness(data: DataDir, system: str | None = None) -> Report:
    only_smallprint(system)
    rows = data.gold("vagueness/sentences.jsonl")
    readings = Reader.load().read([row["text"] for row in rows])
    gold_words, given_words = [], []
    for row, found in zip(rows, readings.vague_words, strict=True):
        phrases = (row.get("vague_phrases") or {}).items()
        marked = phrase_spans(row["text"], [phrase for phrase, marks in phrases if marks >= 2])
        words = word_spans(row["text"])
        gold_words += [_touches(word, marked) for word in words]
        given_words += [_touches(word, [(w.start, w.end) for w in found]) for word in words]
    classes = np.array([min(4, max(1, int(row["mean"]))) for row in rows])
    scores = {
        "word_f1": f1(np.array(gold_words, dtype=bool), np.array(given_words, dtype=bool)),
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
    rows = data.gold("detector/documents.jsonl", lambda row: row.get("clean"))
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
