"""`bench changes --system histories`: every version of every service against the one before it, on all cores.

There are no labels here: it counts what is reported and what that costs. Services that have text in common (a company's
many sites, one site in two collections) go to one process and follow each other, so that it is read once.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

from smallprint.bench import search_data
from smallprint.bench.data import DataDir
from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording

HISTORIES = "corpus/histories.jsonl"
COUNTED = ("services", "revisions", "changes", "quiet")
# Characters of a paragraph that is no mere heading or menu, which policies share by chance.
_LONG = 200


def scores(data: DataDir) -> dict[str, float]:
    """Totals over all services; `minutes` as the clock tells, `processor_minutes` of all cores together."""
    search_data.noted(data, HISTORIES)
    parts = os.cpu_count() or 1
    began = time.monotonic()
    with ProcessPoolExecutor(parts, multiprocessing.get_context("spawn")) as pool:
        counted = sum(pool.map(partial(_part, data, parts), range(parts)), Counter[str]())
    minutes = {"minutes": (time.monotonic() - began) / 60, "processor_minutes": counted["processor_seconds"] / 60}
    return {name: float(counted[name]) for name in COUNTED} | minutes


def _part(data: DataDir, parts: int, part: int) -> Counter[str]:
    """Each process reads the file for itself and takes its share of the services: texts need not travel."""
    rows = (row for row in search_data.stream(data, HISTORIES) if kinship(row) % parts == part)
    mind = Mind(shipped_reader())
    counted: Counter[str] = Counter()
    for row in sorted(rows, key=kinship):
        counted["services"] += 1
        wordings = (Wording([row["paras"][n] for n in version["paras"]]) for version in row["versions"])
        for old, new in pairwise(wordings):
            found = revision(old, new, mind, shipped())
            counted.update(revisions=1, changes=len(found.changes), quiet=len(found.quiet))
    counted["processor_seconds"] = round(time.process_time())
    return counted


def kinship(row: dict[str, Any]) -> int:
    """The same for services with much text in common: the lowest checksum of their paragraphs, which two have in
    common as often as they have paragraphs in common."""
    return min((zlib.crc32(text.encode()) for text in row["paras"] if len(text) > _LONG), default=0)
