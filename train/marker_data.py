"""What the marker learns from: where in a passage the answer stands, and what quoted sentences say to a question.

PolicyQA (train part, questions redrawn from the pool of the same triple) gives spans in whole segments, `asked`
spans in sentences and the stance of the sentences that people would quote. Our own labels (`train.labelled`) give far
more stances, and passages beside questions that they do not answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smallprint.models.marker import SAID, SILENT
from smallprint.models.passage import Passage, together
from train.data import Row
from train.judge_data import BARE_SHARE, Asked, Context
from train.labelled import Labelled

IMPERFECT_SHARE = 0.5
"""How often a sentence that only helps or does not belong stands among the quoted ones, as at run time."""
MOST_TOGETHER = 3
NEARBY = 5
"""Where such a sentence stands, if none helps: at most so many sentences off."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Example:
    question: str
    passage: Passage
    spans: tuple[Span, ...] = ()
    """Characters of `passage.text`; any of them is right."""
    said: int = -1
    """A number of `SAID`, -1 where it is not known."""


def policyqa_spans(
    contexts: Sequence[Context], pool: dict[tuple[str, ...], list[str]], draw: random.Random
) -> Iterator[Example]:
    """Every question once; its wording is drawn from its triple's pool."""
    order = [(context, row) for context in contexts for row in context.questions]
    draw.shuffle(order)
    for context, row in order:
        wordings = pool.get(tuple(row["triple"]), [row["question"]])
        spans = tuple((a["start"], a["start"] + len(a["text"])) for a in row["answers"])
        yield Example(draw.choice(wordings), Passage(context.text, 0), spans)


def asked_spans(asked: Asked, draw: random.Random) -> Iterator[Example]:
    """Every question whose span stands in one of its quoted sentences, once, in random order."""
    for row in _of_kind("answerable", asked, draw):
        policy = asked.policies[row["doc_id"]]
        for number in _quoted(row):
            shown = policy.passage(number, bare=draw.random() < BARE_SHARE)
            at = shown.sentence.find(row["span"]) if row["span"] else -1
            if at >= 0:
                start = shown.start + at
                yield Example(row["question"], shown, ((start, start + len(row["span"])),))
                break


def asked_stances(asked: Asked, draw: random.Random) -> Iterator[Example]:
    """Every answerable question once: some of its quoted sentences as one passage, often with one too many."""
    for row in _of_kind("answerable", asked, draw):
        policy = asked.policies[row["doc_id"]]
        offered = set(policy.offered)
        quoted = [n for n in _quoted(row) if n in offered]
        if not quoted:
            continue
        chosen = set(draw.sample(quoted, min(MOST_TOGETHER, len(quoted))))
        if draw.random() < IMPERFECT_SHARE:
            helping = [n for n, grade in row["relevant"] if grade == 1 and n in offered]
            beside = [n for n in policy.offered if n not in chosen and abs(n - quoted[0]) <= NEARBY]
            chosen = {
                *draw.sample(sorted(chosen), min(MOST_TOGETHER - 1, len(chosen))),
                *draw.sample(helping or beside or quoted, 1),
            }
        passage = together([policy.sentences[n] for n in sorted(chosen)])
        yield Example(row["question"], passage, said=SAID.index(row["stance"]))


def asked_silences(asked: Asked, draw: random.Random) -> Iterator[Example]:
    """Every silent question once, with sentences that look most like answers."""
    for row in _of_kind("silent", asked, draw):
        policy = asked.policies[row["doc_id"]]
        near = asked.hard[row["query_id"]][: 2 * MOST_TOGETHER]
        chosen = sorted(draw.sample(near, min(MOST_TOGETHER, len(near))))
        yield Example(row["question"], together([policy.sentences[n] for n in chosen]), said=SAID.index(SILENT))


def labelled_stances(labelled: Sequence[Labelled], draw: random.Random) -> Iterator[Example]:
    """Every labelled question once: the best sentences as they were found, or some that answer with others between."""
    for one in draw.sample(labelled, len(labelled)):
        numbers = range(len(one.sentences))
        first = list(numbers[:MOST_TOGETHER])
        if one.quoted and (draw.random() < IMPERFECT_SHARE or not set(first) & set(one.quoted)):
            answering = draw.sample(one.quoted, min(MOST_TOGETHER, len(one.quoted)))
            others = [n for n in numbers if n not in one.quoted]
            beside = draw.sample(others, min(len(others), draw.randrange(MOST_TOGETHER)))
            first = [*answering, *beside][:MOST_TOGETHER]
        shown = sorted((one.sentences[n] for n in first), key=lambda sentence: sentence.place)
        yield Example(one.question, together([sentence.text for sentence in shown]), said=SAID.index(one.label))


def _of_kind(kind: str, asked: Asked, draw: random.Random) -> list[Row]:
    """In random order."""
    chosen = [q for q in asked.questions if q["kind"] == kind]
    draw.shuffle(chosen)
    return chosen


def _quoted(row: Row) -> list[int]:
    return [n for n, grade in row["relevant"] if grade == 2]
