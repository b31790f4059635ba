"""What the judge learns from: questions with graded sentences of one policy.

A group is one question with some passages of one policy: from `asked`, from questions that were put to other policies
(`train.labelled`), or from PolicyQA (train part, questions redrawn from the pool of the same triple).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from smallprint.models.passage import Passage, lead_in_of
from smallprint.models.said import SILENT
from smallprint.segment.sentences import sentence_spans
from train.data import HELD_OUT_FOLD, Row, fold_of, rows
from train.exclusions import Exclusions, key_of
from train.labelled import Labelled, Shown, Texts, whole
from train.paths import Paths

GRADE_TARGET = {2: 1.0, 1: 0.4, 0: 0.0}
HARD_NEGATIVES, RANDOM_NEGATIVES, POSITIVES = 3, 4, 5
BARE_SHARE = 0.35
"""Share of passages shown without heading or lead-in: some policies have neither."""
NEGATIVE_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Example:
    passage: Passage
    target: float


@dataclass(frozen=True, slots=True)
class Group:
    question: str
    examples: list[Example]


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy that was read as a whole; `offered` are the sentences that can be ranked (headings cannot)."""

    doc_id: str
    sentences: Sequence[Shown]
    offered: list[int]

    def text(self, number: int) -> str:
        return self.sentences[number].text

    def passage(self, number: int, *, bare: bool = False) -> Passage:
        return self.sentences[number].passage(bare=bare)


@dataclass(slots=True)
class Asked:
    policies: dict[str, Policy]
    questions: list[Row]
    hard: dict[str, list[int]] = field(default_factory=dict)
    """For each query_id the sentences that look most like answers, best first."""


def read_asked(data: Path, *, held_out: bool, fold: int = HELD_OUT_FOLD) -> Asked:
    """One side of `asked`: the policies to learn from, or the fifth that is held out."""
    policies = {
        row["doc_id"]: policy_of(row)
        for row in rows(data, "asked/docs")
        if (fold_of(row["doc_id"]) == fold) == held_out
    }
    return Asked(policies, [q for q in rows(data, "asked/questions") if q["doc_id"] in policies])


def policy_of(row: Row) -> Policy:
    """A row of `asked/docs`."""
    texts, kinds = row["sentences"], row["kinds"]
    shown = [Shown(n, texts[n], row["headings"][n], lead_in_of(texts, n, kinds)) for n in range(len(texts))]
    return Policy(row["doc_id"], shown, [n for n, kind in enumerate(kinds) if kind != "heading"])


def as_asked(questions: Sequence[Labelled]) -> Asked:
    """Our own questions to whole policies, in the form of `asked`."""
    policies = {one.policy: Policy(one.policy, one.sentences, list(range(len(one.sentences)))) for one in questions}
    return Asked(policies, [row_of(one) for one in questions])


def row_of(one: Labelled) -> Row:
    """One of our own questions as a row of `asked/questions`; sentences go by their places."""
    silent = one.label == SILENT
    graded = [(n, 1) for n in one.helps] + [(n, 2) for n in one.quoted]
    return {
        "query_id": key_of([one.policy, one.question]).hex(),
        "doc_id": one.policy,
        "question": one.question,
        "kind": SILENT if silent else "answerable",
        "stance": "na" if silent else one.label,
        "relevant": [[one.sentences[n].place, grade] for n, grade in graded],
        "span": "",
    }


def to_learn_from(paths: Paths, excluded: Exclusions) -> Asked:
    """`asked` and our own questions to whole policies, without what is measured on."""
    asked = read_asked(paths.data, held_out=False)
    own = as_asked(whole(Texts(paths), held_out=False))
    return without(Asked(asked.policies | own.policies, asked.questions + own.questions), excluded)


def apart(asked: Asked) -> tuple[Asked, Asked]:
    """The questions of the set, and our own: those have no topic."""
    theirs, ours = ([q for q in asked.questions if ("topic" in q) == whether] for whether in (True, False))
    return replace(asked, questions=theirs), replace(asked, questions=ours)


def without(asked: Asked, excluded: Exclusions, share: float = 0.2) -> Asked:
    """Leave out policies of which more than `share` of the sentences are measured elsewhere."""
    kept = {
        name: policy
        for name, policy in asked.policies.items()
        if np.mean([excluded.covers(s.text) for s in policy.sentences]) <= share
    }
    return Asked(kept, [q for q in asked.questions if q["doc_id"] in kept and not excluded.covers(q["question"])])


