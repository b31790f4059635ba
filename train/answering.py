"""Recipe for the last step: how the signals of a question add up to a ranking, a verdict, a stance and a confidence.

Fits small linear models on the fifth of `asked` that the encoders never saw, with the shipped encoders as they run, and
writes `answer/weights.json`; kinds and confidence also on the pointed questions that they never saw
(`train/labels/pointed.tsv`). Its own figures are five-fold by policy inside that fifth.

    python -m train.answering
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from smallprint.answer.decide import decide
from smallprint.answer.features import kind_features, right_features, stance_features
from smallprint.answer.judging import Judged, judged
from smallprint.answer.score import Scored, Together, features_of, read_together, score, settle, worth_features
from smallprint.answer.weights import Linear, Weights
from smallprint.bench.documents import reading_of
from smallprint.bench.questions import Asked, asked_scores
from smallprint.bench.systems import outcome_of
from smallprint.models.arbiter import Arbiter, Heard
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.passage import Passage
from smallprint.models.reader import Reader
from smallprint.models.said import SILENT, STANCES, Said
from smallprint.question.understand import understand
from smallprint.records import BlockKind, Question, Sentence
from smallprint.retrieve.shortlist import Retriever
from train import labelled
from train.calibrate import standardised
from train.data import fold_of, rows
from train.exclusions import is_held_out
from train.judge_data import row_of
from train.labelled import Labelled
from train.mining import sentence_of
from train.paths import REPOSITORY, Paths, parser, paths_of, start_log

OUTPUT = REPOSITORY / "src" / "smallprint" / "answer" / "weights.json"
KINDS = ("answerable", "silent", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")
GRADES = {"quoted": 2, "helps": 1}
FOLDS = 5
Values = dict[str, float]


class Remembering(Arbiter):
    """An arbiter that reads sentences together once: folds order them differently, and mostly show the same."""

    def hear(self, question: str, passages: Sequence[Passage]) -> Heard:
        key = question, tuple(passages)
        if key not in self._heard:
            self._heard[key] = super().hear(question, passages)
        return self._heard[key]

    @cached_property
    def _heard(self) -> dict[tuple[str, tuple[Passage, ...]], Heard]:
        return {}


@dataclass(frozen=True, slots=True)
class Row:
    """One question with what the encoders made of it. `looked_at` are the sentences that were graded, None for all."""

    doc_id: str
    gold: dict[str, Any]
    question: Question
    short_list: list[Judged]
    arbiter: Arbiter
    looked_at: frozenset[int] | None

    def read(self, weights: Weights) -> tuple[list[Scored], Together]:
        """The short list, best first, and what its best say together."""
        scored = score(self.short_list, weights)
        return scored, read_together(self.question, scored, self.arbiter)

    def settled(self, weights: Weights) -> tuple[list[Scored], Said]:
        """What the decision stands on."""
        scored, together = self.read(weights)
        return settle(scored, together, weights), together.said

    def graded(self, sentence: Sentence, least: int) -> str:
        grades = dict(map(tuple, self.gold["relevant"]))
        return "yes" if grades.get(sentence.id, 0) >= least else "no"


@dataclass(frozen=True, slots=True)
class Put:
    """A policy, and the questions put to it: rows as `asked` has them, and which sentences were graded for each."""

    doc_id: str
    sentences: list[Sentence]
    questions: list[tuple[dict[str, Any], frozenset[int] | None]]


def of_asked(data: Path) -> Iterator[Put]:
    """The held-out fifth of `asked`."""
    golds: dict[str, list[dict[str, Any]]] = {}
    for gold in rows(data, "asked/questions"):
        golds.setdefault(gold["doc_id"], []).append(gold)
    for document in rows(data, "asked/docs"):
        if is_held_out(document["doc_id"]):
            sentences = [s for s in reading_of(document).sentences if s.kind is not BlockKind.HEADING]
            yield Put(document["doc_id"], sentences, [(gold, None) for gold in golds.get(document["doc_id"], [])])


def of_pointed(paths: Paths) -> Iterator[Put]:
    """The pointed questions that the encoders never saw; only the six sentences found for each were looked at."""
    texts = labelled.Texts(paths)
    found: dict[str, list[Labelled]] = {}
    for one in labelled.held_out(texts):
        found.setdefault(one.policy, []).append(one)
    for policy, questions in sorted(found.items()):
        sentences = [sentence_of(shown) for shown in texts.policy(policy)]
        yield Put(policy, sentences, [(row_of(one), frozenset(s.place for s in one.sentences)) for one in questions])


def of_plain(policies: Sequence[Put], half: int) -> Iterator[Put]:
    """Every second question in plain speech that was held out and that no policy answers, put to these policies by
    turns. By half: the first sets the reader's shares, too."""
    asked = [one for one in labelled.kinds(held_out=True)[half::2] if one[1] in KINDS]
    for turn, put in enumerate(policies):
        golds = [{"question": q, "kind": k, "relevant": [], "stance": "na"} for q, k in asked[turn :: len(policies)]]
        yield replace(put, questions=[(gold, None) for gold in golds])


