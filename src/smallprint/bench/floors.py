"""Quality floors: a file of figures that rise and never fall silently."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from smallprint.bench.report import Report


def floors() -> dict[str, dict[str, dict[str, float]]]:
    loaded: dict[str, dict[str, dict[str, float]]] = tomllib.loads(
        files("smallprint.bench").joinpath("floors.toml").read_text("utf-8")
    )
    return loaded


def breaches(report: Report) -> list[str]:
    """What the product's row misses, one line each."""
    bounds = floors().get(report.name, {})
    row = report.systems["smallprint"]
    low = [
        f"{report.name} {measure} is {row[measure]:.3f}, the floor is {floor}"
        for measure, floor in bounds.get("at_least", {}).items()
        if row[measure] < floor
    ]
    high = [
        f"{report.name} {measure} is {row[measure]:.3f}, the ceiling is {ceiling}"
        for measure, ceiling in bounds.get("below", {}).items()
        if row[measure] >= ceiling
    ]
    return low + high
