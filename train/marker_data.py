"""What marker and arbiter learn from: where in a passage the answer stands, and what sentences say to a question.

PolicyQA (train part, questions redrawn from the pool of the same triple) gives spans in whole segments, `asked`
spans in sentences and the stance of the sentences that people would quote. Our own labels (`train.labelled`) give far
more stances, and passages beside questions that they do not answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from smallprint.models.passage import Passage
from smallprint.models.said import SAID, SILENT
from train.data import Row
from train.judge_data import BARE_SHARE, Asked, Context
from train.labelled import Labelled

MISSED = 0.15
"""How often a sentence that people would quote is not among those shown, as at run time..."""
HELPING = 0.6
"""...and how often one that helps is."""
FEWER = 0.2
"""How often only the sentences that answer are shown, and none beside them: short policies have no more."""

FEW, NEAR = 3, 8
"""Sentences that are shown where nothing stands beside an answer; one that is none is among the likeliest so many."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Example:
    question: str
    passages: tuple[Passage, ...]
    """Read as one text, in the policy's order."""
    spans: tuple[Span, ...] = ()
    """Characters of the only passage; any of them is right."""
    said: int = -1
    """A number of `SAID`, -1 where it is not known."""
    grades: tuple[int, ...] = ()
    """Of each passage's sentence: would it be quoted (2), does it help (1) or neither (0); none where nobody looked at
    them one by one."""


def forever(epoch: Callable[[], Iterator[Example]]) -> Iterator[Example]:
    while True:
        yield from epoch()


def draws(*sources: tuple[Iterator[Example], int]) -> Iterator[list[Example]]:
    """Again and again so many of each source."""
    while True:
        yield [example for source, count in sources for example in islice(source, count)]


def policyqa_spans(
    contexts: Sequence[Context], pool: dict[tuple[str, ...], list[str]], draw: random.Random
) -> Iterator[Example]:
    """Every question once; its wording is drawn from its triple's pool."""
    order = [(context, row) for context in contexts for row in context.questions]
    draw.shuffle(order)
    for context, row in order:
        wordings = pool.get(tuple(row["triple"]), [row["question"]])
        spans = tuple((a["start"], a["start"] + len(a["text"])) for a in row["answers"])
        yield Example(draw.choice(wordings), (Passage(context.text, 0),), spans)


def asked_spans(asked: Asked, draw: random.Random) -> Iterator[Example]:
    """Every question whose span stands in one of its quoted sentences, once, in random order."""
    for row in _of_kind(("answerable",), asked, draw):
        policy = asked.policies[row["doc_id"]]
        for number in _quoted(row):
            shown = policy.passage(number, bare=draw.random() < BARE_SHARE)
            at = shown.sentence.find(row["span"]) if row["span"] else -1
            if at >= 0:
                start = shown.start + at
                yield Example(row["question"], (shown,), ((start, start + len(row["span"])),))
                break


def asked_said(asked: Asked, draw: random.Random, most: int) -> Iterator[Example]:
    """Every answerable or silent question once: graded sentences among what looks most like answers, as if just found;
    `most` of them in all."""
    for row in _of_kind(("answerable", SILENT), asked, draw):
        policy, silent = asked.policies[row["doc_id"]], row["kind"] == SILENT
        grades = {n: grade for n, grade in row["relevant"] if n in policy.offered}
        quoted = [n for n, grade in grades.items() if grade == 2]
        found = [n for n in quoted if draw.random() >= MISSED] or quoted[:1]
        if silent or draw.random() >= FEWER:
            found += [n for n, grade in grades.items() if grade == 1 and draw.random() < HELPING]
            near = [n for n in asked.hard[row["query_id"]] if n not in grades][: 2 * most]
            found += draw.sample(near, min(len(near), max(0, most - len(found))))
        if found and (quoted or silent):
            said = SAID.index(SILENT if silent else row["stance"])
            bare, shown = draw.random() < BARE_SHARE, sorted(found[:most])
            passages = tuple(policy.passage(n, bare=bare) for n in shown)
            yield Example(row["question"], passages, said=said, grades=tuple(grades.get(n, 0) for n in shown))


def asked_briefly(asked: Asked, draw: random.Random) -> Iterator[Example]:
    """Every yes-no or silent question once, with nothing but what answers it, or a few sentences that come near: a
    quarter of the pieces, and as much to be learned about reading."""
    for row in _of_kind(("answerable", SILENT), asked, draw):
        policy, silent = asked.policies[row["doc_id"]], row["kind"] == SILENT
        answers = [n for n in _quoted(row) if n in policy.offered and row["stance"] != "na"]
        near = asked.hard[row["query_id"]][:NEAR]
        shown = draw.sample(near, min(len(near), draw.randint(1, FEW))) if silent else answers[:FEW]
        if shown:
            bare = draw.random() < BARE_SHARE
            passages = tuple(policy.passage(n, bare=bare) for n in sorted(shown))
            yield Example(row["question"], passages, said=SAID.index(SILENT if silent else row["stance"]))


def labelled_stances(labelled: Sequence[Labelled], draw: random.Random, fewer: float = FEWER) -> Iterator[Example]:
    """Every labelled question once, with the sentences that its label was given for, or those of them that answer."""
    for one in draw.sample(labelled, len(labelled)):
        chosen = one.quoted if one.quoted and draw.random() < fewer else range(len(one.sentences))
        shown = sorted(chosen, key=lambda n: one.sentences[n].place)
        bare = draw.random() < BARE_SHARE
        passages = tuple(one.sentences[n].passage(bare=bare) for n in shown)
        grades = tuple(2 if n in one.quoted else int(n in one.helps) for n in shown) if one.graded else ()
        yield Example(one.question, passages, said=SAID.index(one.label), grades=grades)


def _of_kind(kinds: tuple[str, ...], asked: Asked, draw: random.Random) -> list[Row]:
    """In random order."""
    chosen = [q for q in asked.questions if q["kind"] in kinds]
    draw.shuffle(chosen)
    return chosen


def _quoted(row: Row) -> list[int]:
    return [n for n, grade in row["relevant"] if grade == 2]
