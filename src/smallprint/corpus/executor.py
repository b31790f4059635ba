"""What runs on an executor of a cluster: one part of the documents through the stage function, into one file.

The models stay loaded in the process, which reads one part after another. A part that failed before is read document by
document in a process of its own, so that one that kills its reader is found, refused and told, and the run goes on.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from smallprint.corpus.analyse import Options, analyse, model_of
from smallprint.corpus.documents import Document
from smallprint.corpus.part_rows import DOCUMENTS, RESULTS, document_of, result_row
from smallprint.corpus.parts import Part, Parts
from smallprint.corpus.workers import Workers
from smallprint.errors import ClusterError
from smallprint.library import Arrival, Refusal
from smallprint.library.parquet import rows, writing
from smallprint.settings import Settings

# A document stops itself after `Options.seconds`; code that does not let itself be stopped takes its process along.
_PATIENCE: Final = 2.0


@dataclass(frozen=True, slots=True)
class Job:
    """All that an executor has to know. `model` is what the driver would read with."""

    folder: str
    settings: Settings
    options: Options
    model: str


def read_parts(job: Job, attempt: Callable[[], int], parts: Iterable[Part]) -> Iterator[int]:
    """How many documents were read of each part. `attempt` tells how often these failed before."""
    if model_of(quick=job.options.quick) != job.model:
        raise ClusterError("An executor has other models or rules: install the same Smallprint on every machine.")
    for part in parts:
        yield _read(job, part, alone=attempt() > 0)


def _read(job: Job, part: Part, *, alone: bool) -> int:
    """Whoever else reads the same part writes the same rows under the same name."""
    found = Parts(job.folder)
    documents = rows(found.documents / part.name, DOCUMENTS)
    results = (_one_by_one if alone else _in_a_row)(documents_of(documents), job)
    numbers = (row["number"] for row in rows(found.documents / part.name, DOCUMENTS, ("number",)))
    with writing(found.results / part.name, RESULTS) as add:
        for number, result in zip(numbers, results, strict=True):
            add(result_row(number, result))
    return part.documents


def documents_of(found: Iterable[dict[str, object]]) -> Iterator[Document]:
    return map(document_of, found)


def _in_a_row(documents: Iterator[Document], job: Job) -> Iterator[Arrival | Refusal]:
    with Path(os.devnull).open("w") as nowhere:
        for document in documents:
            faulthandler.dump_traceback_later(job.options.seconds * _PATIENCE, exit=True, file=nowhere)
            try:
                yield from list(analyse([document], job.settings, job.options))
            finally:
                faulthandler.cancel_dump_traceback_later()


def _one_by_one(documents: Iterator[Document], job: Job) -> Iterator[Arrival | Refusal]:
    for results in Workers(job.settings, job.options, 1).analyse([document] for document in documents):
        yield from results
