"""Turn logits into chances that mean what they say, and chances into decisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

GRID = np.arange(0.06, 0.92, 0.02)
FEW = 12
"""A label with this many positives counts half by itself, half by all labels together."""


def platt(logits: np.ndarray, gold: np.ndarray) -> tuple[float, float]:
    """Scale and shift that make sigmoid(scale · logit + shift) a chance; [rows] each."""
    model = LogisticRegression(C=100.0).fit(logits[:, None], gold > 0.5)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def standardised(x: np.ndarray, gold: Sequence[object], strength: float) -> tuple[list[object], np.ndarray, np.ndarray]:
    """Logistic regression on standardised columns of [rows, columns], folded back so that use needs no scaling: the
    outcomes, weights [outcomes, columns] and shifts [outcomes]; one row of them where there are two outcomes."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    model = LogisticRegression(C=strength, max_iter=2_000).fit((x - mean) / spread, gold)
    weights = model.coef_ / spread
    return list(model.classes_), weights, model.intercept_ - weights @ mean


def blend(encoder: np.ndarray, words: np.ndarray, gold: np.ndarray) -> tuple[float, float, list[float]]:
    """Shares of two sets of logits, one pair for all labels, and a shift for each label; [rows, labels] each."""
    rows, labels = gold.shape
    shares = np.stack([encoder.ravel(), words.ravel()], axis=1)
    which = np.tile(np.eye(labels), (rows, 1))
    model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000)
    model.fit(np.hstack([shares, which]), gold.ravel() > 0.5)
    coefficients = model.coef_[0]
    return float(coefficients[0]), float(coefficients[1]), [float(c) for c in coefficients[2:]]


def blend_kinds(encoder: np.ndarray, words: np.ndarray, gold: np.ndarray) -> tuple[float, float, list[float]]:
    """The same for classes of which one holds: `gold` [rows] are their numbers."""

    def loss(parameters: np.ndarray) -> float:
        logits = parameters[0] * encoder + parameters[1] * words + parameters[2:]
        top = logits.max(axis=1)
        spread = np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top
        return float((spread - logits[np.arange(len(gold)), gold]).mean() + 0.002 * (parameters[2:] ** 2).sum())

    best = minimize(loss, np.array([1.0, 0.5, *np.zeros(encoder.shape[1])]), method="L-BFGS-B").x
    return float(best[0]), float(best[1]), [float(b) for b in best[2:]]


def temperature(logits: np.ndarray, gold: np.ndarray) -> float:
    """Divide logits [rows, classes] by it and their softmax is calibrated."""
    grid = np.geomspace(0.3, 5, 60)

    def loss(heat: float) -> float:
        scaled = logits / heat
        top = scaled.max(axis=1, keepdims=True)
        return float((np.log(np.exp(scaled - top).sum(axis=1)) + top[:, 0] - scaled[np.arange(len(gold)), gold]).mean())

    return float(min(grid, key=loss))


def f1(gold: np.ndarray, given: np.ndarray) -> float:
    hits = float((gold & given).sum())
    return 2 * hits / max(1.0, float(gold.sum() + given.sum()))


def thresholds(chances: np.ndarray, gold: np.ndarray) -> list[float]:
    """For each label the mean of two answers to "above which chance is F1 best?".

    One is picked on these rows, and follows the few rows of a rare label; the other is half of the best F1, where it
    would be if chances were exactly calibrated. Rare labels lean on all labels together.
    """
    gold = gold > 0.5
    common = float(max(GRID, key=lambda t: f1(gold, chances >= t)))
    found = []
    for n in range(gold.shape[1]):
        picked = float(max(GRID, key=lambda t: f1(gold[:, n], chances[:, n] >= t)))
        trust = gold[:, n].sum() / (gold[:, n].sum() + FEW)
        half = f1(gold[:, n], chances[:, n] >= picked) / 2
        found.append(round(float(trust * (picked + half) / 2 + (1 - trust) * common), 3))
    return found


def common_thresholds(chances: np.ndarray, gold: np.ndarray) -> list[float]:
    """Above which chance micro F1 is best, the same for all labels: half of that F1, for calibrated chances."""
    return [round(max(f1(gold > 0.5, chances >= t) for t in GRID) / 2, 3)] * gold.shape[1]


def micro_macro(gold: np.ndarray, given: np.ndarray) -> tuple[float, float]:
    return f1(gold, given), float(np.mean([f1(gold[:, n], given[:, n]) for n in range(gold.shape[1])]))


def reliability(chances: np.ndarray, gold: np.ndarray, bins: int = 10) -> list[list[float]]:
    """[mean chance, share that holds, rows] for each tenth that has rows."""
    tenth = np.minimum((chances * bins).astype(int), bins - 1)
    return [
        [round(float(chances[tenth == t].mean()), 3), round(float(gold[tenth == t].mean()), 3), int((tenth == t).sum())]
        for t in range(bins)
        if (tenth == t).any()
    ]


def sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
