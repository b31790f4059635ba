"""Reading the data sets: one generator for each file, rows as they are."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(data: Path, name: str) -> Iterator[Row]:
    """The rows of `<data>/<name>.jsonl.gz` or `.jsonl.xz`."""
    packed = data / f"{name}.jsonl.gz"
    if packed.exists():
        with gzip.open(packed, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)
        return
    with lzma.open(data / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def fingerprint(data: Path, name: str) -> str:
    """sha256 of the file that `rows` would read: the card names the exact bytes a model learned from."""
    for ending in (".jsonl.gz", ".jsonl.xz", ""):
        path = data / f"{name}{ending}"
        if path.is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()
    raise FileNotFoundError(data / name)


def fold_of(key: str, folds: int = 5) -> int:
    """The fold of a policy: a hash of its name, so that it never depends on the order of a file."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % folds


HELD_OUT_FOLD = 0
"""Policies of `asked` in this fold are never trained on: early stopping, calibration and figures use them."""
