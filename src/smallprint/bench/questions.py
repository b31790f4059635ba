"""`bench privacyqa` and `bench asked`: whole policies, people's questions, judged sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.measures import harmonic, ranking_scores, sentence_selection
from smallprint.bench.published.measures import Run, table_measures
from smallprint.bench.report import Report
from smallprint.bench.systems import SYSTEMS, Outcome, System, measured
from smallprint.models.catalogue import shipped
from smallprint.records import Reading

CONFIDENT = 0.7
KINDS = ("answerable", "silent", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a data set with what a system made of it."""

    row: dict[str, Any]
    outcome: Outcome

    @property
    def kind(self) -> str:
        return "answerable" if self.outcome.verdict.is_answer else str(self.outcome.verdict)

    @property
    def unknown(self) -> frozenset[int]:
        return frozenset(self.row.get("unknown") or ())

    @property
    def grades(self) -> dict[int, int]:
        """Of each sentence that bears on the question; a grade of 0 is none."""
        return {number: grade for number, grade in self.row.get("relevant") or () if grade >= 1}

    @property
    def gold_stance(self) -> str:
        return self.row.get("stance") or "na"


def privacyqa(data: DataDir, system: str | None = None) -> Report:
    readings, questions = policies_and_questions(data, "privacyqa")

    def scores(maker: System) -> dict[str, float]:
        results = run_system(maker, readings, questions)
        return {**_privacyqa_scores(results), **table_measures(any_runs(results), readings)}

    rows, notes = measured(SYSTEMS, system, scores)
    return Report("privacyqa", data.used, len(questions), rows, _seen(questions), notes)


def asked(data: DataDir, system: str | None = None) -> Report:
    readings, questions = policies_and_questions(data, "asked")

    def scores(maker: System) -> dict[str, float]:
        results = run_system(maker, readings, questions)
        return {**asked_scores(results), **table_measures(_graded_runs(results), readings)}

    rows, notes = measured(SYSTEMS, system, scores)
    note = "Questions and labels of this set were written by a language model, not by crowd workers."
    return Report("asked", data.used, len(questions), rows, _seen(questions), (note, *notes))


def policies_and_questions(data: DataDir, folder: str) -> tuple[dict[str, Reading], list[dict[str, Any]]]:
    """A question on a policy that is not there is left out."""
    readings = {row["doc_id"]: reading_of(row) for row in data.rows(f"{folder}/docs.jsonl")}
    return readings, data.gold(f"{folder}/questions.jsonl", lambda row: row["doc_id"] in readings)


def _seen(questions: list[dict[str, Any]]) -> float:
    """The share of the questions that the shipped weights learned from."""
    return round(shipped().seen_share([row["question"] for row in questions], "reader", "judge"), 4)


def run_system(maker: System, readings: dict[str, Reading], questions: list[dict[str, Any]]) -> list[Asked]:
    by_document: dict[str, list[dict[str, Any]]] = {name: [] for name in readings}
    for row in questions:
        by_document[row["doc_id"]].append(row)
    results = []
    for name, rows in by_document.items():
        ask = maker(readings[name])
        results += [Asked(row, ask(row["question"])) for row in rows]
    return results


def any_runs(results: Sequence[Asked]) -> list[Run]:
    """Sentences of `unknown` have no any-label: any-scoring neither ranks nor counts them."""
    runs = []
    for r in results:
        unknown = r.unknown
        ranking = tuple(i for i in r.outcome.ranking if i not in unknown)
        runs.append(Run(r.row["doc_id"], r.outcome, ranking, frozenset(r.row["any_relevant"])))
    return runs


def _graded_runs(results: Sequence[Asked]) -> list[Run]:
    """Answerable questions with the sentences of any grade."""
    return [
        Run(r.row["doc_id"], r.outcome, r.outcome.ranking, frozenset(r.grades))
        for r in results
        if r.row["kind"] == "answerable"
    ]


def _privacyqa_scores(results: list[Asked]) -> dict[str, float]:
    any_shown, majority_runs, majority_shown = [], [], []
    for result in results:
        row, outcome = result.row, result.outcome
        any_shown.append(([i for i in outcome.shown if i not in result.unknown], set(row["any_relevant"])))
        majority_runs.append((outcome.ranking, set(row["majority_relevant"])))
        majority_shown.append((outcome.shown, set(row["majority_relevant"])))
    hopeless = [r for r in results if not r.row["any_relevant"]]
    return {
        **ranking_scores([(run.ranking, run.relevant) for run in any_runs(results)]),
        **ranking_scores(majority_runs, "_majority"),
        **sentence_selection(majority_shown, "_majority"),
        **sentence_selection(any_shown, "_any"),
        "confident_wrong": _confident(hopeless),
    }


