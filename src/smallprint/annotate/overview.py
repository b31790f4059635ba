"""A policy at a glance: its outline, how long and how hard it is."""

from __future__ import annotations

from smallprint.annotate.readability import flesch_kincaid_grade, reading_minutes
from smallprint.records import BlockKind, Heading, Overview, Policy, Reading


def overview(reading: Reading) -> Overview:
    policy = reading.policy
    return Overview(
        title=policy.title,
        source=policy.source,
        url=policy.url,
        words=policy.words,
        sentences=len(reading.sentences),
        minutes=reading_minutes(policy.words),
        grade=round(flesch_kincaid_grade([s.text for s in reading.sentences]), 1),
        p_policy=policy.p_policy,
        outline=_outline(policy),
        notes=policy.notes,
    )


def _outline(policy: Policy) -> tuple[Heading, ...]:
    headings = [block for block in policy.blocks if block.kind is BlockKind.HEADING]
    ends = [*(block.start for block in headings), len(policy.text)][1:]
    return tuple(
        Heading(
            level=block.level,
            text=policy.text[block.start : block.end],
            start=block.start,
            words=len(policy.text[block.end : end].split()),
        )
        for block, end in zip(headings, ends, strict=True)
    )
