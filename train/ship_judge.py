"""Calibrate and measure an exported judge, with the reader's cosine beside it, on what neither has seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from smallprint.bench.measures import ranking_scores
from train.calibrate import reliability, sigmoid
from train.data import Row, fold_of, rows
from train.judge_data import Asked
from train.scoring import Scored

TOP = 5
"""Reliability looks at the sentences a person could be shown: the first five."""

Shares = tuple[float, float, float]
"""Of the judge's logit, of the cosine, and a shift."""


def halves(scored: list[Scored]) -> tuple[list[Scored], list[Scored]]:
    """Held-out policies in two halves: one to calibrate on, one to report on."""
    first = [s for s in scored if fold_of(f"half {s.doc_id}", 2) == 0]
    return first, [s for s in scored if s not in first]


def pairs(scored: list[Scored], questions: dict[str, Row]) -> tuple[np.ndarray, np.ndarray]:
    """Judge's logit and cosine of the short lists, [pairs, 2], and whether people would quote the sentence."""
    signals, gold = [], []
    for s in scored:
        grades = dict(map(tuple, questions[s.query_id]["relevant"]))
        for number, logit, cosine in zip(s.numbers, s.logits, s.cosines, strict=False):
            signals.append((logit, cosine))
            gold.append(grades.get(number, 0) == 2)
    return np.array(signals), np.array(gold)


def fit_shares(scored: list[Scored], questions: dict[str, Row], *, cosine: bool) -> Shares:
    """Shares that make the sum a calibrated logit of "people would quote it"."""
    signals, gold = pairs(scored, questions)
    model = LogisticRegression(C=100.0).fit(signals if cosine else signals[:, :1], gold)
    return float(model.coef_[0, 0]), float(model.coef_[0, 1]) if cosine else 0.0, float(model.intercept_[0])


def best_logit(scored: Scored, shares: Shares) -> float:
    judged = len(scored.logits)
    both = shares[0] * np.array(scored.logits) + shares[1] * np.array(scored.cosines[:judged]) + shares[2]
    return float(both.max())


def measure_asked(scored: list[Scored], asked: Asked, shares: Shares) -> dict[str, float]:
    questions: dict[str, Row] = {q["query_id"]: q for q in asked.questions}
    answerable = [s for s in scored if questions[s.query_id]["kind"] == "answerable"]
    quoted, helping = [], []
    for s in answerable:
        ranking = [s.numbers[place] for place in s.reranked(*shares[:2])]
        grades = dict(map(tuple, questions[s.query_id]["relevant"]))
        quoted.append((ranking, {n for n, grade in grades.items() if grade == 2}))
        helping.append((ranking, set(grades)))
    return {"questions": len(answerable), **ranking_scores(quoted, "_majority"), **ranking_scores(helping)}


def measure_privacyqa(scored: list[Scored], data: Path, shares: Shares) -> dict[str, float]:
    questions = {q["query_id"]: q for q in rows(data, "privacyqa/questions")}
    known, majority = [], []
    for s in scored:
        question = questions[s.query_id]
        ranking = [s.numbers[place] for place in s.reranked(*shares[:2])]
        unknown = set(question["unknown"])
        known.append(([n for n in ranking if n not in unknown], set(question["any_relevant"])))
        majority.append((ranking, set(question["majority_relevant"])))
    return {"questions": len(scored), **ranking_scores(known), **ranking_scores(majority, "_majority")}


def unanswerable_scores(best: np.ndarray, gold: np.ndarray, threshold: float) -> dict[str, float]:
    """A question whose best logit stays under `threshold` is called unanswerable."""
    given = best < threshold
    hits = float((given & gold).sum())
    precision, recall = hits / max(1, given.sum()), hits / max(1, gold.sum())
    above = (best[~gold][:, None] > best[gold][None, :]).mean() if gold.any() and (~gold).any() else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "accuracy": float((given == gold).mean()),
        "auc": float(above),
    }


def silence(scored: list[Scored], questions: dict[str, Row], shares: Shares) -> tuple[np.ndarray, np.ndarray]:
    best = np.array([best_logit(s, shares) for s in scored])
    return best, np.array([questions[s.query_id]["kind"] == "silent" for s in scored])


def silent_threshold(best: np.ndarray, gold: np.ndarray) -> float:
    grid = np.quantile(best, np.linspace(0.05, 0.9, 60))
    return float(max(grid, key=lambda t: unanswerable_scores(best, gold, t)["f1"]))


def settings_and_scores(
    on_asked: list[Scored], on_privacyqa: list[Scored], asked: Asked, data: Path
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The judge's settings and its figures; shares and thresholds stand on one half of the held-out policies."""
    questions: dict[str, Row] = {q["query_id"]: q for q in asked.questions}
    privacyqa = {q["query_id"]: q for q in rows(data, "privacyqa/questions")}
    first, second = halves(on_asked)
    both, alone = (fit_shares(first, questions, cosine=cosine) for cosine in (True, False))
    threshold = silent_threshold(*silence(first, questions, both))
    unanswerable = np.array([not privacyqa[s.query_id]["majority_relevant"] for s in on_privacyqa])
    best = np.array([best_logit(s, both) for s in on_privacyqa])
    scores: dict[str, Any] = {
        "asked, held-out fifth, with cosine": measure_asked(second, asked, both),
        "asked, held-out fifth, judge alone on the short list": measure_asked(second, asked, alone),
        "asked, held-out fifth, cosine alone": measure_asked(second, asked, (0.0, 1.0, 0.0)),
        "asked, answerable against silent": unanswerable_scores(*silence(second, questions, both), threshold),
        "privacyqa, with cosine": measure_privacyqa(on_privacyqa, data, both),
        "privacyqa, judge alone on the short list": measure_privacyqa(on_privacyqa, data, alone),
        "privacyqa, cosine alone": measure_privacyqa(on_privacyqa, data, (0.0, 1.0, 0.0)),
        "answerability": unanswerable_scores(best, unanswerable, threshold),
        "reliability": shown_reliability(second, questions, both),
    }
    chance = float(sigmoid(np.array(threshold)))
    settings = {"with_cosine": both, "alone": alone, "silent_below_chance": chance}
    return settings, scores


def shown_reliability(scored: list[Scored], questions: dict[str, Row], shares: Shares) -> list[list[float]]:
    """How often sentences that could be shown are quoted, by their chance."""
    chances, gold = [], []
    for s in scored:
        grades = dict(map(tuple, questions[s.query_id]["relevant"]))
        for place in s.reranked(*shares[:2])[:TOP]:
            logit = shares[0] * s.logits[place] + shares[1] * s.cosines[place] + shares[2]
            chances.append(float(sigmoid(np.array(logit))))
            gold.append(float(grades.get(s.numbers[place], 0) == 2))
    return reliability(np.array(chances), np.array(gold))
