"""Shares with their uncertainty, and quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

_Z: Final = 1.959964  # 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total`; `low` and `high` are Wilson's 95 % interval, the whole range where there is nothing."""

    count: int
    total: int
    share: float
    low: float
    high: float


def share(count: int, total: int) -> Share:
    if total <= 0:
        return Share(0, 0, 0.0, 0.0, 1.0)
    part = count / total
    weight = 1 + _Z**2 / total
    middle = (part + _Z**2 / (2 * total)) / weight
    reach = _Z * sqrt(part * (1 - part) / total + _Z**2 / (4 * total**2)) / weight
    return Share(count, total, round(part, 4), round(max(0.0, middle - reach), 4), round(min(1.0, middle + reach), 4))


def quantiles(values: Sequence[float], points: Sequence[float]) -> tuple[float, ...]:
    """By straight lines between the ordered values; all nought without any."""
    ordered = sorted(values)
    if not ordered:
        return tuple(0.0 for _ in points)
    return tuple(round(_at(ordered, point * (len(ordered) - 1)), 4) for point in points)


def _at(ordered: Sequence[float], place: float) -> float:
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
