"""The one place that wires the stages. Every door calls `Assistant` and nothing below it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, BinaryIO

from smallprint import settings as settings_
from smallprint.annotate.overview import overview
from smallprint.answer.decide import confidence_of_words, decide
from smallprint.errors import IndexUnavailable, UnknownPolicy
from smallprint.records import (
    Answer,
    BlockKind,
    Evidence,
    Overview,
    Policy,
    Question,
    Reading,
    Sentence,
    Step,
)
from smallprint.retrieve.lexical import Bm25, searchable
from smallprint.segment import segment
from smallprint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from smallprint.index.protocol import Hit, Index, Request
    from smallprint.index.searching import Found
    from smallprint.library import Entry, Library, Stored, Version

LONGEST_QUESTION = 1_000


class OpenPolicy:
    """A policy that was read and can be asked; what every question needs is made once."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    @property
    def policy(self) -> Policy:
        return self.reading.policy

    def overview(self) -> Overview:
        return overview(self.reading)

    def ask(self, text: str) -> Answer:
        clock = _Clock()
        question = Question(" ".join(text.split())[:LONGEST_QUESTION])
        ranked = [evidence for evidence in self.rank(question.text) if evidence.score > 0]
        clock.step("retrieve", f"{len(ranked)} of {len(self._sentences)} sentences share words with it")
        coverage = self._words.coverage(question.text, self._place[ranked[0].sentence.id]) if ranked else 0.0
        clock.step("score", f"the best one holds {coverage:.0%} of the question's weight")
        return decide(question, self.reading, ranked, confidence_of_words(coverage), tuple(clock.steps))

    def rank(self, question: str) -> list[Evidence]:
        """Every sentence, best first; in the policy's order between equals."""
        scores = self._words.scores(question)
        ranked = [
            Evidence(sentence=sentence, span=(0, len(sentence.text)), score=round(score, 4))
            for sentence, score in zip(self._sentences, scores, strict=True)
        ]
        return sorted(ranked, key=lambda evidence: -evidence.score)

    @cached_property
    def _sentences(self) -> list[Sentence]:
        return [s for s in self.reading.sentences if s.kind is not BlockKind.HEADING]

    @cached_property
    def _place(self) -> dict[int, int]:
        return {sentence.id: place for place, sentence in enumerate(self._sentences)}

    @cached_property
    def _words(self) -> Bm25:
        return Bm25([searchable(sentence) for sentence in self._sentences])


@dataclass(slots=True)
class _Clock:
    """Notes what each stage did and how long it took."""

    steps: list[Step] = field(default_factory=list)
    _since: float = field(default_factory=time.perf_counter)

    def step(self, stage: str, did: str) -> None:
        now = time.perf_counter()
        self.steps.append(Step(stage, did, round((now - self._since) * 1000, 2)))
        self._since = now


class Assistant:
    """Reads, stores and answers. Opens the library only when it is needed."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or settings_.load()
        self._index: Index | None = None  # kept open: a server searches again and again

    def read(self, source: str, *, force: bool = False, stdin: BinaryIO | None = None) -> OpenPolicy:
        """Read a URL, a file, `-` (standard input) or a policy of the library by its name."""
        from smallprint.ingest.source import could_be_a_place, names_a_place

        if not names_a_place(source):
            try:
                return self.stored(source)
            except UnknownPolicy as error:
                if not could_be_a_place(source):
                    raise UnknownPolicy(f"“{source}” is neither a file nor a web address. {error}") from error
        return OpenPolicy(segment(self._fetch(source, force, stdin)))

    def stored(self, name: str, version: int | None = None) -> OpenPolicy:
        """A policy of the library: its newest version, or the one with that id."""
        with self._library() as library:
            return OpenPolicy(segment(library.get(name, version)))

    def add(
        self, source: str, *, name: str | None = None, force: bool = False, stdin: BinaryIO | None = None
    ) -> Stored:
        """Read a source anew and keep it."""
        from smallprint.ingest.source import read_source

        policy = read_source(source, self.settings, force=force, stdin=stdin)
        with self._library() as library:
            return library.add(policy, name)

    def add_samples(self) -> list[Stored]:
        """Put the sample policies into the library; those already there stay as they are."""
        folder = files("smallprint.samples")
        samples = json.loads(folder.joinpath("index.json").read_text("utf-8"))
        stored = []
        for sample in samples:
            with as_file(folder.joinpath(sample["file"])) as path:
                stored.append(self.add(str(path), name=sample["service"]))
        return stored

    def refresh(self, name: str) -> Stored:
        """Fetch a stored policy again; a changed text becomes a new version."""
        with self._library() as library:
            entry = library.entry(name)
        return self.add(entry.source, name=entry.name)

    def list(self) -> tuple[Entry, ...]:
        with self._library() as library:
            return library.list()

    def versions(self, name: str) -> tuple[Version, ...]:
        with self._library() as library:
            return library.versions(name)

    def remove(self, name: str) -> str:
        with self._library() as library:
            return library.remove(name)

    def restore(self) -> str:
        with self._library() as library:
            return library.restore()

    def forget(self, name: str) -> None:
        """Erase a service for good, in the library and in the search index."""
        from smallprint.index.follow import note_erasure

        with self._library() as library:
            indexed = note_erasure(self.settings)
            library.forget(name)
        if indexed:
            self.index_follow()

    def forget_all(self) -> None:
        with self._library() as library:
            library.forget_all()

    def search(
        self, request: Request, cursor: str | None = None, *, progress: Callable[[int], None] | None = None
    ) -> Found:
        """One page of what matches in the library, after the index has caught up with it (`progress` counts)."""
        from smallprint.index.searching import search

        return search(self._searchable(progress), request, cursor)

    def search_all(self, request: Request) -> Iterator[Hit]:
        """Every hit of a search, for an export."""
        from smallprint.index.searching import everything

        return everything(self._searchable(), request)

    def index_follow(self, *, progress: Callable[[int], None] | None = None) -> int:
        """Take into the search index what is new in the library; how many versions."""
        from smallprint.index.follow import follow, open_index

        with self._library() as library:
            return follow(library, open_index(self.settings), self.settings, progress=progress)

    def index_rebuild(self, *, progress: Callable[[int], None] | None = None) -> int:
        """Make the search index anew from the library; how many versions it holds."""
        from smallprint.index.follow import open_index, rebuild

        with self._library() as library:
            return rebuild(library, open_index(self.settings), self.settings, progress)

    def _searchable(self, progress: Callable[[int], None] | None = None) -> Index:
        """The index, caught up unless another program is at it and there is something to search meanwhile."""
        from smallprint.index.follow import follow, open_index

        index = self._index = self._index or open_index(self.settings)
        with self._library() as library:
            try:
                follow(library, index, self.settings, patience=30.0 if index.ensure() else 0.0, progress=progress)
            except IndexUnavailable:
                if index.ensure():
                    raise
        return index

    def _library(self) -> Library:
        from smallprint.library import Library

        return Library.open(self.settings)

    def _fetch(self, source: str, force: bool, stdin: BinaryIO | None) -> Policy:
        from smallprint.ingest.source import read_source
        from smallprint.library import Cache

        def make() -> Policy:
            return read_source(source, self.settings, force=force, stdin=stdin)

        return make() if force else Cache(self.settings).read(source, make)
