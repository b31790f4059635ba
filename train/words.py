"""Fit the reader's word weights: linear models over hashed words and word pairs. `python -m train.words`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from smallprint.models.hashed import counts_of
from train import opp115, reader_data
from train.exclusions import for_reader
from train.judge_data import read_asked, without
from train.paths import Paths, parser, paths_of, start_log
from train.reader import read_segments
from train.reader_data import KINDS

BUCKETS = 2**15
STRENGTH = 8.0
"""Inverse of the penalty, for all heads; 4 to 20 differ by under half a point on the validation split."""
LEAST_POSITIVE = 5
OWN_WEIGHT = 6.0
"""What a segment of OPP-115 counts beside one that we labelled: six times as many are ours. On the validation split,
words alone, micro / macro F1 is .790 / .779 with it, .782 / .754 without."""


def counted(texts: list[str]) -> csr_matrix:
    found = [counts_of(text, BUCKETS) for text in texts]
    columns = [bucket for f in found for bucket in f]
    values = [weight for f in found for weight in f.values()]
    starts = np.cumsum([0, *(len(f) for f in found)])
    return csr_matrix((values, columns, starts), shape=(len(found), BUCKETS))


def rarity_of(x: csr_matrix) -> np.ndarray:
    """Inverse document frequency of each bucket."""
    seen = np.bincount(x.indices, minlength=BUCKETS)
    return (np.log((1 + x.shape[0]) / (1 + seen)) + 1).astype(np.float32)


def weighed(x: csr_matrix, rarity: np.ndarray) -> csr_matrix:
    x = x @ diags(rarity)
    lengths = np.sqrt(np.asarray(x.multiply(x).sum(axis=1))).ravel()
    return csr_matrix(diags(1 / np.maximum(lengths, 1e-9)) @ x)


def fit_head(x: csr_matrix, targets: np.ndarray, counts: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """One logistic regression for each label, [buckets, labels] and [labels]; too rare a label stays at its prior."""
    weights = np.zeros((BUCKETS, targets.shape[1]), dtype=np.float32)
    shifts = np.full(targets.shape[1], -4.0, dtype=np.float32)
    for label in range(targets.shape[1]):
        known = ~np.isnan(targets[:, label])
        gold = targets[known, label] > 0.5
        if gold.sum() < LEAST_POSITIVE:
            continue
        model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=200)
        model.fit(x[known], gold, sample_weight=None if counts is None else counts[known])
        weights[:, label], shifts[label] = model.coef_[0], model.intercept_[0]
    return weights, shifts


def packed(name: str, weights: np.ndarray, shifts: np.ndarray) -> dict[str, np.ndarray]:
    scales = np.abs(weights).max(axis=0) / 127 + 1e-9
    small = np.rint(weights / scales).astype(np.int8)
    return {name: small, f"{name}.scales": scales.astype(np.float32), f"{name}.shifts": shifts}


def segment_tables(paths: Paths, halves: Sequence[int] = opp115.HALVES) -> tuple[dict[str, np.ndarray], np.ndarray]:
    segments = read_segments(paths, halves)
    own = segments.known
    counts = np.array([OWN_WEIGHT] * len(segments.opp115) + [1.0] * len(segments.labelled + segments.mapp))
    x = counted([s.text for s in own])
    rarity = rarity_of(x)
    x = weighed(x, rarity)
    made: dict[str, np.ndarray] = {}
    for head in ("categories", "values", "stance"):
        made |= packed(head, *fit_head(x, np.stack([getattr(s, head) for s in own]), counts))
    return made, rarity


def question_tables(paths: Paths, rarity: np.ndarray) -> dict[str, np.ndarray]:
    excluded = for_reader(paths.data)
    asked = without(read_asked(paths.data, held_out=False), excluded)
    categories = reader_data.category_questions(paths.data, excluded, held_out=False)
    kinds = reader_data.kinds_to_learn(asked)
    x = weighed(counted([q.text for q in categories]), rarity)
    made = packed("question_categories", *fit_head(x, np.stack([q.categories for q in categories])))
    x = weighed(counted([q.text for q in kinds]), rarity)
    gold = np.eye(len(KINDS), dtype=np.float32)[[q.kind for q in kinds]]
    return made | packed("kind", *fit_head(x, gold))


def save(path: Path, made: dict[str, np.ndarray], rarity: np.ndarray) -> None:
    np.savez_compressed(path, rarity=rarity.astype(np.float16), **made)


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "words")
    made, rarity = segment_tables(paths)
    made |= question_tables(paths, rarity)
    save(paths.made("words") / "words.npz", made, rarity)
    for half in opp115.HALVES:
        save(paths.cache / "words" / f"half-{half}.npz", *segment_tables(paths, (half,)))
    log.info("%d heads, %d labels", 5, sum(len(v) for n, v in made.items() if n.endswith(".shifts")))


if __name__ == "__main__":
    main()
