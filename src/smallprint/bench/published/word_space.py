"""The rows' own weights that stand on the product's word vectors, and the check that they are those."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint.errors import ModelError
from smallprint.models.catalogue import shipped
from smallprint.models.vectors import WordVectors

MARK = "word_vectors"


@cache
def vectors() -> WordVectors:
    """Those of this process."""
    return WordVectors.load()


def mark() -> dict[str, NDArray[np.uint8]]:
    """What a recipe stores beside its tables: which word vectors they were made for."""
    return {MARK: np.frombuffer(shipped().card("vectors").fingerprint.encode(), dtype=np.uint8)}


def tables_of(name: str) -> dict[str, NDArray[Any]]:
    """The tables of `weights/<name>.npz`. With other word vectors than they were made for, they mean nothing."""
    with files("smallprint.bench.published").joinpath(f"weights/{name}.npz").open("rb") as stored, np.load(stored) as t:
        tables = {table: t[table] for table in t.files}
    if tables.pop(MARK).tobytes() != mark()[MARK].tobytes():
        raise ModelError(f"This row was made for other word vectors: run python -m train.published_{name}.")
    return tables
