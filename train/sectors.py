"""The sector classifier: python -m train.sectors

One straight line over hashed counts, in two steps. First, what DMOZ says of 22,000 websites teaches which words and
names go with which of its sections. Then the 750 labelled organisations teach which sectors those sections and words
mean. Both steps are linear, so what is shipped is one matrix.

Figures are by cross-validation in five folds by domain, twice: with the websites of labelled domains left out of step
one (an organisation that no directory knows), and with them (one that the directory lists; no sector label is seen).
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
from sklearn.preprocessing import normalize

from smallprint.annotate import sector
from smallprint.models.catalogue import seen_key
from train.data import Row, fingerprint, fold_of, rows
from train.paths import REPOSITORY, parser, paths_of, start_log

FOLDS = 5
WEIGHTS = REPOSITORY / "src" / "smallprint" / "annotate" / "weights"
SIZE = sector.TEXT_BUCKETS + sector.NAME_BUCKETS
# Chosen by cross-validation, among a few: the figures move by under a point.
STRENGTH = 0.5
SECTIONS_WEIGHT = 0.3**0.5
CUES_WEIGHT = 0.05**0.5
# How much a rare sector's rows count more: at 1 all sectors would weigh the same.
BALANCE = 0.4
CALLED_UNKNOWN = 0.03  # of these one in four would have been right; more costs accuracy, fewer says nothing
LICENCE = "Trained on policies of websites and their sections in a directory, gathered for research: research use"
UNSURE = 0.4  # weight of a row whose label was a guess


@dataclass(frozen=True, slots=True)
class Labelled:
    x: sp.csr_matrix
    y: NDArray[Any]
    sure: NDArray[np.int64]
    fold: NDArray[np.int64]


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


def counts(found: list[dict[str, Any]]) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Counts of the texts and of the names, each of shape (rows, SIZE)."""
    texts = [sector.text_counts(row["text"]) for row in found]
    names = [sector.name_counts(row["service"] or "", row["domain"] or "") for row in found]
    return _matrix(texts), _matrix(names)


def _matrix(found: list[dict[int, float]]) -> sp.csr_matrix:
    ends = np.cumsum([0, *map(len, found)])
    columns = np.fromiter((b for row in found for b in row), np.int32, ends[-1])
    values = np.fromiter((v for row in found for v in row.values()), np.float32, ends[-1])
    return sp.csr_matrix((values, columns, ends), shape=(len(found), SIZE))


def weighted(texts: sp.csr_matrix, names: sp.csr_matrix, idf: NDArray[np.float32]) -> sp.csr_matrix:
    padded = np.concatenate([idf, np.zeros(sector.NAME_BUCKETS, np.float32)])
    return (normalize(texts @ sp.diags(padded)) + names).tocsr()


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


