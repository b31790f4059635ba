"""Train the policy detector: logistic regression over hashed words and word pairs. `python -m train.detector`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_recall_fscore_support
from sklearn.model_selection import GroupKFold

from smallprint.models.detector import BUCKETS, features
from train.data import Row, rows
from train.paths import parser, paths_of, start_log

STRENGTH = 60.0
"""Inverse of the penalty; 10 to 200 differ by under .002 F1 in cross-validation on the train split."""
NOISY_WEIGHT = 0.3
"""Rows without `clean` have labels taken from noisy document types."""


def matrix(documents: list[Row]) -> csr_matrix:
    found = [features(row["text"]) for row in documents]
    columns = [bucket for f in found for bucket in f]
    values = [weight for f in found for weight in f.values()]
    starts = np.cumsum([0, *(len(f) for f in found)])
    return csr_matrix((values, columns, starts), shape=(len(found), BUCKETS))


def fit(x: csr_matrix, documents: list[Row], seed: int) -> LogisticRegression:
    weight = np.array([1.0 if row["clean"] else NOISY_WEIGHT for row in documents])
    labels = np.array([row["label"] for row in documents])
    return LogisticRegression(C=STRENGTH, max_iter=500, random_state=seed).fit(x, labels, sample_weight=weight)


def folds_chances(x: csr_matrix, documents: list[Row], seed: int) -> np.ndarray:
    """Chances of each training row by a model that has not seen its service."""
    groups = np.array([row["service"] or f"row {n}" for n, row in enumerate(documents)])
    chances = np.zeros(len(documents))
    for train, test in GroupKFold(5).split(x, groups=groups):
        chances[test] = fit(x[train], [documents[n] for n in train], seed).predict_proba(x[test])[:, 1]
    return chances


def scores(chances: np.ndarray, documents: list[Row], threshold: float) -> dict[str, float]:
    clean = np.array([row["clean"] for row in documents])
    gold = np.array([row["label"] for row in documents])[clean]
    precision, recall, f1, _ = precision_recall_fscore_support(gold, chances[clean] >= threshold, average="binary")
    return {"precision": float(precision), "recall": float(recall), "f1": float(f1)}


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    folder: Path = paths.made("detector")
    log = start_log(paths, "detector")
    everything = list(rows(paths.data, "detector/documents"))
    train = [row for row in everything if row["split"] == "train"]
    valid = [row for row in everything if row["split"] == "valid"]
    x = matrix(train)
    held = folds_chances(x, train, options.seed)
    threshold = max(np.arange(0.2, 0.81, 0.02), key=lambda t: scores(held, train, t)["f1"])
    model = fit(x, train, options.seed)
    measured = scores(model.predict_proba(matrix(valid))[:, 1], valid, threshold)
    np.savez_compressed(folder / "detector.npz", weights=model.coef_[0].astype(np.float16))
    report = {
        "settings": {"shift": float(model.intercept_[0]), "threshold": round(float(threshold), 2)},
        "scores": {"valid": measured, "five_fold_train": scores(held, train, threshold)},
        "reliability": reliability(held, train),
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    log.info("%s", json.dumps(report))


def reliability(chances: np.ndarray, documents: list[Row]) -> list[list[float]]:
    """[mean chance, share of policies, rows] for each tenth, over clean rows."""
    clean = np.array([row["clean"] for row in documents])
    gold, given = np.array([row["label"] for row in documents])[clean], chances[clean]
    tenth = np.minimum((given * 10).astype(int), 9)
    return [
        [float(given[tenth == t].mean()), float(gold[tenth == t].mean()), int((tenth == t).sum())]
        for t in range(10)
        if (tenth == t).any()
    ]


if __name__ == "__main__":
    main()
