"""S4's own data: a policy's headings are questions, the paragraph below each is its answer.

`bench headings` draws sections of the policies that `bilstm` has not seen and puts each heading to every system with
two candidates: its own paragraph and one from another section of the same policy.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.measures import ranking_scores
from smallprint.bench.report import Report
from smallprint.bench.systems import SYSTEMS, System, measured
from smallprint.models.vectors import words_of

INDICATORS = ("why", "when", "how", "what")
"""Words put before a heading to make it sound like a question."""
ROWS = ("random", "bm25", "bilstm", "minilm", "smallprint")
LEAST_SECTIONS = 4
LEAST_WORDS, MOST_CHARACTERS = 10, 600
COMMON = frozenset(("the", "and", "of", "to", "we", "you", "your", "our", "or", "in", "for", "this", "may", "not"))
LEAST_COMMON = 0.2
"""Share of such words that a text needs to count as English."""
_HEADING = re.compile(r"^#{1,6}\s+(.{3,90})$")
_MARKS = re.compile(r"[*_`#]+|\[|\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with its answer and a paragraph of the same policy that is none."""

    question: str
    good: str
    bad: str


def is_held_out(service: str) -> bool:
    """One service in five is never trained on; a hash, so that it depends on nothing but the name."""
    return hashlib.sha256(service.encode()).digest()[0] % 5 == 0


def sections_of(text: str) -> list[Section]:
    """Markdown headings, each with the first paragraph below it; empty for a text in another language."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = []
    for line, below in pairwise(lines):
        heading = _HEADING.match(line)
        if heading and not _HEADING.match(below) and len(words_of(below)) >= LEAST_WORDS:
            found.append(Section(_plain(heading.group(1)), _plain(below)[:MOST_CHARACTERS]))
    words = [word for section in found for word in words_of(section.text)]
    english = sum(word in COMMON for word in words) >= LEAST_COMMON * len(words)
    return found if english else []


def _plain(markdown: str) -> str:
    return " ".join(_MARKS.sub(" ", markdown).split())


def question_of(heading: str, draw: random.Random) -> str:
    """A heading that asks already stays as it is."""
    asks = words_of(heading)[:1] and words_of(heading)[0] in {*INDICATORS, "who", "which", "where", "do", "does"}
    return heading if asks else f"{draw.choice(INDICATORS)} {heading}"


def pairs_of(sections: list[Section], draw: random.Random) -> Iterator[Pair]:
    for section in sections:
        others = [other.text for other in sections if other.heading != section.heading and other.text != section.text]
        if others:
            yield Pair(question_of(section.heading, draw), section.text, draw.choice(others))


def held_out_pairs(rows: Iterable[dict[str, Any]]) -> list[Pair]:
    """One pair of each held-out policy that has enough sections, the same one on each run."""
    found: list[Pair] = []
    for row in rows:
        sections = sections_of(row["text"]) if is_held_out(row["service"]) else []
        draw = random.Random(row["id"])
        pairs = list(pairs_of(sections, draw))
        if len(sections) >= LEAST_SECTIONS and pairs:
            found.append(draw.choice(pairs))
    return found


def run(data: DataDir, system: str | None = None) -> Report:
    pairs = held_out_pairs(data.iterate("corpus/policies.jsonl"))
    rows, notes = measured({row: SYSTEMS[row] for row in ROWS}, system, lambda maker: _scores(maker, pairs))
    return Report("headings", data.used, len(pairs), rows, notes=notes)


def _scores(maker: System, pairs: Sequence[Pair]) -> dict[str, float]:
    scores = ranking_scores([_asked(maker, pair) for pair in pairs])
    return {"top_1": scores["F@1"], "MRR": scores["MRR"]}


def _asked(maker: System, pair: Pair) -> tuple[tuple[int, ...], set[int]]:
    """The ranking, and where the answer stands; the order of the two tells nothing about it."""
    candidates = sorted((pair.good, pair.bad))
    reading = reading_of({"doc_id": "two paragraphs", "sentences": candidates})
    return maker(reading)(pair.question).ranking, {candidates.index(pair.good)}
