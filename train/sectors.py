"""The sector classifier: python -m train.sectors

One straight line over hashed counts, in two steps. First, what DMOZ says of 22,000 websites teaches which words and
names go with which of its sections. Then labelled organisations teach which sectors those sections and words mean: the
750 of `sectors/services` and those of sector_labels.tsv, drawn from `corpus/` and labelled by a language model from
name, domain and the words of the opening that stand out. Both steps are linear, so what is shipped is one matrix;
beside it where the directory lists each domain.

Figures are by cross-validation in five folds by domain, over rows of `sectors/services` alone, twice: as they are,
about half of them listed in the directory, and as if none were. Step one never sees a labelled domain.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import accuracy_score, f1_score

from smallprint.annotate import sector
from smallprint.annotate.directory import Directory
from smallprint.models.catalogue import seen_key
from train.data import Row, fingerprint, fold_of, rows
from train.paths import REPOSITORY, parser, paths_of, start_log
from train.sector_data import OUR_LABELS, Weak, counts, directory_of, ours, weighted

FOLDS = 5
WEIGHTS = REPOSITORY / "src" / "smallprint" / "annotate" / "weights"
# Chosen by cross-validation, among a few: the figures move by under a point.
STRENGTH = 1.0
SECTIONS_WEIGHT = 0.3**0.5
CUES_WEIGHT = 0.05**0.5
SHELVES_WEIGHT = 2.0
# How much a rare sector's rows count more: at 1 all sectors would weigh the same.
BALANCE = 0.4
CALLED_UNKNOWN = 0.02  # of these one in four would have been right; more costs accuracy, fewer says nothing
LICENCE = "Trained on policies of websites and their sections in a directory, gathered for research: research use"
UNSURE = 0.4  # weight of a row whose label was a guess


@dataclass(frozen=True, slots=True)
class Labelled:
    """`x` has shape (rows, SIZE), `shelves` (rows, sections of the directory): nought where it does not list a row.
    `given` are the rows of `sectors/services`, by which figures are made."""

    x: sp.csr_matrix
    shelves: NDArray[np.float64]
    y: NDArray[Any]
    sure: NDArray[np.int64]
    fold: NDArray[np.int64]
    given: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Space:
    """What the second step learns in: `rows` has shape (rows, dimensions), the last of them the directory's; `back`
    leads from the first ones to the labelled rows."""

    rows: NDArray[np.float32]
    back: NDArray[np.float64]
    shelves: int

    def unlisted(self) -> NDArray[np.float32]:
        """The rows as if no directory had them."""
        return np.hstack([self.rows[:, : -self.shelves], np.zeros((len(self.rows), self.shelves), np.float32)])


@dataclass(frozen=True, slots=True)
class Sections:
    """Step one: `weights` has shape (SIZE, sections), `bias`, `mean` (sections,); `spread` is one number."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    mean: NDArray[np.float64]
    spread: float

    def of(self, x: sp.csr_matrix) -> NDArray[np.float64]:
        return np.asarray((x @ self.weights + self.bias - self.mean) / self.spread * SECTIONS_WEIGHT)


@dataclass(frozen=True, slots=True)
class Cues:
    """Each sector's own vocabulary: `of_rows` has shape (rows, 2 × lists), standardised and weighted."""

    of_rows: NDArray[np.float64]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]


def cues_of(found: list[dict[str, Any]]) -> Cues:
    counted = np.array([sector.cue_counts(row["service"] or "", row["domain"] or "", row["text"]) for row in found])
    mean, spread = counted.mean(axis=0), counted.std(axis=0) + 1e-6
    return Cues((counted - mean) / spread * CUES_WEIGHT, mean, spread)


