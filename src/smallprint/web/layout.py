"""A policy laid out for reading: its blocks in order, segments with their practices, sentences with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from smallprint import taxonomy
from smallprint.records import Block, BlockKind, Policy, Practice, Reading, Segment, Sentence
from smallprint.web.words import PRACTICES

DEEPEST = 4
_VALUES_SHOWN = 2
# What a practice's values are about, most telling first; those a reader can do without are left out.
_TELLING = (
    "Third Party Entity",
    "Retention Period",
    "Choice Type",
    "Access Type",
    "Personal Information Type",
    "Purpose",
)


@dataclass(frozen=True, slots=True)
class Tag:
    hue: str
    verb: str
    about: str


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks of one kind in a row: a paragraph, the items of a list, the rows of a table.

    Each line has its depth and its cells; a cell is plain text (id None) and sentences in turn.
    """

    kind: str
    lines: tuple[tuple[int, tuple[tuple[int | None, str], ...]], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (`level` 2 to 5) or a segment."""

    id: str
    level: int = 0
    heading: str = ""
    hue: str = ""
    tags: tuple[Tag, ...] = ()
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineLine:
    id: str
    text: str
    inner: bool


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A category of practices that the policy has; `first` is where it is met first."""

    hue: str
    verb: str
    number: int
    first: str


@dataclass(frozen=True, slots=True)
class Layout:
    parts: tuple[Part, ...]
    outline: tuple[OutlineLine, ...]
    legend: tuple[LegendLine, ...]


def lay_out(reading: Reading, practices: Sequence[Practice]) -> Layout:
    by_segment = {key: tuple(group) for key, group in groupby(practices, key=lambda p: p.segment)}
    parts = tuple(_parts(reading, by_segment))
    return Layout(parts, tuple(_outline(parts)), tuple(_legend(practices)))


def _parts(reading: Reading, practices: Mapping[int, Sequence[Practice]]) -> Iterator[Part]:
    policy = reading.policy
    top = min((b.level for b in policy.blocks if b.kind is BlockKind.HEADING), default=1)
    segments = iter(reading.segments)
    current = next(segments, None)
    inside: list[Block] = []
    for block in policy.blocks:
        if block.kind is BlockKind.HEADING:
            yield Part(f"h{block.start}", min(2 + block.level - top, 5), policy.text[block.start : block.end])
            continue
        inside.append(block)
        if current is not None and block.end >= current.end:
            yield _segment(policy, current, inside, practices.get(current.id, ()))
            current, inside = next(segments, None), []


def _segment(policy: Policy, segment: Segment, blocks: Sequence[Block], practices: Sequence[Practice]) -> Part:
    told = [p for p in practices if p.category != "other"]
    tags = tuple(Tag(p.category, PRACTICES[p.category].verb, about(p)) for p in told)
    runs = tuple(_runs(policy, segment, blocks))
    return Part(f"g{segment.id}", hue=told[0].category if told else "", tags=tags, runs=runs)


def _runs(policy: Policy, segment: Segment, blocks: Sequence[Block]) -> Iterator[Run]:
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind in (BlockKind.ITEM, BlockKind.ROW):
            yield Run(str(kind), tuple((min(b.level, DEEPEST), _line(policy, segment, b)) for b in group))
        else:
            for block in group:
                yield Run(str(kind), ((block.level, _line(policy, segment, block)),))


def _line(policy: Policy, segment: Segment, block: Block) -> tuple[tuple[int | None, str], ...]:
    """The block's text, cut where sentences begin and end."""
    pieces: list[tuple[int | None, str]] = []
    at = block.start
    for sentence in _inside(segment.sentences, block):
        if sentence.start > at:
            pieces.append((None, policy.text[at : sentence.start]))
        pieces.append((sentence.id, policy.text[sentence.start : sentence.end]))
        at = sentence.end
    if at < block.end:
        pieces.append((None, policy.text[at : block.end]))
    return tuple(pieces)


def _inside(sentences: Sequence[Sentence], block: Block) -> list[Sentence]:
    return [s for s in sentences if block.start <= s.start and s.end <= block.end]


def about(practice: Practice) -> str:
    """The two values that say most: “where you are, contact details”."""
    ranked = sorted((_TELLING.index(name), value) for name, value in practice.values if name in _TELLING)
    plain = [
        taxonomy.words(_TELLING[place])[value].plain
        for place, value in ranked
        if value in taxonomy.words(_TELLING[place])
    ]
    return ", ".join(dict.fromkeys(plain[:_VALUES_SHOWN]))


def _outline(parts: Sequence[Part]) -> Iterator[OutlineLine]:
    """The two upper levels of headings, without a title that stands alone above all others."""
    headings = [part for part in parts if part.level]
    if len(headings) > 1 and [part.level for part in headings].count(headings[0].level) == 1:
        headings = headings[1:]
    top = min((part.level for part in headings), default=0)
    for part in headings:
        if part.level <= top + 1:
            yield OutlineLine(part.id, part.heading, part.level > top)


def _legend(practices: Sequence[Practice]) -> Iterator[LegendLine]:
    for key, named in PRACTICES.items():
        found = [p.segment for p in practices if p.category == key]
        if found and key != "other":
            yield LegendLine(key, named.verb, len(found), f"g{min(found)}")
