"""Calibrate and measure an exported judge on what it has not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from smallprint.bench.measures import ranking_scores
from smallprint.bench.questions import token_f1
from smallprint.models.judge import STANCES
from train.calibrate import platt, reliability, sigmoid
from train.data import Row, fold_of, rows
from train.judge_data import Asked
from train.scoring import Scored

TOP = 5
"""Calibration looks at the sentences a person could be shown: the first five."""


def halves(scored: list[Scored]) -> tuple[list[Scored], list[Scored]]:
    """Held-out policies in two halves: one to calibrate on, one to report on."""
    first = [s for s in scored if fold_of(f"half {s.doc_id}", 2) == 0]
    return first, [s for s in scored if s not in first]


def top_pairs(scored: list[Scored], questions: dict[str, Row]) -> tuple[np.ndarray, np.ndarray]:
    """Logits of the first sentences of each question, and whether people would quote them (grade 2)."""
    logits, gold = [], []
    for s in scored:
        grades = dict(map(tuple, questions[s.query_id]["relevant"]))
        for number, logit in list(zip(s.numbers, s.logits, strict=True))[:TOP]:
            logits.append(logit)
            gold.append(grades.get(number, 0) == 2)
    return np.array(logits), np.array(gold)


def stance_of(scored: Scored, scale: float, shift: float) -> str:
    """The likeliest stance over the first three sentences, each counting by its relevance; `na` left out."""
    weights = sigmoid(scale * np.array(scored.logits[:3]) + shift)
    total = {
        name: sum(w * s[name] for w, s in zip(weights, scored.stances, strict=False))
        for name in STANCES
        if name != "na"
    }
    return max(total, key=lambda name: total[name])


def measure_asked(scored: list[Scored], asked: Asked, calibration: tuple[float, float]) -> dict[str, float]:
    questions: dict[str, Row] = {q["query_id"]: q for q in asked.questions}
    answerable = [s for s in scored if questions[s.query_id]["kind"] == "answerable"]
    graded = [(s, dict(map(tuple, questions[s.query_id]["relevant"]))) for s in answerable]
    spoken = [s for s in answerable if questions[s.query_id]["stance"] != "na"]
    spans = []
    for s in answerable:
        sentence = asked.policies[s.doc_id].sentences[s.numbers[0]]
        spans.append(token_f1(sentence[slice(*s.spans[0])], questions[s.query_id]["span"]))
    return {
        "questions": len(answerable),
        **ranking_scores([(s.numbers, {n for n, g in grades.items() if g == 2}) for s, grades in graded], "_majority"),
        **ranking_scores([(s.numbers, set(grades)) for s, grades in graded]),
        "stance_accuracy": float(
            np.mean([stance_of(s, *calibration) == questions[s.query_id]["stance"] for s in spoken])
        ),
        "span_f1": float(np.mean(spans)),
    }


def measure_privacyqa(scored: list[Scored], data: Path) -> dict[str, float]:
    questions = {q["query_id"]: q for q in rows(data, "privacyqa/questions")}
    known, majority = [], []
    for s in scored:
        question = questions[s.query_id]
        unknown = set(question["unknown"])
        known.append(([n for n in s.numbers if n not in unknown], set(question["any_relevant"])))
        majority.append((s.numbers, set(question["majority_relevant"])))
    return {"questions": len(scored), **ranking_scores(known), **ranking_scores(majority, "_majority")}


def answerability(scored: list[Scored], data: Path, threshold: float) -> dict[str, float]:
    """PrivacyQA: a question whose best logit stays under `threshold` is called unanswerable."""
    questions = {q["query_id"]: q for q in rows(data, "privacyqa/questions")}
    gold = np.array([not questions[s.query_id]["majority_relevant"] for s in scored])
    return unanswerable_scores(np.array([s.logits[0] for s in scored]), gold, threshold)


def unanswerable_scores(best: np.ndarray, gold: np.ndarray, threshold: float) -> dict[str, float]:
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


def best_threshold(scored: list[Scored], questions: dict[str, Row]) -> float:
    """The best logit under which calling an `asked` question silent gives the best F1."""
    kept = [s for s in scored if questions[s.query_id]["kind"] in ("answerable", "silent")]
    best = np.array([s.logits[0] for s in kept])
    gold = np.array([questions[s.query_id]["kind"] == "silent" for s in kept])
    return float(
        max(np.quantile(best, np.linspace(0.05, 0.9, 60)), key=lambda t: unanswerable_scores(best, gold, t)["f1"])
    )


def settings_and_scores(
    asked_scores: list[Scored], privacyqa_scores: list[Scored], asked: Asked, data: Path
) -> tuple[dict[str, Any], dict[str, Any], list[list[float]]]:
    """The judge's settings, its figures, and how reliable its chances are on the half not calibrated on."""
    questions: dict[str, Row] = {q["query_id"]: q for q in asked.questions}
    first, second = halves(asked_scores)
    scale, shift = platt(*top_pairs(first, questions))
    threshold = best_threshold(first, questions)
    logits, gold = top_pairs(second, questions)
    silent = [s for s in second if questions[s.query_id]["kind"] in ("answerable", "silent")]
    is_silent = np.array([questions[s.query_id]["kind"] == "silent" for s in silent])
    scores = {
        "asked, held-out fifth": measure_asked(asked_scores, asked, (scale, shift)),
        "asked, answerable against silent": unanswerable_scores(
            np.array([s.logits[0] for s in silent]), is_silent, threshold
        ),
        "privacyqa": measure_privacyqa(privacyqa_scores, data),
        "answerability": answerability(privacyqa_scores, data, threshold),
    }
    chance = float(sigmoid(np.array(scale * threshold + shift)))
    settings = {"relevance": [scale, shift], "stance_temperature": 1.0, "silent_below_chance": chance}
    return settings, scores, reliability(sigmoid(scale * logits + shift), gold.astype(float))
