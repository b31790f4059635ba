"""Annotated documents as readings: one row of a data set becomes one sentence, numbered alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from smallprint.asking import OpenPolicy
from smallprint.bench.data import DataDir
from smallprint.ingest.assemble import normalise
from smallprint.models.catalogue import shipped
from smallprint.models.passage import lead_in_of
from smallprint.records import Block, BlockKind, Policy, Reading, Segment, Sentence

_KINDS = {"heading": BlockKind.HEADING, "p": BlockKind.PARAGRAPH, "li": BlockKind.ITEM}


def reading_of(row: dict[str, Any]) -> Reading:
    """A row with `sentences` and, where the set has them, `headings` and `kinds`; a kind of another name is a
    paragraph. Each sentence is a segment of its own; sentence ids are the row's own numbers, headings included, so
    that judgements fit."""
    texts = [normalise(text) or "…" for text in row["sentences"]]
    named = row.get("kinds") or None
    kinds = [_KINDS.get(kind, BlockKind.PARAGRAPH) for kind in named or ["p"] * len(texts)]
    paths = [tuple(filter(None, (path or "").split(" > "))) for path in row.get("headings") or [""] * len(texts)]
    blocks, position = [], 0
    for text, kind in zip(texts, kinds, strict=True):
        blocks.append(Block(kind, 1 if kind is not BlockKind.PARAGRAPH else 0, position, position + len(text)))
        position += len(text) + 1
    leads = [lead_in_of(texts, number, named) for number in range(len(texts))]
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


def unseen_questions(data: DataDir, kinds: Collection[str]) -> Iterator[tuple[OpenPolicy, dict[str, Any]]]:
    """Questions of `asked` of these kinds that no shipped weights learned from, each with its policy."""
    documents = {row["doc_id"]: row for row in data.rows("asked/docs.jsonl")}
    rows = [row for row in data.rows("asked/questions.jsonl") if row["kind"] in kinds]
    policies: dict[str, OpenPolicy] = {}
    for row, seen in zip(rows, shipped().seen([row["question"] for row in rows], "reader", "judge"), strict=True):
        if not seen:
            if row["doc_id"] not in policies:
                policies[row["doc_id"]] = OpenPolicy(reading_of(documents[row["doc_id"]]))
            yield policies[row["doc_id"]], row
