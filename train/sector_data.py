"""What the sector classifier learns from: labelled organisations, websites of a directory, both as hashed counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from smallprint.annotate import sector
from smallprint.annotate.directory import Directory
from train.data import Row, rows
from train.paths import REPOSITORY

OUR_LABELS = REPOSITORY / "train" / "sector_labels.tsv"
SIZE = sector.TEXT_BUCKETS + sector.NAME_BUCKETS


def ours(data: Path) -> Iterator[Row]:
    """The organisations of sector_labels.tsv, with name, domain and opening from the corpus."""
    labels = dict(line.split("\t") for line in OUR_LABELS.read_text(encoding="utf-8").splitlines())
    for name in ("corpus/policies", "corpus/websites"):
        for row in rows(data, name):
            if row["id"] in labels:
                text = row["text"][: sector.OPENING]
                known = {"service": row["service"], "domain": row.get("domain"), "text": text}
                yield known | {"sector": labels[row["id"]], "sure": 1}


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


def directory_of(data: Path) -> tuple[Weak, Directory]:
    found = [row | {"text": row["text"][: sector.OPENING]} for row in rows(data, "corpus/websites")]
    domains, categories = [row["domain"] for row in found], [row["category"] for row in found]
    directory = Directory.of(domains, [set(category.split("|")) for category in categories])
    return Weak(*counts(found), np.array(domains), np.array(categories)), directory
