"""How popular domains are, from a list that the user names."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from smallprint.errors import FileUnreadable, UnsupportedFormat

_RANK_COLUMN = re.compile(r"rank|pos|bucket", re.I)


def read_ranks(path: Path) -> dict[str, int]:
    """Domain → rank, 1 the most popular, from `rank,domain` lines (as Tranco, Umbrella or Majestic give them).

    Also read: a table with a head, commas or tabs, with a column `domain` and any number of columns of ranks,
    positions or buckets; the best of them counts. Plain or gzip.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            ranks = _best(lines)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FileUnreadable(f"{path} can't be read as a list of ranks: {error}") from error
    if not ranks:
        raise UnsupportedFormat(f"{path} is no list of ranks: each line should be like “1,example.com”.")
    return ranks


def _best(lines: Iterable[str]) -> dict[str, int]:
    """A domain that is named twice keeps its better rank."""
    columns: tuple[int, tuple[int, ...]] = (1, (0,))
    best: dict[str, int] = {}
    for number, line in enumerate(lines):
        cells = next(csv.reader([line], delimiter="\t" if "\t" in line else ","), [])
        if number == 0 and "domain" in (names := [cell.strip().lower() for cell in cells]):
            columns = names.index("domain"), tuple(n for n, name in enumerate(names) if _RANK_COLUMN.search(name))
            continue
        domain, rank = _row(cells, *columns)
        if rank and rank < best.get(domain, rank + 1):
            best[domain] = rank
    return best


def _row(cells: list[str], domain: int, ranks: tuple[int, ...]) -> tuple[str, int | None]:
    if domain >= len(cells):
        return "", None
    found = [int(cells[n]) for n in ranks if n < len(cells) and cells[n].strip().isdecimal() and int(cells[n]) > 0]
    return cells[domain].strip().lower().removeprefix("www."), min(found, default=None)
