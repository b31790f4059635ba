"""Small policies, and groups of policies that were counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

from smallprint.ingest.assemble import assemble
from smallprint.norms.figures import ALL, Group, Norms, Spread
from smallprint.records import Answer, BlockKind, Evidence, Piece, Policy, Practice, Question, Reading, Stance, Verdict
from smallprint.segment import segment

TYPE = "Personal Information Type"


def reading(*paragraphs: str) -> Reading:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, text) for text in paragraphs])
    return segment(Policy("-", "", text, blocks, "text/plain"))


def practice(number: int, category: str, *values: tuple[str, str]) -> Practice:
    """Of a paragraph that is one sentence."""
    return Practice(number, category, 0.9, values, (), (number,) * len(values))


def collects(number: int, value: str) -> Practice:
    return practice(number, "first", (TYPE, value))


def group(policies: int, said: Mapping[str, tuple[int, ...]], *, vague: float = 0.2) -> Group:
    spread = Spread(policies, (0.0, 0.1, vague, 0.4, 0.5))
    grade = Spread(policies, (9.0, 10.0, 12.0, 14.0, 16.0))
    return Group(policies, said, {"tracking/cookies": policies // 2}, spread, grade, {"first": spread})


def norms(**groups: Group) -> Norms:
    return Norms("corpus", "model", {ALL: groups.pop("all"), **groups})


def silent(text: str) -> Answer:
    return Answer(Question(text), Verdict.SILENT, Stance.NA, "", 0.9)


def answered(text: str, source: Reading, number: int, confidence: float) -> Answer:
    evidence = Evidence(source.sentences[number], (0, 1), confidence)
    return Answer(Question(text), Verdict.ANSWERED, Stance.YES, "", confidence, evidence=(evidence,))
