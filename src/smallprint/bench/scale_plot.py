"""The plan of `bench scale` as a picture.

smallprint bench scale --json > scale.json
python -m smallprint.bench.scale_plot scale.json > docs/scaling.svg
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from smallprint.bench.scale_plan import CORES, HOURS

_LEFT, _TOP, _WIDE, _HIGH, _GAP = 72, 48, 300, 260, 120
_POLICIES: Final = (10_000, 100_000_000)
_INK: Final = {"reading": "#0b5cad", "quick": "#5aa0dd", "driver": "#c2410c", "index": "#0b5cad", "library": "#c2410c",
               "parts": "#6b7280"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """`at` of one policy; `note` stands at the line's end."""

    name: str
    note: str
    at: float


@dataclass(frozen=True, slots=True)
class Panel:
    """`marks` are values worth knowing, with their words and how far to the right these begin."""

    title: str
    low: float
    high: float
    unit: str
    lines: tuple[Line, ...]
    marks: tuple[tuple[float, str, float], ...] = ()


def svg(systems: Mapping[str, Mapping[str, float]]) -> str:
    """Two panels, both axes logarithmic: hours and terabytes over the number of policies."""
    one = {name: value / systems["100M"]["policies"] for name, value in systems["100M"].items()}
    hours = Panel(
        "Hours of one core",
        0.01,
        1e5,
        "h",
        (
            Line("reading", "reading", one["core_hours"]),
            Line("quick", "--quick", one["core_hours_quick"]),
            Line("driver", "driver", one["driver_hours"]),
        ),
        ((HOURS, "1 core, 1 day", 0.34), (HOURS * CORES * 32, f"{CORES * 32:,} cores, 1 day", 0.02)),
    )
    disks = Panel(
        "Terabytes on disk",
        0.0001,
        100,
        "TB",
        (
            Line("index", "index, two copies", one["index_terabytes"]),
            Line("library", "library", one["library_terabytes"]),
            Line("parts", "parts", one["parts_terabytes"]),
        ),
    )
    width = 2 * (_LEFT + _WIDE + _GAP)
    body = [*_panel(hours, _LEFT), *_panel(disks, 2 * _LEFT + _WIDE + _GAP)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_TOP + _HIGH + 56}" '
            'font-family="system-ui, sans-serif" font-size="12" fill="#1f2937">',
            f'<rect width="{width}" height="{_TOP + _HIGH + 56}" fill="#ffffff"/>',
            *body,
            "</svg>\n",
        ]
    )


def _panel(panel: Panel, left: float) -> Iterator[str]:
    def x(policies: float) -> float:
        return left + _WIDE * _share(policies, *_POLICIES)

    def y(value: float) -> float:
        return _TOP + _HIGH * (1 - _share(value, panel.low, panel.high))

    yield f'<text x="{left}" y="{_TOP - 20}" font-size="14" font-weight="600">{panel.title}</text>'
    for policies, told in ((1e4, "10 k"), (1e5, "100 k"), (1.4e6, "1.4 M"), (1e7, "10 M"), (1e8, "100 M")):
        yield _rule(x(policies), _TOP, x(policies), _TOP + _HIGH)
        yield f'<text x="{x(policies):.1f}" y="{_TOP + _HIGH + 18}" text-anchor="middle">{told}</text>'
    yield f'<text x="{left + _WIDE / 2}" y="{_TOP + _HIGH + 40}" text-anchor="middle">policies</text>'
    for power in range(round(math.log10(panel.low)), round(math.log10(panel.high)) + 1):
        yield _rule(left, y(10**power), left + _WIDE, y(10**power))
        told = f"{10**power:,.{max(0, -power)}f}"
        yield f'<text x="{left - 8}" y="{y(10**power) + 4:.1f}" text-anchor="end">{told}</text>'
    for value, told, share in panel.marks:
        yield _rule(left, y(value), left + _WIDE, y(value), 'stroke="#9ca3af" stroke-dasharray="5 4"')
        yield f'<text x="{left + share * _WIDE:.1f}" y="{y(value) - 5:.1f}" fill="#6b7280" font-size="11">{told}</text>'
    yield from _lines(panel, x(_POLICIES[0]), x(_POLICIES[1]), y)


def _lines(panel: Panel, start: float, end: float, y: object) -> Iterator[str]:
    assert callable(y)
    ends = _apart({line.name: y(line.at * _POLICIES[1]) for line in panel.lines})
    for line in panel.lines:
        ink = _INK[line.name]
        low = max(line.at * _POLICIES[0], panel.low)
        begin = start + (end - start) * _share(low / line.at, *_POLICIES)
        stroke = f'stroke="{ink}" stroke-width="2.5"'
        yield _rule(begin, y(low), end, y(line.at * _POLICIES[1]), stroke)
        yield f'<text x="{end + 8:.1f}" y="{ends[line.name] + 4:.1f}" fill="{ink}">{line.note}</text>'


def _apart(places: Mapping[str, float], least: float = 15) -> dict[str, float]:
    """The same places, moved down where two labels would meet."""
    moved: dict[str, float] = {}
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        moved[name] = max([place, *(other + least for other in moved.values())])
    return moved


def _rule(x1: float, y1: float, x2: float, y2: float, stroke: str = 'stroke="#e5e7eb"') -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {stroke}/>'


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def main(arguments: Iterable[str]) -> None:
    (report,) = arguments
    sys.stdout.write(svg(json.loads(Path(report).read_text())["systems"]))


if __name__ == "__main__":
    main(sys.argv[1:])
