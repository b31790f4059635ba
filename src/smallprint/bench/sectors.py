"""How well an organisation's sector is told from name, domain and policy: `sectors/services`, rows with sure ≥ 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from smallprint.annotate.sector import UNKNOWN, seen_share, shipped
from smallprint.bench.data import DataDir
from smallprint.bench.measures import harmonic
from smallprint.bench.report import Report
from smallprint.errors import DataMissing

Row = dict[str, Any]
_NOTE = (
    "Labels were made by a language model from name, domain and opening. Rows that count as seen were trained on; "
    "figures by cross-validation are in docs/corpus.md."
)


def run(data: DataDir, system: str | None = None) -> Report:
    rows = data.gold("sectors/services.jsonl", lambda row: (row.get("sure") or 0) >= 1)
    if system is not None and system not in SYSTEMS:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(SYSTEMS)}).")
    gold = [row["sector"] for row in rows]
    systems = {
        name: scores(gold, [tell(row) for row in rows]) for name, tell in SYSTEMS.items() if system in (None, name)
    }
    return Report("sectors", data.used, len(rows), systems, seen_share([row["text"] for row in rows]), (_NOTE,))


def scores(gold: list[str], given: list[str]) -> dict[str, float]:
    """Macro F1 is over the ten sectors as far as they occur; "unknown" is none, but calling a row so is a miss."""
    hits = Counter(g for g, s in zip(gold, given, strict=True) if g == s)
    wanted, named = Counter(gold), Counter(given)
    f1 = {s: harmonic(hits[s] / max(1, named[s]), hits[s] / wanted[s]) for s in wanted}
    sectors = [value for s, value in f1.items() if s != UNKNOWN]
    return {
        "accuracy": sum(hits.values()) / max(1, len(gold)),
        "macro_f1": sum(sectors) / max(1, len(sectors)),
        "macro_f1_with_unknown": sum(f1.values()) / max(1, len(f1)),
        "called_unknown": named[UNKNOWN] / max(1, len(gold)),
    }


def smallprint(row: Row) -> str:
    return shipped().sector(row.get("service") or "", row.get("domain") or "", row["text"])


def most_common(row: Row) -> str:  # noqa: ARG001
    """The sector of most organisations, whoever asks."""
    return "it"


SYSTEMS: dict[str, Callable[[Row], str]] = {"most-common": most_common, "smallprint": smallprint}
