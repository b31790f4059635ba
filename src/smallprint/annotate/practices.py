"""What a policy says is done, segment by segment, as the reader finds it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from smallprint import taxonomy
from smallprint.models.passage import HEADING_CHARACTERS
from smallprint.records import Practice, Reading, Segment

if TYPE_CHECKING:
    from smallprint.models.reader import Reader
    from smallprint.models.session import Floats

# The reader sees 256 pieces of a text, about 1,100 characters of a policy. A longer segment is read in parts, and says
# what any part says.
WINDOW = 1_000
# So many parts are read, a million characters: no real policy has more, and a book takes half a minute, not an hour.
MOST_READ = 1_000
# A segment is read under its heading, as the reader learned: on the validation part of OPP-115 a first paragraph gains
# .011 micro F1 by it, a later one .008.
# Segments are read whole although sentences would give vectors on the way: on the validation part of OPP-115 the best
# of sentences' chances is right with a micro F1 of .703, the best mix tried .803, a segment read whole .819.


def fingerprint(reading: Reading, reader: Reader) -> str:
    """Names the reader and the exact sentences, headings and lead-ins that it reads."""
    return hashlib.sha256(f"{reader.fingerprint} {reading.segments!r}".encode()).hexdigest()[:32]


def practices_of(reading: Reading, reader: Reader) -> tuple[Practice, ...]:
    """Every practice that the reader is sure enough of, by segment, likeliest first."""
    parts = [(segment.id, text) for segment in reading.segments for text in _windows(segment)][:MOST_READ]
    owners = np.array([owner for owner, _ in parts])
    read = reader.read([text for _, text in parts])
    found: list[Practice] = []
    for segment in reading.segments:
        rows = np.flatnonzero(owners == segment.id)
        if len(rows):
            categories, values, stance = (c[rows].max(axis=0) for c in (read.categories, read.values, read.stance))
            found += _practices(segment, reader, categories, values, stance)
    return tuple(found)


def _windows(segment: Segment) -> Iterator[str]:
    """The segment's text in parts that the reader sees whole; a part that starts inside a list has its lead-in."""
    heading = f"{segment.headings[-1][:HEADING_CHARACTERS]}: " if segment.headings else ""
    part = ""
    for sentence in segment.sentences:
        if part and len(part) + len(sentence.text) > WINDOW:
            yield heading + part
            part = ""
        part = f"{part} {sentence.text}" if part else f"{sentence.lead_in} {sentence.text}".strip()
    if part:
        yield heading + part


def _practices(
    segment: Segment, reader: Reader, categories: Floats, values: Floats, stance: Floats
) -> Iterator[Practice]:
    """Of one segment, from its chances of each label."""
    labels, thresholds = reader.labels, reader.thresholds
    stances = tuple(labels.stances[n] for n in np.flatnonzero(stance >= thresholds["stance"]))
    held = np.flatnonzero(values >= thresholds["values"]).tolist()
    shown = _sentences(segment, held, reader)
    chances: dict[str, float] = {}
    for n in np.flatnonzero(categories >= thresholds["categories"]):
        key = taxonomy.category(labels.categories[n]).key
        chances[key] = max(chances.get(key, 0.0), float(categories[n]))
    for key, chance in sorted(chances.items(), key=lambda item: -item[1]):
        own = [n for n in held if taxonomy.category(labels.values[n][0]).key == key]
        pairs = tuple(labels.values[n][1:] for n in own)
        yield Practice(segment.id, key, round(chance, 4), pairs, stances, tuple(shown[n] for n in own))


def _sentences(segment: Segment, values: Sequence[int], reader: Reader) -> dict[int, int]:
    """For each of the values the id of the sentence whose words speak most for it."""
    if len(segment.sentences) == 1 or not values:
        return dict.fromkeys(values, segment.sentences[0].id)
    said = reader.by_words([f"{s.lead_in} {s.text}" for s in segment.sentences], "values")
    return {n: segment.sentences[int(said[:, n].argmax())].id for n in values}
