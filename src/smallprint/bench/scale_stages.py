"""What each stage of reading costs, a policy: the same code here and inside a task of Spark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from smallprint.annotate.facets import facets_of
from smallprint.annotate.practices import practices_of
from smallprint.corpus.analyse import Options, analyse
from smallprint.corpus.documents import Document
from smallprint.corpus.minhash import signature
from smallprint.corpus.spark import Spark
from smallprint.ingest.source import read_bytes
from smallprint.models.reader import shipped_reader
from smallprint.segment import segment
from smallprint.settings import Settings

STAGES: Final = ("read", "segment", "reader", "facets", "signature")
Costs = dict[str, float]  # stage → processor seconds
Made = TypeVar("Made")


def here(documents: Sequence[Document], settings: Settings) -> Costs:
    return mean(timed(settings, documents))


def on_spark(documents: Sequence[Document], settings: Settings, spark: Spark) -> Costs:
    """One task, so that one core works as it does here."""
    tasks = spark.context.parallelize(list(documents), 1)
    return mean(tasks.mapPartitions(partial(timed, settings)).collect())


def timed(settings: Settings, documents: Iterable[Document]) -> Iterator[Costs]:
    """The cost of each stage, document by document; loading is not part of it."""
    waiting = list(documents)
    list(analyse(waiting[:1], settings, Options(force=True)))
    yield from map(_timed, waiting)


def mean(costs: Iterable[Costs]) -> Costs:
    found = list(costs)
    return {stage: sum(cost[stage] for cost in found) / len(found) for stage in STAGES}


def _timed(document: Document) -> Costs:
    spent: Costs = {}

    def clock(stage: str, do: Callable[[], Made]) -> Made:
        began = time.process_time()
        made = do()
        spent[stage] = time.process_time() - began
        return made

    given: dict[str, Any] = {"content_type": document.content_type, "charset": document.charset, "url": document.url}
    read = clock("read", lambda: read_bytes(document.content, document.source, force=True, **given))
    reading = clock("segment", lambda: segment(replace(read.policy, source=document.source)))
    found = clock("reader", lambda: practices_of(reading, shipped_reader()))
    clock("facets", lambda: facets_of(reading, found, name=document.name or ""))
    clock("signature", lambda: signature(read.policy.text))
    return spent
