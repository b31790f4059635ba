"""What a policy says is done, segment by segment, as the reader finds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from smallprint import taxonomy
from smallprint.records import Practice, Reading, Segment

if TYPE_CHECKING:
    from smallprint.models.reader import Reader, Readings

# The reader sees 256 pieces of a text, about 1,100 characters of a policy. A longer segment is read in parts, and says
# what any part says.
WINDOW = 1_000


def practices_of(reading: Reading, reader: Reader) -> tuple[Practice, ...]:
    """Every practice that the reader is sure enough of, by segment, likeliest first."""
    parts = [(segment.id, text) for segment in reading.segments for text in _windows(segment)]
    readings = reader.read([text for _, text in parts])
    rows: dict[int, list[int]] = {}
    for row, (segment, _) in enumerate(parts):
        rows.setdefault(segment, []).append(row)
    return tuple(practice for segment, own in rows.items() for practice in _practices(segment, own, readings, reader))


def _windows(segment: Segment) -> Iterator[str]:
    """The segment's text in parts that the reader sees whole; a part that starts inside a list has its lead-in."""
    part = ""
    for sentence in segment.sentences:
        if part and len(part) + len(sentence.text) > WINDOW:
            yield part
            part = ""
        part = f"{part} {sentence.text}" if part else f"{sentence.lead_in} {sentence.text}".strip()
    if part:
        yield part


def _practices(segment: int, rows: list[int], readings: Readings, reader: Reader) -> list[Practice]:
    labels, thresholds = reader.labels, reader.thresholds
    chances = readings.categories[rows].max(axis=0)
    stances = readings.stance[rows].max(axis=0) >= thresholds["stance"]
    stance = tuple(name for name, holds in zip(labels.stances, stances, strict=True) if holds)
    values: dict[str, list[tuple[str, str]]] = {}
    for place in np.flatnonzero(readings.values[rows].max(axis=0) >= thresholds["values"]):
        category, attribute, value = labels.values[place]
        values.setdefault(taxonomy.category(category).key, []).append((attribute, value))
    found: dict[str, float] = {}
    for place in np.flatnonzero(chances >= thresholds["categories"]):
        key = taxonomy.category(labels.categories[place]).key
        found[key] = max(found.get(key, 0.0), float(chances[place]))
    return [
        Practice(segment, key, round(chance, 4), tuple(values.get(key, ())), stance)
        for key, chance in sorted(found.items(), key=lambda item: -item[1])
    ]
