"""Query-guided summaries (001, S6), and `bench paraphrases`, its Table 3.

A = R + I for each paraphrase and segment, the highest over the paraphrases counts; five segments are the summary.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

import numpy as np

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.published.pairs import Segments, networks
from smallprint.bench.published.paraphrase import METHODS, can_translate, paraphrases
from smallprint.bench.report import Report
from smallprint.bench.systems import Outcome, by_scores, left_out, rankable
from smallprint.errors import DataMissing
from smallprint.models.session import Floats, sigmoid
from smallprint.records import Reading

SUMMARY = 5


def summary(reading: Reading) -> Callable[[str], Outcome]:
    return _summary(reading, lambda question: [question, *paraphrases(question)], detector=True)


def without_expansion(reading: Reading) -> Callable[[str], Outcome]:
    return _summary(reading, lambda question: [question], detector=True)


def without_expansion_and_detector(reading: Reading) -> Callable[[str], Outcome]:
    return _summary(reading, lambda question: [question], detector=False)


def _summary(reading: Reading, wordings: Callable[[str], list[str]], *, detector: bool) -> Callable[[str], Outcome]:
    sentences = rankable(reading)
    segments = Segments.of([sentence.text for sentence in sentences])
    relevance, informativeness = networks()
    relevant, informative = relevance.prepare(segments), informativeness.prepare(segments)

    def answerability(wording: str) -> Floats:
        """A = R + I, I as the chance that there is a span at all: both on one scale."""
        score = relevance(wording, relevant)
        return score + sigmoid(informativeness(wording, informative)) if detector else score

    def ask(question: str) -> Outcome:
        if not sentences:
            return by_scores([], [])
        best = np.max([answerability(wording) for wording in wordings(question)], axis=0)
        return by_scores(sentences, (best - best.min() + 1e-6).tolist(), SUMMARY)

    return ask


def table(data: DataDir, system: str | None = None) -> Report:
    """Pairs of a question and a relevant sentence in which the detector finds no answer: does saying it otherwise
    help? Each method is a row; `all` puts them together."""
    methods = {**METHODS, "all": paraphrases}
    if system is not None and system not in methods:
        raise DataMissing(f"There is no method {system!r} here (known: {', '.join(methods)}).")
    detector = networks()[1]
    questions = [row for row in data.rows("privacyqa/questions.jsonl") if row["any_relevant"]]
    texts = {row["doc_id"]: reading_of(row) for row in data.rows("privacyqa/docs.jsonl")}
    silent = {}
    for number, row in enumerate(questions):
        relevant = [texts[row["doc_id"]].sentences[n].text for n in row["any_relevant"]]
        found = detector.finds(row["question"], detector.prepare(Segments.of(relevant)))
        silent[number] = [text for text, answer in zip(relevant, found, strict=True) if not answer]
    share = sum(map(len, silent.values())) / max(1, sum(len(row["any_relevant"]) for row in questions))
    notes = [f"The detector finds no answer in {share:.1%} of the pairs of a question and a relevant sentence."]
    if not can_translate():
        notes.append("No Apertium with English and Spanish is installed here: back-translation says nothing.")
    rows = {}
    for name in (name for name in methods if system in (None, name)):
        try:
            rows[name] = _method(methods[name], questions, silent)
        except ModuleNotFoundError as missing:
            notes.append(left_out(name, system, missing))
    return Report("paraphrases", data.used, len(questions), rows, None, tuple(notes))


def _method(
    say: Callable[[str], list[str]], questions: list[dict[str, str]], silent: dict[int, list[str]]
) -> dict[str, float]:
    """`paraphrases` a question (no fraction), `retrieved`: pairs that at least one of them opens, `answerable`: pairs
    of a paraphrase and such a sentence in which there is an answer now."""
    detector = networks()[1]
    said = [say(row["question"]) for row in questions]
    opened: list[bool] = []
    answerable: list[bool] = []
    for number, texts in silent.items():
        if texts:
            prepared = detector.prepare(Segments.of(texts))
            found = [detector.finds(paraphrase, prepared) for paraphrase in said[number]]
            opened += [any(column) for column in zip(*found, strict=True)] if found else [False] * len(texts)
            answerable += [answer for row in found for answer in row]
    return {
        "paraphrases": fmean([len(one) for one in said]) if said else 0.0,
        "retrieved": fmean(opened) if opened else 0.0,
        "answerable": fmean(answerable) if answerable else 0.0,
    }
