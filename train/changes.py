"""Recipe for telling what changed between two versions: python -m train.changes

Fits two straight lines over the cues of differences: does one matter, and how much; the kind is told by rule;
writes `norms/change_weights.json`. Figures are five-fold by pair, pairs that share text or a service in one fold,
with weights and threshold made anew in each; the threshold is chosen inside a fold by five folds of its own. The word
lists of `norms/changes.toml` and how differences are aligned are no part of the folds: they were written with these
pairs in view, so the figures are too good by what that is worth.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from smallprint.answer.weights import Linear
from smallprint.bench.changes import Compared, Item, compared, scores
from smallprint.models.reader import Reader
from smallprint.norms.changes import WEIGHTS, Weighed, Weights, pair_key, to_change, weigh
from smallprint.norms.cues import key_of
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording
from smallprint.records import Change, ChangeKind
from train.data import Row, fingerprint, fold_of, rows
from train.paths import REPOSITORY, parser, paths_of, start_log

OUTPUT = REPOSITORY / "src" / "smallprint" / "norms" / WEIGHTS
FOLDS = 5
# How strongly weights are held down; between half and three times these the figures move by under a point.
MATTERS, SEVERITY = 0.004, 0.02
OF_SEVERITY = (
    "only new", "only old", "paired", "went", "came", "length", "any denial", "any limit", "any parties", "any ads",
    "any data", "any rights", "any consent", "in parties", "in ads", "in data", "in denial", "in limit",
    "first", "third", "user_choice", "dnt", "does_not",
)  # fmt: skip
# Cues that tell the kind or the severity and not whether a difference matters: without them the line did as well.
NOT_FOR_MATTERS = (
    "paired", "only new", "only old", "inserted", "deleted", "likeness", "length", "short", "prose", "repeated",
    "places", "at start", "at end", "title",
)  # fmt: skip
# The threshold that finds at least this share inside a fold with the fewest wrong reports.
RECALL = 0.72


@dataclass(frozen=True, slots=True)
class Example:
    """A difference with what the labels say: whether it meets an item that matters, and its severity."""

    weighed: Weighed
    matters: bool
    severity: int


@dataclass(frozen=True, slots=True)
class Pair:
    """`placed` has every difference as a report, in the order of the examples."""

    row: Row
    examples: tuple[Example, ...]
    placed: Compared


def collect(row: Row, mind: Mind) -> Pair:
    weighed = weigh(Wording(row["old"]), Wording(row["new"]), mind)
    reports = [_as_reported(one) for one in weighed]
    placed = compared(row, reports)
    examples = tuple(_example(one, item, placed) for one, item in zip(weighed, placed.reported, strict=True))
    return Pair(row, examples, placed)


def _as_reported(weighed: Weighed) -> Change:
    old, new = (side.quote if side else "" for side in (weighed.difference.old, weighed.difference.new))
    return Change(ChangeKind.ADDED, "", "", old, new, 1, 1.0)


def _example(weighed: Weighed, item: Item, placed: Compared) -> Example:
    met = [wanted for wanted in placed.wanted if wanted.kind.matters and item.meets(wanted)]
    if not met:
        return Example(weighed, False, 0)
    best = max(met, key=lambda wanted: _shared(item, wanted))
    return Example(weighed, True, best.severity)


def _shared(first: Item, second: Item) -> float:
    """Nothing where one of them has no place."""
    sides = zip(first.places, second.places, strict=True)
    return max((len(a & b) / min(len(a), len(b)) for ours, theirs in sides for a in ours for b in theirs), default=0.0)


def groups_of(pairs: Sequence[Pair]) -> list[int]:
    """Pairs of one service, and pairs that have a long difference in common, are one group."""
    leader = list(range(len(pairs)))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    marks: dict[object, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        marks[str(pair.row["service"]).lower().split(".")[0]].append(number)
        for key in {key_of(example.weighed.difference) for example in pair.examples}:
            if len(key[0]) + len(key[1]) > 6:
                marks[key].append(number)
    for members in marks.values():
        for member in members[1:]:
            leader[find(member)] = find(members[0])
    return [find(number) for number in range(len(pairs))]


def fit(pairs: Sequence[Pair]) -> Weights:
    """Without a threshold."""
    read = [example for pair in pairs for example in pair.examples if example.weighed.values]
    names = tuple(name for name in read[0].weighed.values if name not in NOT_FOR_MATTERS)
    real = [example for example in read if example.matters]
    matters = _fit(names, MATTERS, read, [str(int(example.matters)) for example in read], ("0", "1"))
    severity = _fit(OF_SEVERITY, SEVERITY, real, [str(max(1, example.severity)) for example in real], ("1", "2", "3"))
    return Weights(_yes_no(matters), severity, 0.5, frozenset())


def _fit(
    names: Sequence[str], strength: float, examples: Sequence[Example], labels: Sequence[str], outcomes: Sequence[str]
) -> Linear:
    """Logistic regression over standardised cues."""
    x = np.array([[float(example.weighed.values[name]) for name in names] for example in examples])
    shift, spread = x.mean(axis=0), x.std(axis=0)
    scale = np.where(spread > 0, 1 / np.maximum(spread, 1e-6), 0.0)
    model = LogisticRegression(C=strength, max_iter=2000).fit((x - shift) * scale, labels)
    coefficients, intercept = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        coefficients, intercept = np.vstack([-coefficients, coefficients]) / 2, np.append(-intercept, intercept) / 2
    order = {str(label): n for n, label in enumerate(model.classes_)}
    weights = np.array([coefficients[order[o]] * scale if o in order else np.zeros(len(names)) for o in outcomes])
    bias = np.array([intercept[order[o]] if o in order else -9.0 for o in outcomes]) - weights @ shift
    return Linear(tuple(names), tuple(outcomes), weights.astype(np.float32), bias.astype(np.float32))


def _yes_no(model: Linear) -> Linear:
    """Two outcomes that sum to one as a model of the second alone."""
    weights, bias = model.weights[1] - model.weights[0], model.bias[1] - model.bias[0]
    return Linear(model.features, ("matters",), weights[None, :], bias[None])


def reports(pair: Pair, weights: Weights) -> Compared:
    kinds = [to_change(example.weighed, weights).kind for example in pair.examples]
    placed = zip(pair.placed.reported, kinds, strict=True)
    return Compared(tuple(replace(item, kind=kind) for item, kind in placed if kind.matters), pair.placed.wanted)


def fit_with_threshold(pairs: Sequence[Pair], groups: Sequence[int]) -> Weights:
    folds = [fold_of(f"changes inner {group}", FOLDS) for group in groups]
    fitted = {f: fit([p for p, g in zip(pairs, folds, strict=True) if g != f]) for f in set(folds)}
    best = min(np.arange(0.3, 0.7, 0.02), key=lambda t: _cost(pairs, folds, fitted, float(t)))
    return replace(fit(pairs), threshold=round(float(best), 3))


def _cost(pairs: Sequence[Pair], folds: Sequence[int], fitted: Mapping[int, Weights], threshold: float) -> float:
    at = {fold: replace(weights, threshold=threshold) for fold, weights in fitted.items()}
    found = scores([reports(pair, at[fold]) for pair, fold in zip(pairs, folds, strict=True)])
    return (1 - found["precision"]) + 3 * max(0.0, RECALL - found["recall"])


def cross_validated(pairs: Sequence[Pair], groups: Sequence[int], seed: int) -> tuple[dict[str, float], list[float]]:
    folds = [fold_of(f"changes {seed} {group}", FOLDS) for group in groups]
    compared_pairs: list[Compared] = []
    thresholds = []
    for fold in range(FOLDS):
        inside = [n for n, f in enumerate(folds) if f != fold]
        weights = fit_with_threshold([pairs[n] for n in inside], [groups[n] for n in inside])
        thresholds.append(weights.threshold)
        compared_pairs += [reports(pair, weights) for pair, f in zip(pairs, folds, strict=True) if f == fold]
    return scores(compared_pairs), thresholds


def main() -> None:
    options = parser(__doc__ or "")
    options.add_argument("--repeats", type=int, default=4, help="how often five folds are drawn")
    arguments = options.parse_args()
    paths = paths_of(arguments)
    log = start_log(paths, "changes")
    mind = Mind(Reader.load())
    pairs = [collect(row, mind) for row in rows(paths.data, "changes/pairs")]
    groups = groups_of(pairs)
    runs = []
    for seed in range(arguments.repeats):
        figures, thresholds = cross_validated(pairs, groups, seed)
        log.info("five-fold %d: %s; thresholds %s", seed, _rounded(figures), thresholds)
        runs.append(figures)
    mean = {name: float(np.mean([figures[name] for figures in runs])) for name in runs[0]}
    log.info("mean: %s", _rounded(mean))
    final = fit_with_threshold(pairs, groups)
    stored: dict[str, Any] = {name: _stored(getattr(final, name)) for name in ("matters", "severity")}
    stored |= {
        "threshold": final.threshold,
        "data": {"changes/pairs": fingerprint(paths.data, "changes/pairs")},
        "five_fold": _rounded(mean),
        "seen": sorted(pair_key(pair.row["old"], pair.row["new"]) for pair in pairs),
    }
    OUTPUT.write_text(json.dumps(stored) + "\n", encoding="utf-8")


def _stored(model: Linear) -> dict[str, object]:
    return {
        "features": model.features,
        "outcomes": model.outcomes,
        "weights": np.round(model.weights.astype(float), 4).tolist(),
        "bias": np.round(model.bias.astype(float), 4).tolist(),
    }


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}


if __name__ == "__main__":
    main()
