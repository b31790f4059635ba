"""`bench tables`: the tables of the papers, each published figure beside what the same row reaches here.

`--system S7` prints the tables of one published system. Figures of ours come from the benches, in this very run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.report import Comparison, Line, Report
from smallprint.errors import DataMissing

Rows = dict[str, dict[str, float]]
Found = Callable[[str, str], Rows]


def published() -> list[dict[str, Any]]:
    text = files("smallprint.bench.published").joinpath("published.toml").read_text("utf-8")
    tables: list[dict[str, Any]] = tomllib.loads(text)["table"]
    return tables


def run(data: DataDir, system: str | None = None) -> Report:
    tables = published()
    known = list(dict.fromkeys(table["system"] for table in tables))
    if system is not None and system not in known:
        raise DataMissing(f"There is no published system {system!r} here (known: {', '.join(known)}).")
    notes: list[str] = []

    @cache
    def found(bench: str, row: str) -> Rows:
        """Each row is run once, however many tables show it; one that cannot be had leaves a note."""
        try:
            report = registry.run(bench, data, row or None)
        except DataMissing as missing:
            notes.append(f"{bench} {row}: {missing}")
            return {}
        notes.extend(note for note in report.notes if "not installed" in note and note not in notes)
        return report.systems

    compared = []
    for table in tables:
        if system == table["system"] or (system is None and "long" not in table):
            compared.append(_compared(table, found))
        elif system is None:
            notes.append(
                f"{table['system']}, {table['place']} takes minutes: ask for it with --system {table['system']}."
            )
    lines = {f"{table.title}: {line.name}": _figures(table, line) for table in compared for line in table.lines}
    return Report("tables", data.used, len(compared), lines, notes=tuple(notes), tables=tuple(compared))


def _compared(table: dict[str, Any], found: Found) -> Comparison:
    measures = tuple(table["measures"])
    lines = []
    for line in table["lines"]:
        row = line.get("row")
        ours = found(table["bench"], table.get("part", row)).get(row, {}) if row else {}
        figures = (*line.get("figures", ()), *[None] * len(measures))
        lines.append(Line(line["name"], figures[: len(measures)], tuple(ours.get(measure) for measure in measures)))
    title = f"{table['system']} {table['paper']}, {table['place']}"
    return Comparison(title, table["bench"], measures, tuple(lines), table["note"])


def _figures(table: Comparison, line: Line) -> dict[str, float]:
    """`measure` is ours, `measure_published` the paper's; what either does not have is left out."""
    pairs = zip(table.measures, line.published, line.ours, strict=True)
    named = [(name, figure) for m, theirs, ours in pairs for name, figure in ((m, ours), (f"{m}_published", theirs))]
    return {name: figure for name, figure in named if figure is not None}
