"""S7's baselines (002 §4): sentences by word count or none at all; a linear SVM that tells from a question alone
whether it can be answered.

The SVM knows 200 words; `+len` adds how many words the question has, `+pos` how often each of 27 parts of speech
occurs. `train/published_answerability.py` makes the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.systems import Outcome, rankable, word_count
from smallprint.models.vectors import words_of
from smallprint.records import Reading, Verdict

Floats = NDArray[np.float64]
Policies = dict[str, list[str]]
Rows = list[dict[str, Any]]
WORDS, TAGS = 200, 27
LENGTH_SCALE = 10.0
"""A question of so many words has length one, so that its length weighs about as much as a word."""


def no_answer(reading: Reading) -> Callable[[str], Outcome]:
    """Shows nothing, whatever is asked; its ranking is the order of the policy."""
    outcome = Outcome(tuple(s.id for s in rankable(reading)), (), Verdict.SILENT)
    return lambda _: outcome


def word_count_2(reading: Reading) -> Callable[[str], Outcome]:
    return word_count(reading, 2)


def word_count_5(reading: Reading) -> Callable[[str], Outcome]:
    return word_count(reading, 5)


def majority(documents: Policies, questions: Rows) -> Floats:
    """002's lower bound calls every question unanswerable, though most are not."""
    del documents
    return np.ones(len(questions))


class Svm:
    """How far a question lies on the unanswerable side. Each row of weights has those of the words, then of the length,
    then of the tags, as far as it uses them, and a shift at its end."""

    def __init__(self, stored: Mapping[str, NDArray[np.generic]]) -> None:
        self._words, self._tags = (bytes(stored[name].tobytes()).decode().split("\n") for name in ("words", "tags"))
        self._rows = {name: stored[name].astype(np.float64) for name in ("bow", "len", "pos")}

    @classmethod
    @cache
    def load(cls) -> Svm:
        path = files("smallprint.bench.published").joinpath("weights", "svm.npz")
        with path.open("rb") as stream, np.load(stream) as stored:
            return cls({name: stored[name] for name in stored.files})

    def margins(self, questions: Sequence[str], row: str) -> Floats:
        texts = [words_of(question) for question in questions]
        columns = [counts(texts, self._words)]
        if row != "bow":
            columns.append(lengths(texts))
        if row == "pos":
            columns.append(counts([parts_of_speech(words) for words in texts], self._tags))
        weights = self._rows[row]
        margins: Floats = np.hstack(columns) @ weights[:-1] + weights[-1]
        return margins


def counts(texts: Sequence[Sequence[str]], known: Sequence[str]) -> Floats:
    """How often each known item occurs, [texts, known]."""
    return np.array([[text.count(item) for item in known] for text in texts], np.float64)


def lengths(texts: Sequence[Sequence[str]]) -> Floats:
    return np.array([[len(text) / LENGTH_SCALE] for text in texts])


@cache
def _tagger() -> Callable[[list[str]], list[tuple[str, str, str]]]:
    from HanTa.HanoverTagger import HanoverTagger

    tag_sent: Callable[[list[str]], list[tuple[str, str, str]]] = HanoverTagger("morphmodel_en.pgz").tag_sent
    return tag_sent


def parts_of_speech(words: Sequence[str]) -> list[str]:
    return [tag for _, _, tag in _tagger()(list(words))]


def svm_bow(documents: Policies, questions: Rows) -> Floats:
    del documents
    return Svm.load().margins([row["question"] for row in questions], "bow")


def svm_bow_len(documents: Policies, questions: Rows) -> Floats:
    del documents
    return Svm.load().margins([row["question"] for row in questions], "len")


def svm_bow_len_pos(documents: Policies, questions: Rows) -> Floats:
    del documents
    return Svm.load().margins([row["question"] for row in questions], "pos")
