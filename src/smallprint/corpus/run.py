"""A run over a corpus, from documents to the library. Stop or kill it anywhere; the next run goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeVar

from smallprint.corpus.analyse import Options
from smallprint.corpus.documents import Document
from smallprint.corpus.sources import Corpus
from smallprint.corpus.workers import Workers, cores
from smallprint.library import Intake, Library, Refusal, Taken
from smallprint.settings import Settings

# A batch is one task of a worker and one transaction of the library: work in flight stays small, and the disk is
# waited for once. Bytes are bounded too, so that twenty books do not meet in one batch.
BATCH: Final = 20
BATCH_BYTES: Final = 4 * 1024 * 1024
_LOOK_AHEAD: Final = 200  # documents asked at a time whether they are done

Item = Document | Refusal
AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: documents looked at, of a corpus that is `position` of `size` done."""

    documents: int
    position: int
    size: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did. `before` counts documents that an earlier run had done; `problems` counts kinds."""

    run: int
    resumed: bool
    taken: Taken
    before: int
    problems: dict[str, int]
    seconds: float

    @property
    def rate(self) -> float:
        """Documents read in a second."""
        read = self.taken.stored + self.taken.unchanged + self.taken.refused
        return read / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class _Count:
    before: int = 0
    documents: int = 0
    position: int = 0
    taken: Taken = field(default_factory=Taken)
    problems: Counter[str] = field(default_factory=Counter)


def ingest(
    corpus: Corpus,
    library: Library,
    settings: Settings,
    *,
    options: Options | None = None,
    workers: int | None = None,
    limit: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Outcome:
    """Read every document that no run has read yet and store what is in it, `limit` documents at most."""
    began = time.monotonic()
    intake = library.intake(corpus.name)
    pool = Workers(settings, options or Options(), cores() if workers is None else workers)
    count = _Count()
    new = islice(_new(corpus, intake, count), limit)
    for results in pool.analyse(_grouped(_readable(new, intake, count), BATCH)):
        count.taken += intake.take(results)
        count.problems.update(item.kind for item in results if isinstance(item, Refusal))
        count.documents += len(results)
        progress(Progress(count.documents + count.before, count.position, corpus.size))
    if limit is None:
        intake.finish()
    seconds = time.monotonic() - began
    return Outcome(intake.run, intake.resumed, count.taken, count.before, dict(count.problems), seconds)


def _new(corpus: Corpus, intake: Intake, count: _Count) -> Iterator[Item]:
    """Documents that are not done yet. One that is there twice may be read twice; the library stores it once."""
    for some in _grouped(corpus.documents(intake.run), _LOOK_AHEAD):
        done = intake.known([item.key for item in some])
        for item in some:
            if isinstance(item, Document):
                count.position = item.position
            if item.key in done:
                count.before += 1
            else:
                done.add(item.key)
                yield item


def _readable(items: Iterable[Item], intake: Intake, count: _Count) -> Iterator[Document]:
    """What the source itself could not read is noted at once."""
    for item in items:
        if isinstance(item, Document):
            yield item
        else:
            count.taken += intake.take([item])
            count.problems[item.kind] += 1
            count.documents += 1


def _grouped(items: Iterable[AnyItem], most: int) -> Iterator[list[AnyItem]]:
    """Lists of so many items at most, and of so many bytes about."""
    group: list[AnyItem] = []
    size = 0
    for item in items:
        group.append(item)
        size += len(item.content) if isinstance(item, Document) else 0
        if len(group) >= most or size >= BATCH_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
