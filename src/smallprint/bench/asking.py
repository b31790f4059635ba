"""`bench asking`: what a question costs on a policy that is read already, and what the short list loses.

Rows: the product, and the same with the judge reading every sentence. `F@5` and `F@10` (any-labels) are on PrivacyQA;
`units` is processor time in U (`bench speed`) of one question, everything included, all threads together, on a policy
of 150 sentences; wall seconds are on all cores there are.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.measures import ranking_scores
from smallprint.bench.questions import any_runs, policies_and_questions, run_system
from smallprint.bench.report import Report
from smallprint.bench.speed import seconds, sentences_of, unit_of
from smallprint.bench.systems import Outcome, System, measured, smallprint
from smallprint.records import Reading

QUESTIONS = 40
"""Of the data set, put to the policy of 150 sentences."""


def judge_all(reading: Reading) -> Callable[[str], Outcome]:
    """The product with every sentence on the short list."""
    return smallprint(reading, short_list=len(reading.sentences))


ROWS = {"smallprint": "smallprint.bench.systems:smallprint", "judge-all": "smallprint.bench.asking:judge_all"}


def run(data: DataDir, system: str | None = None) -> Report:
    readings, questions = policies_and_questions(data, "privacyqa")
    sentences = sentences_of(data)
    unit = seconds(unit_of(sentences))
    policy = reading_of({"doc_id": "a policy of 150 sentences", "sentences": sentences})
    asked = [row["question"] for row in questions[:: max(1, len(questions) // QUESTIONS)]]

    def scores(maker: System) -> dict[str, float]:
        ranked = ranking_scores([(r.ranking, r.relevant) for r in any_runs(run_system(maker, readings, questions))])
        return {name: ranked[name] for name in ("F@5", "F@10")} | costs(maker(policy), asked, unit)

    rows, notes = measured(ROWS, system, scores)
    cores = f"units: {unit:.2f} processor seconds each; wall seconds on {os.cpu_count()} cores."
    return Report("asking", data.used, len(questions), rows, notes=(cores, *notes))


def costs(ask: Callable[[str], object], questions: Sequence[str], unit: float) -> dict[str, float]:
    """After a first question, which reads the policy."""
    ask(questions[0])
    processor, wall = [], []
    for question in questions:
        began = time.process_time(), time.perf_counter()
        ask(question)
        processor.append(time.process_time() - began[0])
        wall.append(time.perf_counter() - began[1])
    return {
        "units": statistics.fmean(processor) / unit,
        "wall_p50": statistics.median(wall),
        "wall_p95": statistics.quantiles(wall, n=20)[-1],
    }
