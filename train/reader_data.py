"""What the reader learns from: segments, questions beside their answers, vague sentences, kinds of questions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from smallprint.models.text_spans import phrase_spans
from train.data import HELD_OUT_FOLD, fold_of, rows
from train.exclusions import Exclusions
from train.judge_data import Asked
from train.labelled import Labelled, kinds

Item = TypeVar("Item")

QUESTION_CATEGORIES = ("first", "third", "datasecurity", "dataretention", "user_access", "user_choice", "other")
KINDS = ("in_policies", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")
"""What the words of a question alone can tell: `in_policies` is answerable and silent together."""
VAGUE_CLASSES = 4


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """A question, a text that answers it, and one of the same policy that does not."""

    question: str
    answer: str
    other: str
    policy: str


@dataclass(frozen=True, slots=True)
class Vague:
    text: str
    score: float
    """Mean of people's scores, 1 clear … 4 vague."""
    spans: list[tuple[int, int]]
    """Characters of the phrases that two or more people marked."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    text: str
    categories: np.ndarray
    kind: int
    """-1 where the set does not say."""


def forever(items: Sequence[Item], draw: random.Random) -> Iterator[Item]:
    """The items in a new order each time round."""
    order = list(items)
    while True:
        draw.shuffle(order)
        yield from order


def asked_pairs(asked: Asked, draw: random.Random) -> Iterator[AnswerPair]:
    """Grade 2 sentences three times as often as grade 1; the other text is a hard one or any of the policy."""
    graded = [(q, n) for q in asked.questions for n, g in q["relevant"] for _ in range(3 if g == 2 else 1)]
    for question, number in forever(graded, draw):
        policy = asked.policies[question["doc_id"]]
        relevant = {n for n, _ in question["relevant"]}
        hard = [n for n in asked.hard.get(question["query_id"], []) if n not in relevant][:8]
        other = draw.choice(hard or [n for n in policy.offered if n not in relevant])
        bare = draw.random() < 0.6
        yield AnswerPair(
            question["question"],
            policy.passage(number, bare=bare).text,
            policy.passage(other, bare=bare).text,
            policy.doc_id,
        )


def labelled_pairs(questions: Sequence[Labelled], draw: random.Random) -> Iterator[AnswerPair]:
    """A sentence that answers beside one that was found and does not, or one that answers somebody else."""
    answered = [q for q in questions if q.quoted]
    for question in forever(answered, draw):
        shown = question.sentences
        others = [n for n in range(len(shown)) if n not in question.quoted and n not in question.helps]
        other = shown[draw.choice(others)] if others else draw.choice(draw.choice(answered).sentences)
        answer = shown[draw.choice(question.quoted)]
        bare = draw.random() < 0.6
        hit, miss = (one.passage(bare=bare).text for one in (answer, other))
        yield AnswerPair(question.question, hit, miss, question.policy)


def read_vague(data: Path, split: str, excluded: Exclusions | None) -> list[Vague]:
    found = []
    for row in rows(data, "vagueness/sentences"):
        if row["split"] == split and not (excluded and excluded.covers(row["text"])):
            phrases = [p for p, marks in row["vague_phrases"].items() if marks >= 2]
            found.append(Vague(row["text"], float(row["mean"]), phrase_spans(row["text"], phrases)))
    return found


def kind_of(kind: str) -> int:
    return KINDS.index("in_policies" if kind in ("answerable", "silent") else kind)


def kind_questions(asked: Asked) -> list[AskedQuestion]:
    return [_of_kind(q["question"], q["kind"]) for q in asked.questions]


def plain_questions(*, held_out: bool) -> list[AskedQuestion]:
    """Our own, in plain speech."""
    return [_of_kind(question, kind) for question, kind in kinds(held_out=held_out)]


def kinds_to_learn(asked: Asked) -> list[AskedQuestion]:
    return kind_questions(asked) + plain_questions(held_out=False)


def _of_kind(question: str, kind: str) -> AskedQuestion:
    return AskedQuestion(question, np.full(len(QUESTION_CATEGORIES), np.nan, dtype=np.float32), kind_of(kind))


def category_questions(data: Path, excluded: Exclusions | None, *, held_out: bool) -> list[AskedQuestion]:
    """PrivacyQA's train questions, a fifth of the policies held out; one without a category is known to have none."""
    found = []
    for row in rows(data, "privacyqa/question_categories"):
        if (fold_of(row["doc_id"]) == HELD_OUT_FOLD) != held_out:
            continue
        if excluded and excluded.covers(row["question"]):
            continue
        labels = np.array([c in row["categories"] for c in QUESTION_CATEGORIES], dtype=np.float32)
        found.append(AskedQuestion(row["question"], labels, -1))
    return found
