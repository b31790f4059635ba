"""A run's documents in parts that executors take one by one, and what they made of them, in a folder all of them see.

    FOLDER/documents/bucket=07/part-00003.parquet    what is to be read
    FOLDER/results/bucket=07/part-00003.parquet      what was read from it: there when the part is finished, whole
    FOLDER/staged.json                               which parts there are: there when all of them are

A document goes to the bucket of its key's hash, so that a corpus in any order is spread evenly, and the results of
sixteen buckets can be merged into the order of the corpus again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from smallprint.corpus.documents import Document, Form
from smallprint.corpus.part_rows import DOCUMENTS, RESULTS, document_row, result_of
from smallprint.corpus.workers import Results
from smallprint.errors import SnapshotUnusable
from smallprint.library.parquet import Place, bucket_name, bucket_of, in_order, writing

# What a task reads: some minutes with the reader, and what a kill costs. Bytes are bounded too, as they tell the work
# better than the count does; sixteen parts of so many bytes are in the driver's memory while documents are handed out.
PART_DOCUMENTS: Final = 250
PART_BYTES: Final = 4 * 1024 * 1024
# A document longer than a quarter of a part is a part of its own: it must not make a hundred others wait.
LONG_BYTES: Final = PART_BYTES // 4
_LONG: Final = "bucket=long"
_STAGED: Final = "staged.json"
_AT_ONCE: Final = 20  # results stored in one transaction


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Staged:
    """`about` names the run, the options and the models that the parts are for; `before` is how many documents of the
    corpus needed no reading."""

    about: str
    before: int
    parts: tuple[Part, ...]

    @property
    def documents(self) -> int:
        return sum(part.documents for part in self.parts)


class Parts:
    def __init__(self, folder: str) -> None:
        self.folder = Place(folder)
        self.documents = self.folder / "documents"
        self.results = self.folder / "results"

    def staged(self, about: str) -> Staged | None:
        """What a run that was killed left to be read; None where it left nothing, or something else."""
        try:
            with (self.folder / _STAGED).open() as file:
                told: dict[str, Any] = json.loads(file.read())
            found = Staged(told["about"], told["before"], tuple(Part(*part) for part in told["parts"]))
        except (OSError, ValueError, KeyError, TypeError, SnapshotUnusable):
            return None
        return found if found.about == about else None

    def are_stored(self) -> bool:
        """Nothing is left to be done here: what is there is for others to read."""
        return not (self.folder / _STAGED).is_file() and bool(self.results.files())

    def stage(self, documents: Iterable[Document], about: str, before: Callable[[], int]) -> Staged:
        """Write the documents in parts; `before` is asked when all of them were looked at."""
        self.folder.remove()
        parts = tuple(self._written(_parted(documents)))
        made = Staged(about, before(), parts)
        told = {"about": about, "before": made.before, "parts": [[p.name, p.documents, p.bytes] for p in parts]}
        place = self.folder / _STAGED
        part = place.beside()
        with part.create() as file:
            file.write(json.dumps(told).encode())
        part.move(place)
        return made

    def unfinished(self, staged: Staged) -> list[Part]:
        """Longest first, so that none of them is waited for at the end."""
        finished = set(self.results.files())
        left = [part for part in staged.parts if part.name not in finished]
        return sorted(left, key=lambda part: -part.bytes)

    def read(self) -> Iterator[Results]:
        """All results in the order of the corpus, a few at a time."""
        found = in_order(self.results, RESULTS)
        while some := list(islice(found, _AT_ONCE)):
            try:
                yield [result_of(row) for row in some]
            except ValueError as error:
                raise SnapshotUnusable(f"{self.results.path} is damaged: {error}") from error

    def clear(self, *, keep_results: bool) -> None:
        for place in (self.documents, self.folder / _STAGED) if keep_results else (self.folder,):
            place.remove()

    def _written(self, parts: Iterable[tuple[Part, list[tuple[int, Document]]]]) -> Iterator[Part]:
        for part, documents in parts:
            with writing(self.documents / part.name, DOCUMENTS) as add:
                for number, document in documents:
                    add(document_row(number, document))
            yield part


def _parted(documents: Iterable[Document]) -> Iterator[tuple[Part, list[tuple[int, Document]]]]:
    """Documents with their place in the corpus, in parts of one bucket each. Numbers rise from part to part."""
    waiting: dict[str, list[tuple[int, Document]]] = {}
    made: dict[str, Part] = {}
    for number, document in enumerate(documents):
        size = _bytes(document)
        bucket = _LONG if size > LONG_BYTES else bucket_name(bucket_of(document.key))
        waiting.setdefault(bucket, []).append((number, document))
        part = made.get(bucket) or Part(f"{bucket}/part-00000.parquet", 0, 0)
        part = made[bucket] = replace(part, documents=part.documents + 1, bytes=part.bytes + size)
        if bucket == _LONG or part.documents >= PART_DOCUMENTS or part.bytes >= PART_BYTES:
            yield part, waiting.pop(bucket)
            made[bucket] = _next(part)
    for bucket, rest in waiting.items():
        yield made[bucket], rest


def _next(part: Part) -> Part:
    bucket, _, name = part.name.partition("/part-")
    return Part(f"{bucket}/part-{int(name.removesuffix('.parquet')) + 1:05}.parquet", 0, 0)


def _bytes(document: Document) -> int:
    if document.form is not Form.FILE:
        return len(document.content)
    try:
        return Path(document.source).stat().st_size
    except OSError:
        return 0