def collect(policies: Iterable[Put]) -> list[Row]:
    reader, judge, marker, arbiter = Reader.load(), Judge.load(), Marker.load(), Remembering.load()
    collected = []
    for put in policies:
        retriever = Retriever(put.sentences, reader.vectors([s.text for s in put.sentences]).__getitem__)
        own = frozenset(word for s in put.sentences for word in re.findall(r"[a-z]+", s.text.lower()))
        for gold, looked_at in put.questions:
            understood = understand(gold["question"], reader, own)
            question = understood.question
            ranked = retriever.rank(question.text, understood.vector)
            short_list = judged(question, ranked, judge, marker)
            collected.append(Row(put.doc_id, gold, question, short_list, arbiter, looked_at))
    return collected


def fit_linear(examples: Sequence[tuple[Values, str]], outcomes: tuple[str, ...], strength: float = 1.0) -> Linear:
    names = tuple(examples[0][0])
    x = np.array([[values[n] for n in names] for values, _ in examples])
    found, weights, shifts = standardised(x, [outcome for _, outcome in examples], strength)
    order = [found.index(o) for o in outcomes] if len(outcomes) > 1 else [0]
    return Linear(names, outcomes, weights[order].astype(np.float32), shifts[order].astype(np.float32))


def fit(training: Sequence[Row]) -> Weights:
    """Each step on what the one before makes of the rows."""
    blank = Linear((), ("no",), np.zeros((1, 0), np.float32), np.zeros(1, np.float32))
    blanks = Weights(**{field.name: blank for field in fields(Weights)})
    ranked = [r for r in training if r.gold["kind"] in ("answerable", SILENT) and r.looked_at is None]
    weights = replace(blanks, **{name: fit_linear(_alone(ranked, least), ("yes",)) for name, least in GRADES.items()})
    read = [(row, *row.read(weights)) for row in ranked]
    together = {f"{name}_together": fit_linear(_beside(read, least), ("yes",)) for name, least in GRADES.items()}
    weights = replace(weights, **together)
    settled = [(row, row.settled(weights)) for row in training]
    kind = fit_linear([(kind_features(row.question, *s), row.gold["kind"]) for row, s in settled], KINDS, 0.3)
    answered = [
        (row.question, said, row.gold["stance"]) for row, (_, said) in settled if row.gold["kind"] == "answerable"
    ]
    stance = fit_linear([(stance_features(asked, said), right) for asked, said, right in answered], STANCES, 0.06)
    return replace(weights, kind=kind, stance=stance, right=fit_linear(_first_right(settled, kind), ("yes",)))


def _alone(ranked: Sequence[Row], least: int) -> list[tuple[Values, str]]:
    """Every sentence of the short list by itself."""
    return [
        (features, row.graded(one.sentence, least))
        for row in ranked
        for one, features in zip(row.short_list, features_of(row.short_list), strict=True)
    ]


def _beside(read: Sequence[tuple[Row, list[Scored], Together]], least: int) -> list[tuple[Values, str]]:
    """Those that were read together."""
    return [
        (worth_features(one, together.worth[one.sentence.id]), row.graded(one.sentence, least))
        for row, scored, together in read
        for one in scored
        if one.sentence.id in together.worth
    ]


def _first_right(settled: Sequence[tuple[Row, tuple[list[Scored], Said]]], kind: Linear) -> list[tuple[Values, str]]:
    """Over questions that would get an answer: is the first sentence one that people would quote?"""
    examples = []
    for row, (best, said) in settled:
        chances = kind.chances(kind_features(row.question, best, said))
        known = best and (row.looked_at is None or best[0].sentence.id in row.looked_at)
        if known and max(chances, key=lambda k: chances[k]) == "answerable":
            examples.append((right_features(best, said), row.graded(best[0].sentence, 2)))
    return examples


def evaluate(collected: Sequence[Row], weights_for: Callable[[Row], Weights]) -> dict[str, float]:
    """The measures of `bench asked`, with sentences past the short list left out of the ranking."""
    results = []
    for row in collected:
        best, said = row.settled(weights_for(row))
        answer = decide(row.question, best, weights_for(row), said)
        results.append(Asked(row.gold, outcome_of(answer, [s.sentence for s in best])))
    return asked_scores(results)


def _stored(linear: Linear) -> dict[str, object]:
    return {
        "features": linear.features,
        "outcomes": linear.outcomes,
        "weights": np.round(linear.weights.astype(float), 5).tolist(),
        "bias": np.round(linear.bias.astype(float), 5).tolist(),
    }


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "answering")
    policies = list(of_asked(paths.data))
    asked, pointed, plain = collect(policies), collect(of_pointed(paths)), collect(of_plain(policies, 0))
    learned = [*asked, *pointed, *plain]
    by_fold = {f: fit([r for r in learned if fold_of("answering" + r.doc_id) != f]) for f in range(FOLDS)}
    figures = evaluate(asked, lambda row: by_fold[fold_of("answering" + row.doc_id)])
    log.info("five-fold: %s", figures)
    log.info("pointed: %s", evaluate(pointed, lambda row: by_fold[fold_of("answering" + row.doc_id)]))
    final = fit(learned)
    log.info("plain speech, the other half: %s", evaluate(collect(of_plain(policies, 1)), lambda _: final))
    stored: dict[str, object] = {field.name: _stored(getattr(final, field.name)) for field in fields(Weights)}
    stored["five_fold"] = {k: round(v, 4) for k, v in figures.items()}
    OUTPUT.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
