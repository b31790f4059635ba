"""The embedded engine: tantivy, one index of policies and one of their sentences in the user's folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Final

import tantivy

from smallprint.errors import IndexUnavailable, SmallprintError
from smallprint.index import compiling, counting, schema
from smallprint.index.document import IndexDocument
from smallprint.index.protocol import STANCE, FacetValue, Filters, Hit, Page, Request, Sort, Unit
from smallprint.index.ranking import unweighted
from smallprint.index.snippets import best_parts, marked
from smallprint.index.stance import SentenceStance
from smallprint.index.storage import Storage
from smallprint.index.turn import PATIENCE
from smallprint.index.words import Needles

# A writer for a handful of documents starts in a few milliseconds; one for many gets room, so that fewer and
# larger segments are written.
FEW: Final = 64
_SMALL_HEAP: Final = 15_000_000
LARGE_HEAP: Final = 200_000_000
_MOST_THREADS: Final = 4
# Hits fetched beyond the page, so that equals at its edge are put in order too.
_TIE_ROOM: Final = 32


class EmbeddedIndex:
    """Many threads and processes may hold one each; writers wait for their turn, readers never wait."""

    def __init__(self, root: Path, *, patience: float = PATIENCE) -> None:
        self._storage = Storage(root)
        self._patience = patience
        self._open: _Generation | None = None

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
                self._open = _Generation.load(folder, state)

    def search(self, request: Request) -> Page:
        request.check()
        self.refresh()
        generation = self._open
        assert generation is not None
        with _plain_errors():
            return _Search(generation, request).page()


@dataclass(frozen=True, slots=True)
class _Generation:
    """One state of the index, open. `totals` and `phrases` remember what was counted over everything."""

    state: str
    fingerprint: str
    policies: tantivy.Searcher
    sentences: tantivy.Searcher
    totals: dict[tuple[Unit, bool, str], dict[object, int]]
    phrases: dict[Unit, compiling.PhraseCounts]

    @classmethod
    def load(cls, folder: Path, state: str) -> _Generation:
        policies = _searcher(folder / "documents")
        sentences = _searcher(folder / "sentences")
        return cls(state, _fingerprint(policies), policies, sentences, {}, {unit: {} for unit in Unit})


class _Search:
    """One request put to one state of the index."""

    def __init__(self, generation: _Generation, request: Request) -> None:
        self._generation = generation
        self._request = request
        of_sentences = request.unit is Unit.SENTENCE
        self._searcher = generation.sentences if of_sentences else generation.policies
        self._fields = schema.sentences() if of_sentences else schema.documents()
        self._query = compiling.compile(request, self._fields, self._searcher, generation.phrases[request.unit])
        self._needles = Needles(request.query)

    def page(self) -> Page:
        request = self._request
        query = compiling.filtered(self._query, request.filters, request, self._fields)
        total, ranked = self._ranked(query)
        make = self._sentence_hit if request.unit is Unit.SENTENCE else self._policy_hit
        found = self._counts()
        return Page(
            total=total,
            hits=tuple(make(score, address) for score, address in ranked),
            facets={name: self._facet(name, found[name]) for name in self._countable()},
            searched=self._searcher.num_docs,
            fingerprint=self._generation.fingerprint,
        )

    def _ranked(self, query: tantivy.Query) -> tuple[int, list[tuple[float, tantivy.DocAddress]]]:
        """This page's hits in order; between equals the tie-breaker decides, not the segment they lie in."""
        request = self._request
        end = request.offset + request.limit
        order = schema.ORDER_FIELDS.get(request.sort)
        if order is not None:
            found = self._searcher.search(query, limit=end, order_by_field=order)
            return schema.count(found), [(0.0, address) for _, address in found.hits[request.offset :]]
        weight = "weight" if request.sort is Sort.CUSTOM else None
        room = _TIE_ROOM
        while True:
            found = self._searcher.search(query, limit=end + room, weight_by_field=weight)
            hits = found.hits
            if len(hits) < end + room or hits[-1][0] < hits[end - 1][0]:
                break
            room *= 8
        ties = self._searcher.fast_field_values("tie", [address for _, address in hits])
        ordered = sorted(zip(hits, ties, strict=True), key=lambda pair: (-pair[0][0], pair[1]))
        page = [hit for hit, _ in ordered[request.offset : end]]
        return schema.count(found), [(unweighted(score) if weight else score, address) for score, address in page]

    def _policy_hit(self, score: float, address: tantivy.DocAddress) -> Hit:
        stored = self._searcher.doc(address)
        hit = schema.hit(stored["hit"][0], score)
        if not self._request.snippets:
            return hit
        snippets, sentence = best_parts(stored["text"][0], self._needles)
        return replace(hit, snippets=snippets, sentence=sentence)

    def _sentence_hit(self, score: float, address: tantivy.DocAddress) -> Hit:
        stored = self._searcher.doc(address)
        hit = self._policy_of(stored["document"][0], score)
        return replace(
            hit,
            sentence=marked(stored["text"][0], self._needles),
            number=stored["number"][0],
            stance=SentenceStance(stored[STANCE][0]),
        )

    def _policy_of(self, id: str, score: float) -> Hit:
        policies = self._generation.policies
        found = policies.search(tantivy.Query.term_query(schema.documents(), "id", id), limit=1).hits
        if not found:  # a writer died between the two commits; the library still has it as pending
            raise IndexUnavailable("The search index is being written: try again in a moment.")
        return schema.hit(policies.doc(found[0][1])["hit"][0], score)

    def _counts(self) -> counting.Counts:
        """Counts of each facet under all filters but its own: that is what choosing another value would give."""
        request = self._request
        names = self._countable()
        open_names = tuple(n for n in names if n not in request.filters.names)
        found = self._aggregate(open_names, request)
        for name in names:
            if name not in open_names:
                found |= self._aggregate((name,), replace(request, filters=request.filters.without(name)))
        return found

    def _countable(self) -> tuple[str, ...]:
        names = dict.fromkeys(self._request.facets)
        if self._request.unit is Unit.SENTENCE and names:
            names[STANCE] = None
        else:
            names.pop(STANCE, None)
        return tuple(names)

    def _aggregate(self, names: tuple[str, ...], request: Request) -> counting.Counts:
        if not names:
            return {}
        query = compiling.filtered(self._query, request.filters, request, self._fields)
        return counting.counts(self._searcher.aggregate(query, counting.aggregation(names)))

    def _facet(self, name: str, found: dict[object, int]) -> tuple[FacetValue, ...]:
        request, totals = self._request, self._generation.totals
        key = (request.unit, request.every_version, name)
        if key not in totals:
            everything = tantivy.Query.all_query()
            query = compiling.filtered(everything, Filters(), request, self._fields)
            counted = self._searcher.aggregate(query, counting.aggregation((name,)))
            totals[key] = counting.counts(counted)[name]
        return counting.facet(name, found, totals[key], request.filters)


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


def _searcher(folder: Path) -> tantivy.Searcher:
    return tantivy.Index.open(str(folder)).searcher()


def _fingerprint(policies: tantivy.Searcher) -> str:
    """Of the documents themselves: the same after a rebuild, and in another engine."""
    answer = policies.aggregate(tantivy.Query.all_query(), {"digest": {"sum": {"field": "digest"}}})
    whole = f"{policies.num_docs}:{int(answer['digest']['value'] or 0)}"
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


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
