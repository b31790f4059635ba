"""Annotated documents as readings: one row of a data set becomes one sentence, numbered alike."""

from __future__ import annotations

from typing import Any

from smallprint.ingest.assemble import normalise
from smallprint.models.passage import lead_in_of
from smallprint.records import Block, BlockKind, Policy, Reading, Segment, Sentence

_KINDS = {"heading": BlockKind.HEADING, "p": BlockKind.PARAGRAPH, "li": BlockKind.ITEM}


def reading_of(row: dict[str, Any]) -> Reading:
    """A row with `sentences` and, where the set has them, `headings` and `kinds`. Each sentence is a segment
    of its own; sentence ids are the row's own numbers, headings included, so that judgements fit."""
    texts = [normalise(text) or "…" for text in row["sentences"]]
    kinds = [_KINDS[kind] for kind in row.get("kinds", ["p"] * len(texts))]
    paths = [tuple(filter(None, path.split(" > "))) for path in row.get("headings", [""] * len(texts))]
    blocks, position = [], 0
    for text, kind in zip(texts, kinds, strict=True):
        blocks.append(Block(kind, 1 if kind is not BlockKind.PARAGRAPH else 0, position, position + len(text)))
        position += len(text) + 1
    leads = [lead_in_of(texts, number, row.get("kinds")) for number in range(len(texts))]
    segments = tuple(
        Segment(
            i,
            block.start,
            block.end,
            path,
            (Sentence(i, i, block.kind, block.start, block.end, text, path, lead),),
        )
        for i, (block, text, path, lead) in enumerate(zip(blocks, texts, paths, leads, strict=True))
    )
    policy = Policy(
        source=row["doc_id"],
        title=row.get("service") or "",
        text="\n".join(texts),
        blocks=tuple(blocks),
        media="text",
    )
    return Reading(policy, segments)
