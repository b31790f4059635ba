"""`bench changes --system histories`: every version of every service against the one before it, on all cores.

There are no labels here: it counts what is reported and what that costs.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, pairwise

from smallprint.bench import search_data
from smallprint.bench.data import DataDir
from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording

HISTORIES = "corpus/histories.jsonl"
COUNTED = ("services", "revisions", "changes", "quiet")


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
    mind = Mind(shipped_reader())
    counted: Counter[str] = Counter()
    for row in islice(search_data.stream(data, HISTORIES), part, None, parts):
        counted["services"] += 1
        wordings = (Wording([row["paras"][n] for n in version["paras"]]) for version in row["versions"])
        for old, new in pairwise(wordings):
            found = revision(old, new, mind, shipped())
            counted.update(revisions=1, changes=len(found.changes), quiet=len(found.quiet))
    counted["processor_seconds"] = round(time.process_time())
    return counted
