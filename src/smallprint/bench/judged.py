"""Benches of the judge: `policyqa` (spans in whole segments) and `answerability` (is there an answer at all?)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.data import DataDir
from smallprint.bench.labelled import only_smallprint
from smallprint.bench.measures import harmonic
from smallprint.bench.report import Report
from smallprint.bench.systems import measured
from smallprint.models.catalogue import shipped
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.passage import Passage, lead_in_of, passage
from smallprint.models.reader import Reader

SHORT_LIST = 30
"""Sentences the reader hands on to the judge: the best of them decides whether there is an answer."""

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def plain(text: str) -> list[str]:
    """Small letters, no punctuation, no articles: how spans are compared since SQuAD."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def span_f1(given: str, gold: str) -> float:
    a, b = Counter(plain(given)), Counter(plain(gold))
    shared = (a & b).total()
    return harmonic(shared / a.total(), shared / b.total()) if shared else float(not a and not b)


def policyqa(data: DataDir, system: str | None = None) -> Report:
    only_smallprint(system)
    part = "test" if data.has("policyqa/test.jsonl") else "dev"
    rows = data.gold(f"policyqa/{part}.jsonl", lambda row: row.get("answers"))
    marker = Marker.load()
    exact, overlap = [], []
    for row in rows:
        mark = marker.mark(row["question"], [Passage(row["context"], 0)])[0]
        given = row["context"][slice(*mark.span)]
        golds = [answer["text"] for answer in row["answers"]]
        exact.append(max(plain(given) == plain(gold) for gold in golds))
        overlap.append(max(span_f1(given, gold) for gold in golds))
    seen = shipped().seen_share([row["context"] for row in rows], "judge")
    note = "The training part's questions are regenerated: drawn from wordings of the same triple."
    return Report(
        "policyqa", data.used, len(rows), {"smallprint": {"em": fmean(exact), "f1": fmean(overlap)}}, seen, (note,)
    )


# row → module:function; each tells how far questions lie on the unanswerable side of its limit.
ANSWERABILITY = {
    "majority": "smallprint.bench.published.baselines:majority",
    "svm-bow": "smallprint.bench.published.baselines:svm_bow",
    "svm-bow+len": "smallprint.bench.published.baselines:svm_bow_len",
    "svm-bow+len+pos": "smallprint.bench.published.baselines:svm_bow_len_pos",
    "cnn": "smallprint.bench.published.cnn:cnn",
    "smallprint": "smallprint.bench.judged:silence",
}
Policies = dict[str, list[str]]
Margins = Callable[[Policies, list[dict[str, Any]]], NDArray[np.float64]]


def answerability(data: DataDir, system: str | None = None) -> Report:
    """A question is unanswerable where no sentence is relevant to the majority."""
    documents = {row["doc_id"]: row["sentences"] for row in data.rows("privacyqa/docs.jsonl")}
    questions = data.gold("privacyqa/questions.jsonl", lambda row: row["doc_id"] in documents)
    gold = np.array([not row["majority_relevant"] for row in questions])

    def score(row: Margins) -> dict[str, float]:
        return detection(gold, row(documents, questions))

    rows, notes = measured(ANSWERABILITY, system, score)
    note = "The rows of 002 see the question alone and learned from `asked`, not from PrivacyQA's own labels."
    seen = shipped().seen_share([row["question"] for row in questions], "judge")
    return Report("answerability", data.used, len(questions), rows, seen, (note, *notes))


def detection(gold: NDArray[np.bool_], margins: NDArray[np.float64]) -> dict[str, float]:
    """Above 0 is called unanswerable; equal margins count half in `auc`."""
    given = margins > 0
    hits = float((gold & given).sum())
    precision, recall = hits / max(1, given.sum()), hits / max(1, gold.sum())
    differences = margins[gold][:, None] - margins[~gold][None, :]
    return {
        "precision": precision,
        "recall": recall,
        "f1": harmonic(precision, recall),
        "accuracy": float((gold == given).mean()),
        "auc": float((np.sign(differences) + 1).mean() / 2) if differences.size else 0.0,
    }


def silence(documents: Policies, questions: list[dict[str, Any]]) -> NDArray[np.float64]:
    """The product: no sentence of the policy is relevant enough."""
    limit: float = shipped().card("judge").settings["silent_below_chance"]
    return limit - _best_relevance(documents, questions)


def _best_relevance(documents: Policies, questions: list[dict[str, Any]]) -> NDArray[np.float64]:
    """For each question the highest relevance on its short list, [questions]; 0 in a policy without sentences."""
    reader, judge = Reader.load(), Judge.load()
    vectors = {name: reader.vectors(sentences) for name, sentences in documents.items()}
    best = []
    for row in questions:
        sentences = documents[row["doc_id"]]
        cosines = vectors[row["doc_id"]] @ reader.question(row["question"]).vector
        near = np.argsort(-cosines, kind="stable")[:SHORT_LIST].tolist()
        passages = [passage(sentences[n], lead_in=lead_in_of(sentences, n)) for n in near]
        judged = judge.judge(row["question"], passages, [float(cosines[n]) for n in near])
        best.append(max((one.relevance for one in judged), default=0.0))
    return np.array(best)