def learn_sections(x: sp.csr_matrix, categories: list[str], on: sp.csr_matrix, seed: int) -> Sections:
    """One line for each DMOZ section; a website may stand in several."""
    given = [set(category.split("|")) for category in categories]
    names = sorted(set.union(*given))
    coefficients, biases = [], []
    for name in names:
        model = SGDClassifier(loss="log_loss", alpha=3e-6, average=True, max_iter=4, tol=None, random_state=seed).fit(
            x, np.array([name in one for one in given])
        )
        coefficients.append(model.coef_[0])
        biases.append(model.intercept_[0])
    weights, bias = np.array(coefficients).T, np.array(biases)
    scores = np.asarray(on @ weights + bias)
    return Sections(weights, bias, scores.mean(axis=0), float(scores.std()))


def space_of(data: Labelled, dense: NDArray[np.float64]) -> Space:
    """The rows in as many dimensions as there are rows, and the way back: a line with a penalty on its length lies in
    what the rows span, and two thousand numbers a row are learned from sooner than 130,000."""
    gram = np.asarray((data.x @ data.x.T).todense()) + dense @ dense.T
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-7 * values.max()
    root = np.sqrt(values[kept])
    rows = np.hstack([vectors[:, kept] * root, data.shelves * SHELVES_WEIGHT]).astype(np.float32)
    return Space(rows, vectors[:, kept] / root, data.shelves.shape[1])


def learn_sectors(data: Labelled, space: Space, which: NDArray[np.bool_]) -> LogisticRegression:
    y = data.y[which]
    often = Counter(y)
    weight = np.array([(len(y) / (len(often) * often[label])) ** BALANCE for label in y])
    weight *= np.where(data.sure[which] == 0, UNSURE, 1.0)
    return LogisticRegression(C=STRENGTH, max_iter=100, tol=1e-3).fit(space.rows[which], y, sample_weight=weight)


@dataclass(frozen=True, slots=True)
class Told:
    """Chances of each given row by a model that saw no label of its domain, (rows, sectors)."""

    as_they_are: NDArray[np.float64]
    as_if_unlisted: NDArray[np.float64]


def cross_validated(data: Labelled, space: Space, labels: list[str]) -> Told:
    told = Told(np.zeros((len(data.y), len(labels))), np.zeros((len(data.y), len(labels))))
    unlisted = space.unlisted()
    for fold in range(FOLDS):
        model = learn_sectors(data, space, (data.fold != fold) & (data.y != sector.UNKNOWN))
        asked = data.fold == fold
        told.as_they_are[asked] = model.predict_proba(space.rows[asked])
        told.as_if_unlisted[asked] = model.predict_proba(unlisted[asked])
    return Told(told.as_they_are[data.given], told.as_if_unlisted[data.given])


def figures(data: Labelled, labels: list[str], chances: NDArray[np.float64], threshold: float) -> dict[str, float]:
    given = np.where(chances.max(axis=1) >= threshold, np.array(labels)[chances.argmax(axis=1)], sector.UNKNOWN)
    y, sure = data.y[data.given], data.sure[data.given]
    right = given == y
    return {
        "accuracy": round(float(accuracy_score(y[sure >= 1], given[sure >= 1])), 4),
        "macro_f1": round(float(f1_score(y[sure >= 1], given[sure >= 1], average="macro", labels=labels)), 4),
        "unknown": round(float(np.mean(given[sure >= 1] == sector.UNKNOWN)), 4),
        "accuracy_where_sure": round(float(right[sure == 2].mean()), 4),
        "accuracy_where_guessed": round(float(right[sure == 1].mean()), 4),
    }


def choose_threshold(chances: NDArray[np.float64]) -> float:
    """Below this the least sure few of a hundred organisations are called unknown."""
    return float(np.quantile(chances.max(axis=1), CALLED_UNKNOWN))


@dataclass(frozen=True, slots=True)
class Joint:
    """Both steps as one: weights of the buckets, of the cues and of the directory's sections, and the bias, each with
    one column a sector."""

    weights: NDArray[np.float64]
    cues: NDArray[np.float64]
    shelves: NDArray[np.float64]
    bias: NDArray[np.float64]