def rotated(x: sp.csr_matrix, dense: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rows in as many dimensions as there are rows, and the way back: a line with a penalty on its length lies in
    what the rows span, and 750 numbers a row are learned from sooner than 130,000."""
    gram = np.asarray((x @ x.T).todense()) + dense @ dense.T
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-7 * values.max()
    root = np.sqrt(values[kept])
    return vectors[:, kept] * root, vectors[:, kept] / root


def learn_sectors(data: Labelled, z: NDArray[np.float64], which: NDArray[np.bool_]) -> LogisticRegression:
    y = data.y[which]
    often = Counter(y)
    weight = np.array([(len(y) / (len(often) * often[label])) ** BALANCE for label in y])
    weight *= np.where(data.sure[which] == 0, UNSURE, 1.0)
    return LogisticRegression(C=STRENGTH, max_iter=300, tol=1e-3).fit(z[which], y, sample_weight=weight)


def cross_validated(data: Labelled, z: NDArray[np.float64], labels: list[str]) -> NDArray[np.float64]:
    """Chances of each row by a model that saw no label of its domain, shape (rows, sectors)."""
    chances = np.zeros((len(data.y), len(labels)))
    for fold in range(FOLDS):
        model = learn_sectors(data, z, (data.fold != fold) & (data.y != sector.UNKNOWN))
        chances[data.fold == fold] = model.predict_proba(z[data.fold == fold])
    return chances


def figures(data: Labelled, labels: list[str], chances: NDArray[np.float64], threshold: float) -> dict[str, float]:
    given = np.where(chances.max(axis=1) >= threshold, np.array(labels)[chances.argmax(axis=1)], sector.UNKNOWN)
    sure = data.sure >= 1
    return {
        "accuracy": round(float(accuracy_score(data.y[sure], given[sure])), 4),
        "macro_f1": round(float(f1_score(data.y[sure], given[sure], average="macro", labels=labels)), 4),
        "unknown": round(float(np.mean(given[sure] == sector.UNKNOWN)), 4),
    }


def choose_threshold(chances: NDArray[np.float64]) -> float:
    """Below this the least sure few of a hundred organisations are called unknown."""
    return float(np.quantile(chances.max(axis=1), CALLED_UNKNOWN))


def joined(
    data: Labelled, model: LogisticRegression, back: NDArray[np.float64], sections: Sections, cues: Cues
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Both steps as one: weights of the buckets, of the cues, and the bias, each with one column a sector."""
    rows_weights = back @ model.coef_.T  # how much each labelled row speaks for each sector
    through = sections.of(data.x).T @ rows_weights * (SECTIONS_WEIGHT / sections.spread)
    weights = data.x.T @ rows_weights + sections.weights @ through
    of_cues = (cues.of_rows.T @ rows_weights) * (CUES_WEIGHT / cues.spread)[:, None]
    bias = model.intercept_ + (sections.bias - sections.mean) @ through - cues.mean @ of_cues
    return np.asarray(weights), of_cues, bias


def export(path: Path, labels: list[str], idf: NDArray[np.float32], joint: tuple[Any, Any, Any], least: float) -> bytes:
    """Eight bits a weight, scaled for each sector: the figures stay the same."""
    weights, cues, bias = joint
    scale = np.abs(weights).max(axis=0) / 127
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        labels=np.array(labels),
        idf=idf.astype(np.float16),
        weights=np.round(weights / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        cues=cues.astype(np.float32),
        bias=bias.astype(np.float32),
        threshold=np.float32(least),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())
    return packed.getvalue()


@dataclass(frozen=True, slots=True)
class Weak:
    """Websites with their sections in the directory."""

    texts: sp.csr_matrix
    names: sp.csr_matrix
    domains: NDArray[Any]
    categories: NDArray[Any]

    def without(self, domains: set[str]) -> Weak:
        kept = np.array([domain not in domains for domain in self.domains])
        return Weak(self.texts[kept], self.names[kept], self.domains[kept], self.categories[kept])


def learn(labelled: list[Row], weak: Weak, seed: int) -> tuple[Labelled, Sections, Cues, NDArray[np.float32]]:
    """Step one, and all that step two stands on."""
    containing = np.asarray((weak.texts[:, : sector.TEXT_BUCKETS] > 0).sum(axis=0)).ravel()
    idf = sector.idf_of(len(weak.domains), containing)
    data = Labelled(
        x=weighted(*counts(labelled), idf),
        y=np.array([row["sector"] for row in labelled]),
        sure=np.array([row["sure"] for row in labelled]),
        fold=np.array([fold_of(row["domain"] or row["service"], FOLDS) for row in labelled]),
    )
    x = weighted(weak.texts, weak.names, idf)
    return data, learn_sections(x, list(weak.categories), data.x, seed), cues_of(labelled), idf


def measured(labelled: list[Row], weak: Weak, seed: int) -> dict[str, float]:
    """Cross-validated figures at the threshold that they themselves give."""
    data, sections, cues, _ = learn(labelled, weak, seed)
    z, _ = rotated(data.x, np.hstack([sections.of(data.x), cues.of_rows]))
    labels = sorted(set(data.y) - {sector.UNKNOWN})
    chances = cross_validated(data, z, labels)
    return figures(data, labels, chances, choose_threshold(chances))


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    log = start_log(paths, "sectors")
    labelled = list(rows(paths.data, "sectors/services"))
    found = list(rows(paths.data, "corpus/websites"))
    weak = Weak(
        *counts(found), np.array([row["domain"] for row in found]), np.array([row["category"] for row in found])
    )
    log.info("%d labelled organisations, %d websites with sections", len(labelled), len(found))
    unseen = measured(labelled, weak.without({row["domain"] for row in labelled}), options.seed)
    log.info("cross-validated, domains that the directory does not list: %s", unseen)

    data, sections, cues, idf = learn(labelled, weak, options.seed)
    labels = sorted(set(data.y) - {sector.UNKNOWN})
    z, back = rotated(data.x, np.hstack([sections.of(data.x), cues.of_rows]))
    chances = cross_validated(data, z, labels)
    threshold = choose_threshold(chances)
    listed = figures(data, labels, chances, threshold)
    log.info(
        "cross-validated, domains of the directory: %s; no threshold: %s", listed, figures(data, labels, chances, 0.0)
    )

    model = learn_sectors(data, z, data.y != sector.UNKNOWN)
    content = export(WEIGHTS / sector.WEIGHTS, labels, idf, joined(data, model, back, sections, cues), threshold)
    card = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "licence": LICENCE,
        "data": {name: fingerprint(paths.data, name) for name in ("sectors/services", "corpus/websites")},
        "threshold": threshold,
        "cross_validated": {"unseen_domains": unseen, "directory_domains": listed},
        "seen": sorted(seen_key(row["text"]).hex() for row in labelled),
    }
    (WEIGHTS / sector.CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    log.info("%d bytes", len(content))


if __name__ == "__main__":
    main()
