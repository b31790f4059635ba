"""The embedded engine: tantivy, one index of policies and one of their sentences in the user's folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Final

import tantivy

from smallprint.errors import IndexUnavailable, SmallprintError
from smallprint.index import schema
from smallprint.index.document import IndexDocument
from smallprint.index.protocol import Page, Request
from smallprint.index.reading import Generation, Search
from smallprint.index.storage import Storage
from smallprint.index.turn import PATIENCE

# A writer for a handful of documents starts in a few milliseconds; one for many gets room, so that fewer and
# larger segments are written.
FEW: Final = 64
_SMALL_HEAP: Final = 15_000_000
LARGE_HEAP: Final = 200_000_000
_MOST_THREADS: Final = 4


class EmbeddedIndex:
    """Many threads and processes may hold one each; writers wait for their turn, readers never wait."""

    def __init__(self, root: Path, *, patience: float = PATIENCE) -> None:
        self._storage = Storage(root)
        self._patience = patience
        self._open: Generation | None = None

    def ensure(self) -> bool:
        return self._storage.current() is None

    def upsert(self, documents: Iterable[IndexDocument]) -> int:
        with self._storage.turn(self._patience):
            coming = iter(documents)
            first = list(islice(coming, FEW))
            known = self._storage.current()
            folder = known or self._storage.begin()
            written = _write(folder, chain(first, coming), replacing=True, bulk=len(first) == FEW)
            if known is None:
                self._storage.publish(folder)
        return written

    def delete(self, ids: Iterable[str]) -> None:
        with self._storage.turn(self._patience):
            folder = self._storage.current()
            if folder is not None:
                with _writers(folder, bulk=False) as (policies, sentences):
                    for id in ids:
                        policies.delete_documents_by_term("id", id)
                        sentences.delete_documents_by_term("document", id)

    def rebuild(self, documents: Iterable[IndexDocument]) -> int:
        with self._storage.turn(self._patience):
            folder = self._storage.begin()
            written = _write(folder, documents, replacing=False, bulk=True)
            self._storage.publish(folder)
        return written

    def refresh(self) -> None:
        folder = self._storage.current()
        while folder is not None:
            try:
                return self._load(folder)
            except IndexUnavailable:
                # A rebuild may have swept it away after its name was read; then another is there.
                before, folder = folder, self._storage.current()
                if folder == before:
                    raise
        raise IndexUnavailable("There is no search index yet: make it with `smallprint index rebuild`.")

    def _load(self, folder: Path) -> None:
        state = _state(folder)
        if self._open is None or self._open.state != state:
            with _plain_errors():
                self._open = Generation.load(folder, state)

    def search(self, request: Request) -> Page:
        request.check()
        self.refresh()
        generation = self._open
        assert generation is not None
        with _plain_errors():
            return Search(generation, request).page()


def _write(folder: Path, documents: Iterable[IndexDocument], *, replacing: bool, bulk: bool) -> int:
    written = 0
    with _writers(folder, bulk=bulk) as (policies, sentences):
        for one in documents:
            if replacing:
                policies.delete_documents_by_term("id", one.id)
                sentences.delete_documents_by_term("document", one.id)
            policies.add_document(schema.document(one))
            for sentence in schema.sentences_in(one):
                sentences.add_document(sentence)
            written += 1
    return written


def bulk_threads() -> int:
    return min(_MOST_THREADS, os.cpu_count() or 1)


@contextmanager
def _writers(folder: Path, *, bulk: bool) -> Iterator[tuple[tantivy.IndexWriter, tantivy.IndexWriter]]:
    """Both writers for a while. What an error cuts short is not committed."""
    threads = bulk_threads() if bulk else 1
    heap = LARGE_HEAP if bulk else _SMALL_HEAP
    with _plain_errors():
        opened = [
            _engine(folder / name, fields).writer(heap, threads)
            for name, fields in (("documents", schema.documents()), ("sentences", schema.sentences()))
        ]
        yield opened[0], opened[1]
        for writer in opened:
            writer.commit()
        for writer in opened:
            writer.wait_merging_threads()


def _engine(folder: Path, fields: tantivy.Schema) -> tantivy.Index:
    return tantivy.Index(fields, path=str(folder), reuse=True)


def _state(folder: Path) -> str:
    """Changes with every commit: the engine replaces its list of segments in one step."""
    facts = []
    for name in ("documents", "sentences"):
        try:
            meta = (folder / name / "meta.json").stat()
        except OSError as error:
            raise IndexUnavailable("The search index is incomplete: run `smallprint index rebuild`.") from error
        facts.append(f"{meta.st_ino}:{meta.st_mtime_ns}:{meta.st_size}")
    return f"{folder.name}/{'/'.join(facts)}"


@contextmanager
def _plain_errors() -> Iterator[None]:
    """The engine's errors in our words. A panic of its is no Exception and would pass every `except`."""
    try:
        yield
    except SmallprintError:
        raise
    except (ValueError, OSError, RuntimeError) as error:
        raise IndexUnavailable(_unusable(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnavailable(_unusable(error)) from error


def _unusable(error: BaseException) -> str:
    line = " ".join(str(error).split())[:200]
    return f"The search index can't do that ({line}). If it stays so, run `smallprint index rebuild`."
