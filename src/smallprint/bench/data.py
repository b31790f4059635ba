"""The data folder of a bench: reads JSON Lines in any packing and remembers what was read."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from smallprint.errors import DataMissing

ENDINGS = ("", ".gz", ".xz")

Row = dict[str, Any]


class DataDir:
    """`rows("privacyqa/docs.jsonl")` reads that file, packed or not, and notes its sha256 in `used`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.used: dict[str, str] = {}

    @classmethod
    def find(cls, given: Path | None) -> DataDir:
        """The folder named by the flag, else by `SMALLPRINT_DATA`."""
        root = given or Path(os.environ.get("SMALLPRINT_DATA") or "")
        if not given and not os.environ.get("SMALLPRINT_DATA"):
            raise DataMissing("No data to measure on: give --data DIR or set SMALLPRINT_DATA.")
        if not root.is_dir():
            raise DataMissing(f"There is no data folder {root}.")
        return cls(root)

    def rows(self, name: str) -> list[Row]:
        return list(self.iterate(name))

    def gold(self, name: str, counts: Callable[[Row], object] = bool) -> list[Row]:
        """The rows to measure on: of the measured split, and such that `counts`. A bench over none of them would print
        noughts that nobody earned, so none is an error."""
        rows = [row for row in measured_rows(self.rows(name)) if counts(row)]
        if not rows:
            raise DataMissing(f"{self.root} has no row in {_bare(name)} to measure on.")
        return rows

    def iterate(self, name: str) -> Iterator[Row]:
        path = self._path(name)
        raw = path.read_bytes()
        self.used[path.relative_to(self.root).as_posix()] = hashlib.sha256(raw).hexdigest()
        try:
            text = _unpack(path, raw).decode()
            yield from (json.loads(line) for line in text.split("\n") if line.strip())
        except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
            raise DataMissing(f"{path} is damaged: {error}") from error

    def has(self, name: str) -> bool:
        return any((self.root / (_bare(name) + ending)).is_file() for ending in ENDINGS)

    def _path(self, name: str) -> Path:
        for ending in ENDINGS:
            path = self.root / (_bare(name) + ending)
            if path.is_file():
                return path
        raise DataMissing(f"{self.root} has no {_bare(name)} (plain, .gz or .xz).")


def measured_rows(rows: list[Row]) -> list[Row]:
    """Only `test` counts where rows have a split; `valid` where there is no `test`."""
    splits = {row.get("split") for row in rows}
    wanted = next((split for split in ("test", "valid") if split in splits), None)
    return rows if wanted is None else [row for row in rows if row.get("split") == wanted]


def _bare(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(".xz")


def _unpack(path: Path, raw: bytes) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(raw)
    return lzma.decompress(raw) if path.suffix == ".xz" else raw