def asked_scores(results: list[Asked]) -> dict[str, float]:
    answerable = [r for r in results if r.row["kind"] == "answerable"]
    graded = [(r.outcome.ranking, r.grades) for r in answerable]
    quotable = [(ranking, {i for i, g in grades.items() if g == 2}) for ranking, grades in graded]
    yes_no = [r for r in answerable if r.gold_stance != "na"]
    return {
        **ranking_scores([(ranking, set(grades)) for ranking, grades in graded]),
        **ranking_scores(quotable, "_majority"),
        **_kind_scores([(r.row["kind"], r.kind) for r in results]),
        "stance_accuracy": _mean([r.outcome.stance == r.gold_stance for r in yes_no]),
        "stance_when_answered": _mean(
            [r.outcome.stance == r.gold_stance for r in yes_no if r.outcome.verdict.is_answer]
        ),
        "stance_reversed": _mean([{r.outcome.stance, r.gold_stance} == {"yes", "no"} for r in yes_no]),
        "span_f1": _mean([token_f1(r.outcome.span, r.row.get("span") or "") for r in answerable]),
        "confident_wrong": _confident([r for r in results if r.row["kind"] != "answerable"]),
        "ece": calibration_error(_first_right(results)),
        "stance_ece": calibration_error(_stance_right(results)),
    }


def _kind_scores(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    hits = Counter(gold for gold, given in pairs if gold == given)
    golds, givens = Counter(g for g, _ in pairs), Counter(g for _, g in pairs)
    present = [kind for kind in KINDS if golds[kind]]
    f1 = [harmonic(hits[k] / max(1, givens[k]), hits[k] / golds[k]) for k in present]
    refused = [(gold != "answerable", given != "answerable") for gold, given in pairs]
    both = sum(gold and given for gold, given in refused)
    precision = both / max(1, sum(given for _, given in refused))
    recall = both / max(1, sum(gold for gold, _ in refused))
    return {
        "kind_accuracy": sum(hits.values()) / max(1, len(pairs)),
        "kind_macro_f1": _mean(f1),
        "unanswerable_precision": precision,
        "unanswerable_recall": recall,
        "unanswerable_f1": harmonic(precision, recall),
    }


def _confident(results: Sequence[Asked]) -> float:
    return _mean([r.outcome.verdict.is_answer and r.outcome.confidence >= CONFIDENT for r in results])


def _first_right(results: Sequence[Asked]) -> list[tuple[float, bool]]:
    """Of each answer its confidence, and whether the first sentence shown has grade 2."""
    answered = [r for r in results if r.outcome.verdict.is_answer and r.outcome.shown]
    return [(r.outcome.confidence, r.grades.get(r.outcome.shown[0]) == 2) for r in answered]


def _stance_right(results: Sequence[Asked]) -> list[tuple[float, bool]]:
    """Of each yes, no, choice or both that is told its chance, and whether the policy answers so."""
    told = [(r, r.outcome.stance_confidence) for r in results if r.outcome.stance_confidence is not None]
    return [(chance, r.outcome.stance == r.gold_stance) for r, chance in told]


def calibration_error(told: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """The expected one, of chances beside what came true."""
    buckets: dict[int, list[tuple[float, bool]]] = {}
    for chance, right in told:
        buckets.setdefault(min(bins - 1, int(chance * bins)), []).append((chance, right))
    gaps = [abs(fmean([c for c, _ in b]) - fmean([w for _, w in b])) * len(b) for b in buckets.values()]
    return sum(gaps) / max(1, len(told))


def token_f1(given: str, gold: str) -> float:
    a, b = Counter(re.findall(r"\w+", given.lower())), Counter(re.findall(r"\w+", gold.lower()))
    shared = (a & b).total()
    return harmonic(shared / a.total(), shared / b.total()) if shared else 0.0


def _mean(values: Collection[float | bool]) -> float:
    return fmean(values) if values else 0.0
