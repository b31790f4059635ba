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
from smallprint.corpus.workers import Results, Workers, cores
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
    """How far it is: documents looked at, of a corpus that is `position` of `size` done. `doing` says at what, where a
    run has several steps; `before` counts those that an earlier run had done."""

    documents: int
    position: int
    size: int
    doing: str = ""
    before: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did. `before` counts documents that an earlier run had done; `problems` counts kinds; `reused` counts
    those of the documents that a cluster had read, but not handed over, when the run was killed."""

    run: int
    resumed: bool
    taken: Taken
    before: int
    problems: dict[str, int]
    seconds: float
    reused: int = 0

    @property
    def rate(self) -> float:
        """Documents read in a second."""
        read = self.taken.stored + self.taken.unchanged + self.taken.refused
        return read / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Tally:
    """What a run has come to so far."""

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
    tally = Tally()
    new = islice(new_documents(corpus, intake, tally), limit)
    for results in pool.analyse(grouped(readable(new, intake, tally), BATCH)):
        store(results, intake, tally)
        progress(Progress(tally.documents + tally.before, tally.position, corpus.size, before=tally.before))
    if limit is None:
        intake.finish()
    return outcome(intake, tally, began)


def outcome(intake: Intake, tally: Tally, began: float, reused: int = 0) -> Outcome:
    seconds = time.monotonic() - began
    return Outcome(intake.run, intake.resumed, tally.taken, tally.before, dict(tally.problems), seconds, reused)


def store(results: Results, intake: Intake, tally: Tally) -> None:
    tally.taken += intake.take(results)
    tally.problems.update(item.kind for item in results if isinstance(item, Refusal))
    tally.documents += len(results)


def new_documents(corpus: Corpus, intake: Intake, tally: Tally) -> Iterator[Item]:
    """Documents that are not done yet. One that is there twice may be read twice; the library stores it once."""
    for some in grouped(corpus.documents(intake.run), _LOOK_AHEAD):
        done = intake.known([item.key for item in some])
        for item in some:
            if isinstance(item, Document):
                tally.position = item.position
            if item.key in done:
                tally.before += 1
            else:
                done.add(item.key)
                yield item


def readable(items: Iterable[Item], intake: Intake, tally: Tally) -> Iterator[Document]:
    """What the source itself could not read is noted at once."""
    for item in items:
        if isinstance(item, Document):
            yield item
        else:
            store([item], intake, tally)


def grouped(items: Iterable[AnyItem], most: int) -> Iterator[list[AnyItem]]:
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
