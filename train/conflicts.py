"""Recipe for telling how two sentences of a policy stand to each other: python -m train.conflicts

Fits the straight line for qualified, compatible and unrelated, and chooses how many limits an opposition may have to
be a contradiction still; writes `answer/conflict_weights.json`. Figures are five-fold by policy, with everything that
is fitted or chosen made anew in each fold. The word lists of `answer/claims.toml` are no part of the folds: they were
written with these pairs in view, so recall and false alarms of contradictions are too good here by what that is worth.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression

from smallprint.answer.opposition import opposition
from smallprint.answer.relation import CONTRADICTION, RELATIONS, WEIGHTS, Relations, Said, features, pair_key
from smallprint.answer.weights import Linear
from smallprint.bench.conflicts import scores
from smallprint.models.reader import Reader
from train.data import Row, fingerprint, fold_of, rows
from train.paths import REPOSITORY, parser, paths_of, start_log

OUTPUT = REPOSITORY / "src" / "smallprint" / "answer" / WEIGHTS
FOLDS = 5
SEEN_IN = 6  # pairs that hold a word before it gets a weight
# Between a third and three times this the figures move by under half a point; ten times it costs one, and more two.
STRENGTH = 0.002
MOST_LIMITS = 4
FALSE_ALARMS = 0.003


@dataclass(frozen=True, slots=True)
class Pair:
    row: Row
    cosine: float
    values: Counter[str]
    limits: int
    """Of its closest opposition; more than any choice allows where there is none."""

    @property
    def label(self) -> str:
        return str(self.row["label"])

    @property
    def sides(self) -> tuple[Said, Said]:
        return Said(self.row["a"], self.row["a_heading"]), Said(self.row["b"], self.row["b_heading"])


def collect(found: Sequence[Row], reader: Reader) -> list[Pair]:
    vectors = reader.vectors([row[side] for row in found for side in ("a", "b")])
    cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
    pairs = []
    for row, cosine in zip(found, map(float, cosines), strict=True):
        both = (opposition(row["a"], row["b"]), opposition(row["b"], row["a"]))
        limits = min((o.limits for o in both if o and o.closeness == 1), default=MOST_LIMITS + 1)
        values = features(Said(row["a"], row["a_heading"]), Said(row["b"], row["b_heading"]), cosine)
        pairs.append(Pair(row, cosine, values, limits))
    return pairs


def fit(pairs: Sequence[Pair]) -> Relations:
    others = [pair for pair in pairs if pair.label != CONTRADICTION]
    return Relations(fit_relation(others), choose_limits(pairs), frozenset())


def fit_relation(pairs: Sequence[Pair]) -> Linear:
    """Logistic regression; claims and limits standardised, words weighed by their rarity."""
    counts = Counter(name for pair in pairs for name in pair.values)
    names = tuple(sorted(n for n, count in counts.items() if count >= SEEN_IN or not n.startswith("word ")))
    x = np.array([[pair.values[name] for name in names] for pair in pairs])
    is_word = np.array([name.startswith("word ") for name in names])
    rarity = np.log(len(pairs) / np.array([counts[name] for name in names]))
    x_words = x[:, is_word] * rarity[is_word]
    length = np.sqrt((x_words**2).sum(axis=1).mean())  # words together weigh as much as claims together
    shift = np.where(is_word, 0.0, x.mean(axis=0))
    spread = x.std(axis=0) * np.sqrt((~is_word).sum())
    scale = np.where(is_word, rarity / length, np.where(spread > 0, 1 / np.maximum(spread, 1e-6), 0.0))
    model = LogisticRegression(C=STRENGTH * len(pairs), max_iter=500, tol=1e-3)
    model.fit((x - shift) * scale, [pair.label for pair in pairs])
    order = [list(model.classes_).index(relation) for relation in RELATIONS]
    weights = model.coef_[order] * scale
    bias = model.intercept_[order] - weights @ shift
    return Linear(names, RELATIONS, weights.astype(np.float32), bias.astype(np.float32))


def choose_limits(pairs: Sequence[Pair]) -> int:
    """The most limits at which false alarms stay few."""
    others = [pair.limits for pair in pairs if pair.label != CONTRADICTION]
    allowed = [n for n in range(MOST_LIMITS + 1) if np.mean([limits <= n for limits in others]) <= FALSE_ALARMS]
    return max(allowed, default=0)


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "conflicts")
    pairs = collect(list(rows(paths.data, "conflicts/pairs")), Reader.load())
    folds = [fold_of("conflicts" + pair.row["doc_id"], FOLDS) for pair in pairs]
    fitted = [fit([p for p, f in zip(pairs, folds, strict=True) if f != fold]) for fold in range(FOLDS)]
    given = [fitted[fold].label(*pair.sides, pair.cosine) for pair, fold in zip(pairs, folds, strict=True)]
    figures = scores([pair.label for pair in pairs], given)
    log.info("five-fold: %s; limits allowed in the folds: %s", figures, [f.most_limits for f in fitted])
    final = fit(pairs)
    stored = {
        "relation": {
            "features": final.linear.features,
            "outcomes": RELATIONS,
            "weights": np.round(final.linear.weights.astype(float), 4).tolist(),
            "bias": np.round(final.linear.bias.astype(float), 4).tolist(),
        },
        "most_limits": final.most_limits,
        "data": {"conflicts/pairs": fingerprint(paths.data, "conflicts/pairs")},
        "five_fold": {name: round(value, 4) for name, value in figures.items()},
        "seen": sorted(pair_key(pair.row["a"], pair.row["b"]) for pair in pairs),
    }
    OUTPUT.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
