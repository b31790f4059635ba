"""Which blocks belong together, under which headings, led in by what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from smallprint.records import Block, BlockKind, Policy, Reading, Segment, Sentence
from smallprint.segment.sentences import sentence_spans

# A segment is what practices are read from. In OPP-115 nineteen segments of twenty are shorter than 1,000
# characters, lists included; past this many a list goes on in a new segment, its items keep their lead-in.
LONGEST_SEGMENT = 1_200
_LISTED = (BlockKind.ITEM, BlockKind.TERM, BlockKind.ROW)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A block with the words above it."""

    block: Block
    headings: tuple[str, ...]
    lead_in: str


def segment(policy: Policy) -> Reading:
    """Read a policy: every character of a block that is no heading lies in exactly one segment."""
    segments: list[Segment] = []
    numbers = count()
    for group in _groups(_placed(policy)):
        sentences = tuple(
            sentence for placed in group for sentence in _sentences(policy, placed, len(segments), numbers)
        )
        first, last = group[0], group[-1]
        segments.append(Segment(len(segments), first.block.start, last.block.end, first.headings, sentences))
    return Reading(policy, tuple(segments))


def _placed(policy: Policy) -> Iterator[_Placed]:
    """Walk the blocks with a stack of open headings and a stack of open lead-ins."""
    headings: list[tuple[int, str]] = []
    leads: list[tuple[int, str]] = []
    previous: Block | None = None
    for block in policy.blocks:
        text = policy.text[block.start : block.end]
        if block.kind is BlockKind.HEADING:
            headings = [(level, name) for level, name in headings if level < block.level] + [(block.level, text)]
            leads = []
        else:
            rank = _rank(block, previous)
            leads = [(depth, lead) for depth, lead in leads if depth < rank]
            yield _Placed(block, tuple(name for _, name in headings), " ".join(lead for _, lead in leads))
            leads.append((rank, _lead(block, text)))
        previous = block


def _rank(block: Block, previous: Block | None) -> int:
    """How deep a block hangs: a paragraph above the list that follows, an item above what is inside it, a
    term above its definition, the first row of a table above the others."""
    if block.kind is BlockKind.PARAGRAPH:
        return 2 * block.level + 2 if block.level else 0
    depth = 2 * max(1, block.level)
    first_row = block.kind is BlockKind.ROW and (previous is None or previous.kind is not BlockKind.ROW)
    return depth if block.kind is BlockKind.TERM or first_row else depth + 1


def _lead(block: Block, text: str) -> str:
    """What a block lends to those below it: a term or a table's head in full, else its last sentence."""
    if block.kind in (BlockKind.TERM, BlockKind.ROW):
        return text
    start, end = sentence_spans(text)[-1]
    return text[start:end]


def _groups(placed: Iterable[_Placed]) -> Iterator[list[_Placed]]:
    """A paragraph starts a segment; the list or table under it joins while there is room."""
    group: list[_Placed] = []
    for item in placed:
        if group and not _joins(group, item):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _joins(group: list[_Placed], item: _Placed) -> bool:
    return (
        item.block.kind in _LISTED
        and item.headings == group[-1].headings
        and item.block.end - group[0].block.start <= LONGEST_SEGMENT
    )


def _sentences(policy: Policy, placed: _Placed, segment_id: int, numbers: Iterator[int]) -> Iterator[Sentence]:
    block = placed.block
    text = policy.text[block.start : block.end]
    spans = [(0, len(text))] if block.kind is BlockKind.ROW else sentence_spans(text)
    for start, end in spans:
        yield Sentence(
            id=next(numbers),
            segment=segment_id,
            kind=block.kind,
            start=block.start + start,
            end=block.start + end,
            text=text[start:end],
            headings=placed.headings,
            lead_in=placed.lead_in,
        )