def not_asked_in(measured: Asked, questions: Sequence[Labelled]) -> list[Labelled]:
    """Those whose wording stands in no question that is measured on, to whichever policy they were put."""
    asked = {row["question"] for row in measured.questions}
    return [one for one in questions if one.question not in asked]


def asked_group(asked: Asked, question: Row, draw: random.Random) -> Group:
    """One question of `asked` with its graded sentences and fresh negatives."""
    policy = asked.policies[question["doc_id"]]
    grades = {n: g for n, g in question["relevant"] if n in policy.offered}
    positives = sorted(grades, key=lambda n: (-grades[n], draw.random()))[:POSITIVES]
    others = [n for n in policy.offered if n not in grades]
    hard = [n for n in asked.hard.get(question["query_id"], []) if n not in grades][: 3 * HARD_NEGATIVES]
    chosen = draw.sample(hard, min(HARD_NEGATIVES, len(hard)))
    rest = [n for n in others if n not in chosen]
    chosen += draw.sample(rest, min(RANDOM_NEGATIVES, len(rest)))
    examples = [
        Example(policy.passage(n, bare=draw.random() < BARE_SHARE), GRADE_TARGET[grades.get(n, 0)])
        for n in positives + chosen
    ]
    return Group(question["question"], examples)


def asked_epoch(asked: Asked, draw: random.Random) -> Iterator[Group]:
    """Every answerable and silent question, and a tenth of the others (no sentence answers those either)."""
    questions = [q for q in asked.questions if q["kind"] in ("answerable", "silent") or draw.random() < 0.1]
    draw.shuffle(questions)
    for question in questions:
        yield asked_group(asked, question, draw)


def labelled_groups(questions: Sequence[Labelled], draw: random.Random) -> Iterator[Group]:
    """Questions whose best sentences were graded one by one, in a new order each time round."""
    graded = [q for q in questions if q.graded]
    while True:
        for question in draw.sample(graded, len(graded)):
            grades = dict.fromkeys(question.helps, 1) | dict.fromkeys(question.quoted, 2)
            examples = [
                Example(shown.passage(bare=draw.random() < BARE_SHARE), GRADE_TARGET[grades.get(number, 0)])
                for number, shown in enumerate(question.sentences)
            ]
            yield Group(question.question, examples)


@dataclass(frozen=True, slots=True)
class Context:
    """One segment of PolicyQA with all questions asked of it, and where its sentences lie."""

    text: str
    policy: str
    questions: list[Row]
    sentences: list[tuple[int, int]]

    @property
    def categories(self) -> set[str]:
        return {row["triple"][0] for row in self.questions}


def read_policyqa(data: Path, name: str, excluded: Exclusions | None) -> list[Context]:
    found: dict[str, list[Row]] = {}
    for row in rows(data, f"policyqa/{name}"):
        found.setdefault(row["context"], []).append(row)
    return [
        Context(text, asked[0]["policy"], asked, sentence_spans(text))
        for text, asked in found.items()
        if excluded is None or not excluded.covers(text)
    ]


def policyqa_groups(
    contexts: list[Context], pool: dict[tuple[str, ...], list[str]], draw: random.Random
) -> Iterator[Group]:
    """The sentence around a span as an answer, and sentences of the same policy about other practices as none. A
    question's wording is drawn again from its triple's pool each time."""
    by_policy: dict[str, list[Context]] = {}
    for context in contexts:
        by_policy.setdefault(context.policy, []).append(context)
    order = [(context, row) for context in contexts for row in context.questions]
    draw.shuffle(order)
    for context, row in order:
        wordings = pool.get(tuple(row["triple"]), [row["question"]])
        answer = draw.choice(row["answers"])
        span = (answer["start"], answer["start"] + len(answer["text"]))
        others = [c for c in by_policy[context.policy] if row["triple"][0] not in c.categories and c.sentences]
        apart = draw.sample(others, min(NEGATIVE_SENTENCES, len(others)))
        negatives = [c.text[slice(*draw.choice(c.sentences))] for c in apart]
        around = [(a, b) for a, b in context.sentences if a < span[1] and b > span[0]][:1]
        yield Group(
            draw.choice(wordings),
            [
                *(Example(Passage(context.text[a:b], 0), target=1.0) for a, b in around),
                *(Example(Passage(sentence, 0), target=0.0) for sentence in negatives),
            ],
        )


def read_pool(data: Path) -> dict[tuple[str, ...], list[str]]:
    return {
        tuple(row["triple"]): [q for q, n in row["questions"].items() for _ in range(n)]
        for row in rows(data, "policyqa/question_pool")
    }
