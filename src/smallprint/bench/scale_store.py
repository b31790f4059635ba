"""Does storing a policy cost the same when many are there? Made-up policies of one line each, none like another: what
grows with a library is its indexes, above all the memory of near-duplicates, and they do not depend on length."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from smallprint.bench.search_speed import temporary
from smallprint.corpus.documents import key_of
from smallprint.library import Annotation, Arrival, Library
from smallprint.library.folding import SLOT_BYTES, SLOTS
from smallprint.records import Block, BlockKind, Facets, Policy
from smallprint.settings import Settings

MARKS: Final = (10_000, 30_000, 100_000)
_MEASURED: Final = 2_000  # policies stored when a mark is reached
_BATCH: Final = 20


def growth(marks: tuple[int, ...] = MARKS, measured: int = _MEASURED) -> dict[str, dict[str, float]]:
    """Processor and clock milliseconds of storing a policy, when so many are there."""
    rows: dict[str, dict[str, float]] = {}
    with temporary() as home, Library.open(Settings(home=home)) as library:
        intake = library.intake("bench")
        coming = arrivals()
        there = 0
        for mark in marks:
            for _ in range(0, mark - there, _BATCH):
                intake.take(islice(coming, _BATCH))
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(0, measured, _BATCH):
                intake.take(islice(coming, _BATCH))
            spent = {"cpu_ms": time.process_time() - cpu, "wall_ms": time.perf_counter() - wall}
            rows[f"store@{mark}"] = {name: 1_000 * seconds / measured for name, seconds in spent.items()}
            there = mark + measured
    return rows


def arrivals() -> Iterator[Arrival]:
    dice = random.Random(115)
    number = 0
    while True:
        number += 1
        text = f"Service {number} collects your name."
        block = Block(BlockKind.PARAGRAPH, 0, 0, len(text))
        source = f"https://service{number}.example/privacy"
        yield Arrival(
            key=key_of(number),
            policy=Policy(source, "", text, (block,), "text/plain", url=source),
            annotation=Annotation(Facets(), "bench"),
            signature=dice.randbytes(SLOTS * SLOT_BYTES),
            name=f"Service {number}",
            seen=datetime(2020, 1, 1, tzinfo=UTC),
        )
