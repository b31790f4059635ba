"""Ranking and classification measures. They know nothing of engines, models or data sets.

A ranking is a list of item ids, best first; a judgement is the set of relevant ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from statistics import fmean


def found_at(k: int, ranking: Sequence[int], relevant: Collection[int]) -> float:
    """F@k, also called top-k score: is there anything relevant among the first k?"""
    return float(any(item in relevant for item in ranking[:k]))


def precision_at(k: int, ranking: Sequence[int], relevant: Collection[int]) -> float:
    return sum(item in relevant for item in ranking[:k]) / k


def reciprocal_rank(ranking: Sequence[int], relevant: Collection[int]) -> float:
    return next((1 / rank for rank, item in enumerate(ranking, 1) if item in relevant), 0.0)


def average_precision(ranking: Sequence[int], relevant: Collection[int]) -> float:
    hits, total = 0, 0.0
    for rank, item in enumerate(ranking, 1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def ndcg_at(k: int, ranking: Sequence[int], relevant: Collection[int]) -> float:
    """Binary gain, discount 1 / log2(rank + 1), against the best order there could be."""
    gain = sum(1 / math.log2(rank + 1) for rank, item in enumerate(ranking[:k], 1) if item in relevant)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    return gain / best if best else 0.0


RANKING: dict[str, Callable[[Sequence[int], Collection[int]], float]] = {
    "F@1": lambda r, j: found_at(1, r, j),
    "F@2": lambda r, j: found_at(2, r, j),
    "F@3": lambda r, j: found_at(3, r, j),
    "F@4": lambda r, j: found_at(4, r, j),
    "F@5": lambda r, j: found_at(5, r, j),
    "F@10": lambda r, j: found_at(10, r, j),
    "P@5": lambda r, j: precision_at(5, r, j),
    "P@10": lambda r, j: precision_at(10, r, j),
    "MRR": reciprocal_rank,
    "MAP": average_precision,
    "NDCG@5": lambda r, j: ndcg_at(5, r, j),
}


def ranking_scores(runs: Sequence[tuple[Sequence[int], Collection[int]]], suffix: str = "") -> dict[str, float]:
    """Means over questions; those without a relevant item are left out."""
    judged = [(ranking, set(relevant)) for ranking, relevant in runs if relevant]
    return {
        name + suffix: fmean([measure(r, j) for r, j in judged]) if judged else 0.0 for name, measure in RANKING.items()
    }


def precision_recall_f1(shown: Collection[int], relevant: Collection[int]) -> tuple[float, float, float]:
    """Of one question. Showing nothing where nothing is relevant is perfect."""
    if not shown and not relevant:
        return 1.0, 1.0, 1.0
    hits = len(set(shown) & set(relevant))
    precision = hits / len(shown) if shown else 0.0
    recall = hits / len(relevant) if relevant else 0.0
    return precision, recall, harmonic(precision, recall)


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def sentence_selection(runs: Sequence[tuple[Collection[int], Collection[int]]], suffix: str) -> dict[str, float]:
    """Two conventions of the literature, each under its own name: `f1` is the harmonic mean of averaged
    precision and recall, `mean_f1` the mean of each question's own F1."""
    triples = [precision_recall_f1(shown, relevant) for shown, relevant in runs]
    if not triples:
        return dict.fromkeys((f"{m}{suffix}" for m in ("precision", "recall", "f1", "mean_f1")), 0.0)
    precision, recall, mean_f1 = (fmean(column) for column in zip(*triples, strict=True))
    return {
        f"precision{suffix}": precision,
        f"recall{suffix}": recall,
        f"f1{suffix}": harmonic(precision, recall),
        f"mean_f1{suffix}": mean_f1,
    }
