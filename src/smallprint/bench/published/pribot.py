"""PriBot and SemVec (S8): answers ranked by what their practices share with those of the question.

Formulas are those of 003, sections 7.2 and 8.2. Segments are the sentences of the bench.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from smallprint.bench.published.polisis import Classified, Polisis, Value, polisis
from smallprint.bench.systems import Outcome, by_scores, rankable
from smallprint.models.session import Floats
from smallprint.records import Reading, Verdict

ACCEPTED = 0.6
"""The confidence that 003 asks of an answer before it is shown."""


def practices(categories: Floats, values: Floats, columns: Sequence[tuple[int, int]]) -> Floats:
    """vec(t)[c, v] = p(c|t)² · p(v|t), one number for each column: a category's place and a value's."""
    parents, own = ([pair[side] for pair in columns] for side in (0, 1))
    column: Floats = categories[parents] ** 2 * values[own]
    return column


def certainty(categories: Floats) -> float:
    """cer(t) = 1 − H(pₙ) / ln|C|: 1 where one category takes all, 0 where all are alike."""
    shares = categories / max(float(categories.sum()), 1e-12)
    known = shares[shares > 0]
    return float(1 + (known * np.log(known)).sum() / np.log(len(categories)))


def closeness(question: Floats, answer: Floats, answer_certainty: float) -> float:
    """s(q, a) = Σ βᵢ·min(βᵢ, αᵢ) / Σ βᵢ² · cer(a); 0 for a question about nothing."""
    total = float((question**2).sum())
    return float((question * np.minimum(question, answer)).sum()) / total * answer_certainty if total else 0.0


def confidence(score: float, question_certainty: float, known_share: float) -> float:
    """conf(q, a) = s(q, a) · (cer(q) + frac(q)) / 2"""
    return score * (question_certainty + known_share) / 2


def columns_of(values: Sequence[Value], categories: Sequence[str]) -> list[tuple[int, int]]:
    """Each value under its category; a value of "Other" that is a label by itself is its own category. Values of no
    label are left out."""
    parents = [value if value in categories else category for category, _, value in values]
    return [(categories.index(parent), own) for own, parent in enumerate(parents) if parent in categories]


def pribot(reading: Reading, classifier: Polisis | None = None) -> Callable[[str], Outcome]:
    """An answer is accepted, and said to be one, from a confidence of .6."""
    classify = classifier or polisis()
    columns = columns_of(classify.values, classify.categories)
    sentences = rankable(reading)
    read = [classify(sentence.text) for sentence in sentences]
    answers = [(practices(r.categories, r.values, columns), certainty(r.categories)) for r in read]

    def ask(question: str) -> Outcome:
        asked: Classified = classify(question)
        wanted = practices(asked.categories, asked.values, columns)
        ranked = by_scores(sentences, scores := [closeness(wanted, *answer) for answer in answers])
        sure = confidence(max(scores, default=0.0), certainty(asked.categories), classify.known_share(question))
        return replace(ranked, confidence=sure, verdict=Verdict.ANSWERED if sure >= ACCEPTED else Verdict.SILENT)

    return ask


def semvec(reading: Reading, classifier: Polisis | None = None) -> Callable[[str], Outcome]:
    """Nearest by Euclidean distance between the hidden layers of one classifier of all values."""
    classify = classifier or polisis()
    sentences = rankable(reading)
    meanings = np.array([classify(sentence.text).meaning for sentence in sentences], dtype=np.float32)

    def ask(question: str) -> Outcome:
        distances = np.linalg.norm(meanings - classify(question).meaning, axis=1) if sentences else np.zeros(0)
        return by_scores(sentences, (1 / (1 + distances)).tolist())

    return ask
