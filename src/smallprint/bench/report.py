"""What a bench prints: one record, as JSON for machines or as a table for people."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """A system in a published table: a figure for each measure, None where there is none."""

    name: str
    published: tuple[float | None, ...]
    ours: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published table with our figures beside its own, and in what the data differ."""

    title: str
    bench: str
    measures: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Report:
    """`systems` maps a row's name to its measures, all fractions of one; `seen` is the share of rows that
    the shipped weights were trained on (None where no weights take part)."""

    name: str
    data: dict[str, str]
    n: int
    systems: dict[str, dict[str, float]]
    seen: float | None = None
    notes: tuple[str, ...] = field(default=())
    tables: tuple[Comparison, ...] = field(default=())
    """For `bench tables` alone: the same figures in the papers' own order."""

    def as_json(self) -> dict[str, Any]:
        systems = {name: {m: round(v, 4) for m, v in row.items()} for name, row in self.systems.items()}
        tables = {"tables": [asdict(table) for table in self.tables]} if self.tables else {}
        return {
            "name": self.name,
            "data": self.data,
            "n": self.n,
            "seen": self.seen,
            "systems": systems,
            "notes": list(self.notes),
            **tables,
        }
