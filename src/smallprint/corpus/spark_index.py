"""Bringing what was stored into an index that is a cluster itself: in bulk, from the executors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final

from smallprint.corpus.spark import Spark
from smallprint.index.document import document_of
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.follow import Write, open_index
from smallprint.library import Shelved
from smallprint.settings import Settings

_BATCH: Final = 100  # versions of one task


def loader(spark: Spark, settings: Settings) -> Write | None:
    """None for the embedded index: it is a folder of this machine with one writer."""
    if isinstance(open_index(settings), EmbeddedIndex):
        return None
    return partial(write, spark, settings)


def write(spark: Spark, settings: Settings, versions: Iterable[Shelved]) -> int:
    """Segmenting and stances are the work here, and they are done where the documents are sent from."""
    coming = iter(versions)
    batches = list(iter(lambda: list(islice(coming, _BATCH)), []))
    return spark.each(partial(upsert, settings), batches, lambda _: None, "Indexing") if batches else 0


def upsert(settings: Settings, batches: Iterable[list[Shelved]]) -> Iterator[int]:
    """On an executor. A task that is done twice writes the same documents under the same ids."""
    index = open_index(settings)
    for batch in batches:
        yield index.upsert(map(document_of, batch))
