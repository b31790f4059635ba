"""`bench conflicts`: two sentences of one policy; do they contradict each other, limit each other, or neither?"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from smallprint.answer.relation import CONTRADICTION, RELATIONS, Said, shipped
from smallprint.bench.data import DataDir
from smallprint.bench.measures import harmonic
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.models.reader import Reader

Row = dict[str, Any]
_NOTE = (
    "Pairs were labelled by a language model. Rows that count as seen were fitted on; five-fold figures are in "
    "docs/models/conflicts.md."
)
_DENIES = re.compile(r"\b(?:not|never|no|none|cannot)\b|n['’]t\b", re.IGNORECASE)
_LIMITS = re.compile(r"\b(?:except|unless|only|without|other than|however|but|consent|law)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{4,}")


def run(data: DataDir, system: str | None = None) -> Report:
    if system is not None and system not in SYSTEMS:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(SYSTEMS)}).")
    rows = data.gold("conflicts/pairs.jsonl")
    gold = [row["label"] for row in rows]
    systems = {name: scores(gold, tell(rows)) for name, tell in SYSTEMS.items() if system in (None, name)}
    seen = round(shipped().seen_share([(row["a"], row["b"]) for row in rows]), 4)
    return Report("conflicts", data.used, len(rows), systems, seen, (_NOTE,))


def scores(gold: Sequence[str], given: Sequence[str]) -> dict[str, float]:
    """Macro F1 is over the three frequent labels, on all pairs: a contradiction called one of them costs it."""
    pairs = list(zip(gold, given, strict=True))
    called = [label == CONTRADICTION for truth, label in pairs if truth != CONTRADICTION]
    found = [label == CONTRADICTION for truth, label in pairs if truth == CONTRADICTION]
    f1 = {relation: _f1(pairs, relation) for relation in RELATIONS}
    return {
        "recall": sum(found) / max(1, len(found)),
        "false_alarm": sum(called) / max(1, len(called)),
        "macro_f1": fmean(f1.values()),
        **{f"f1_{relation}": value for relation, value in f1.items()},
    }


def _f1(pairs: Sequence[tuple[str, str]], label: str) -> float:
    hits = sum(truth == given == label for truth, given in pairs)
    named, wanted = sum(given == label for _, given in pairs), sum(truth == label for truth, _ in pairs)
    return harmonic(hits / max(1, named), hits / max(1, wanted))


def smallprint(rows: Sequence[Row]) -> list[str]:
    vectors = Reader.load().vectors([row[side] for row in rows for side in ("a", "b")])
    cosines = map(float, (vectors[::2] * vectors[1::2]).sum(axis=1))
    relations = shipped()
    return [
        relations.label(_said(row, "a"), _said(row, "b"), cosine) for row, cosine in zip(rows, cosines, strict=True)
    ]


def _said(row: Row, side: str) -> Said:
    return Said(row[side], row.get(f"{side}_heading") or "")


def negation_rule(rows: Sequence[Row]) -> list[str]:
    """One side has a denying word and the other none: a contradiction, or a limit where a limiting word is near.
    Pairs that share few words are unrelated."""
    return [_by_negation(row["a"], row["b"]) for row in rows]


def _by_negation(first: str, second: str) -> str:
    words = [set(_WORD.findall(text.lower())) for text in (first, second)]
    if len(words[0] & words[1]) / max(1, min(map(len, words))) < 0.25:
        return "unrelated"
    if bool(_DENIES.search(first)) == bool(_DENIES.search(second)):
        return "compatible"
    return "qualified" if _LIMITS.search(f"{first} {second}") else CONTRADICTION


SYSTEMS: dict[str, Callable[[Sequence[Row]], list[str]]] = {"negation-rule": negation_rule, "smallprint": smallprint}