def joined(data: Labelled, model: LogisticRegression, space: Space, sections: Sections, cues: Cues) -> Joint:
    # How much each labelled row speaks for each sector.
    rows_weights = space.back @ model.coef_[:, : -space.shelves].T
    through = sections.of(data.x).T @ rows_weights * (SECTIONS_WEIGHT / sections.spread)
    weights = data.x.T @ rows_weights + sections.weights @ through
    of_cues = (cues.of_rows.T @ rows_weights) * (CUES_WEIGHT / cues.spread)[:, None]
    bias = model.intercept_ + (sections.bias - sections.mean) @ through - cues.mean @ of_cues
    return Joint(np.asarray(weights), of_cues, model.coef_[:, -space.shelves :].T * SHELVES_WEIGHT, bias)


def export(
    path: Path, labels: list[str], idf: NDArray[np.float32], joint: Joint, directory: Directory, least: float
) -> bytes:
    """Eight bits a weight, scaled for each sector: the figures stay the same."""
    scale = np.abs(joint.weights).max(axis=0) / 127
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        labels=np.array(labels),
        idf=idf.astype(np.float16),
        weights=np.round(joint.weights / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        cues=joint.cues.astype(np.float32),
        listed=directory.keys,
        masks=directory.masks,
        mean=directory.mean,
        shelves=joint.shelves.astype(np.float32),
        bias=joint.bias.astype(np.float32),
        threshold=np.float32(least),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())
    return packed.getvalue()


@dataclass(frozen=True, slots=True)
class Learned:
    data: Labelled
    sections: Sections
    cues: Cues
    idf: NDArray[np.float32]


def learn(labelled: list[Row], given: int, weak: Weak, directory: Directory, seed: int) -> Learned:
    """Step one, and all that step two stands on. The first `given` rows are those of `sectors/services`."""
    others = weak.without({row["domain"] for row in labelled})
    containing = np.asarray((others.texts[:, : sector.TEXT_BUCKETS] > 0).sum(axis=0)).ravel()
    idf = sector.idf_of(len(others.domains), containing)
    data = Labelled(
        x=weighted(*counts(labelled), idf),
        shelves=np.array([directory.sections(row["domain"] or "") for row in labelled], np.float64),
        y=np.array([row["sector"] for row in labelled]),
        sure=np.array([row["sure"] for row in labelled]),
        fold=np.array([fold_of(row["domain"] or row["service"], FOLDS) for row in labelled]),
        given=np.arange(len(labelled)) < given,
    )
    x = weighted(others.texts, others.names, idf)
    return Learned(data, learn_sections(x, list(others.categories), data.x, seed), cues_of(labelled), idf)


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "sectors")
    given = list(rows(paths.data, "sectors/services"))
    labelled = given + list(ours(paths.data))
    weak, directory = directory_of(paths.data)
    log.info("%d and %d labelled organisations, %d listed", len(given), len(labelled) - len(given), len(weak.domains))
    learned = learn(labelled, len(given), weak, directory, options.seed)
    data = learned.data
    space = space_of(data, np.hstack([learned.sections.of(data.x), learned.cues.of_rows]))
    labels = sorted(set(data.y) - {sector.UNKNOWN})
    told = cross_validated(data, space, labels)
    threshold = choose_threshold(told.as_they_are)
    measured = {
        "as_they_are": figures(data, labels, told.as_they_are, threshold),
        "as_if_unlisted": figures(data, labels, told.as_if_unlisted, threshold),
    }
    log.info("cross-validated: %s", measured)

    model = learn_sectors(data, space, data.y != sector.UNKNOWN)
    joint = joined(data, model, space, learned.sections, learned.cues)
    content = export(WEIGHTS / sector.WEIGHTS, labels, learned.idf, joint, directory, threshold)
    card = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "licence": LICENCE,
        "data": {
            name: fingerprint(paths.data, name) for name in ("sectors/services", "corpus/policies", "corpus/websites")
        }
        | {OUR_LABELS.name: hashlib.sha256(OUR_LABELS.read_bytes()).hexdigest()},
        "threshold": threshold,
        "cross_validated": measured,
        "seen": sorted(seen_key(row["text"]).hex() for row in labelled),
    }
    (WEIGHTS / sector.CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    log.info("%d bytes", len(content))


if __name__ == "__main__":
    main()
