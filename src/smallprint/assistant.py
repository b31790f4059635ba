"""The one place that wires the stages. Every door calls `Assistant` and nothing below it."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, BinaryIO

from smallprint import settings as settings_
from smallprint.asking import OpenPolicy, encoders
from smallprint.errors import FileUnreadable, IndexUnavailable, LibraryError, UnknownPolicy
from smallprint.records import Answer, History, Policy, Revision, Session, Turn
from smallprint.segment import segment
from smallprint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from smallprint.across import Across
    from smallprint.corpus.reannotate import Reannotated
    from smallprint.dialogue.sessions import Sessions
    from smallprint.index.protocol import Hit, Index, Request
    from smallprint.index.searching import Found
    from smallprint.library import Entry, Keeper, Library, Stored, Version
    from smallprint.models.catalogue import Card
    from smallprint.norms.history import Dated

# A policy of usual length that was asked takes about 2 MB: its sentences, their words and vectors.
OPEN_POLICIES = 16


class Assistant:
    """Reads, stores and answers. Opens the library only when it is needed. One serves many threads."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or settings_.load()
        self._index: Index | None = None  # kept open: a server searches again and again
        self._opened = lru_cache(OPEN_POLICIES)(lambda policy: OpenPolicy(segment(policy)))
        self._talk: Sessions | None = None
        self._clean_since = time.time()  # nothing is held from before
        self._lock = threading.Lock()

    def warm_up(self) -> None:
        """Load the models now and not with the first question."""
        encoders().warm_up()

    def read(self, source: str, *, force: bool = False, stdin: BinaryIO | None = None) -> OpenPolicy:
        """Read a URL, a file, `-` (standard input) or a policy of the library by its name. A bare name, without a
        folder or a suffix, is the stored policy's even where a file is called like it."""
        from smallprint.ingest.places import could_be_a_place, is_bare, names_a_file, names_a_place

        if is_bare(source) and names_a_file(source, self.settings):
            with suppress(UnknownPolicy):
                return self._rather_than_file(source)
        if not names_a_place(source, self.settings):
            try:
                return self.stored(source)
            except UnknownPolicy as error:
                if not could_be_a_place(source):
                    raise UnknownPolicy(f"“{source}” is neither a file nor a web address. {error}") from error
        from smallprint.library import Cache

        keeper = None if force else Cache(self.settings).keeper(source)
        return self.opened(self._fetch(source, force, stdin), keeper)

    def stored(self, name: str, version: int | None = None) -> OpenPolicy:
        """A policy of the library: its newest version, or the one with that id."""
        from smallprint.library import ShelfKeeper

        with self._library() as library:
            text = library.text(name, version)
        return self.opened(text.policy, ShelfKeeper(self.settings, text.version))

    def _rather_than_file(self, name: str) -> OpenPolicy:
        """The stored policy of that whole name, with a note on the file that has it too."""
        stored = self.stored(self.entry(name, whole=True).name)
        note = f"“{name}” is also a file here. This is the stored policy; for the file write ./{name}"
        return self.opened(replace(stored.policy, notes=(*stored.policy.notes, note)), stored.keeper)

    def opened(self, policy: Policy, keeper: Keeper | None = None) -> OpenPolicy:
        """The policy ready to be asked; what questions needed of it so far is kept for the next ones, by `keeper` also
        for the next program."""
        self.erased()  # another program may have forgotten what is kept here
        opened = self._opened(policy)
        opened.keeper = opened.keeper or keeper
        return opened

    def ask(self, source: str, text: str, *, force: bool = False, stdin: BinaryIO | None = None) -> Answer:
        """One question without a conversation."""
        return self.read(source, force=force, stdin=stdin).ask(text)

    def open_session(
        self, source: str | OpenPolicy, *, keep: bool = False, force: bool = False, stdin: BinaryIO | None = None
    ) -> Session:
        """Begin a conversation about a source, or what was read of one; `keep` lets it survive a restart until it
        expires."""
        from smallprint.dialogue.memory import Memory
        from smallprint.library import names

        opened = self.read(source, force=force, stdin=stdin) if isinstance(source, str) else source
        policy = opened.policy
        called = source if isinstance(source, str) else policy.source
        stored = (name for name in self.names() if names.key(name) == names.key(called))
        titled = names.from_title(policy.title, names.domain(policy)) or policy.title or called
        return self._sessions.open(Memory(policy, next(stored, titled)), keep=keep)

    def say(self, session_id: str, text: str, *, at_once: int | None = None) -> Turn:
        """One turn of a conversation: a question, a follow-up, "more", "why?", another policy's name. An answer shows
        so many sentences `at_once` at most."""
        from smallprint.dialogue import conversation

        with self._sessions.turn(session_id) as held:
            turn, memory = conversation.turn(session_id, held.memory, text, self, at_once=at_once)
            if memory is None:
                self.close_session(session_id)
            else:
                held.memory = memory
        return turn

    def session(self, session_id: str) -> Session:
        return self._sessions.get(session_id)

    def close_session(self, session_id: str) -> None:
        """Forget a conversation; one that is over already is no error."""
        self._sessions.close(session_id)

    def names(self) -> tuple[str, ...]:
        """Of the stored policies and of the samples."""
        stored: tuple[str, ...] = ()
        with suppress(LibraryError):  # a conversation about another source goes on without it
            stored = tuple(entry.name for entry in self.list())
        return (*stored, *(name for name in _samples() if name not in stored))

    def named(self, name: str) -> Policy:
        """The policy of one of `names`."""
        try:
            return self.stored(name).policy
        except UnknownPolicy:
            if name not in _samples():
                raise
        from smallprint.ingest.source import read_source

        with as_file(files("smallprint.samples").joinpath(_samples()[name])) as path:
            return read_source(str(path), replace(self.settings, local_files=True))

    def add(
        self,
        source: str,
        *,
        name: str | None = None,
        force: bool = False,
        stdin: BinaryIO | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Stored:
        """Read a source anew and keep it, with its facets and practices; a text that was read is not read again.
        `progress` is told each stage as it begins."""
        from smallprint.corpus.analyse import annotation_of, model_of
        from smallprint.ingest.source import read_source

        progress("reading")
        policy = read_source(source, self.settings, force=force, stdin=stdin)
        progress("storing")
        with self._library() as library:
            stored = library.add(policy, name)
            progress("annotating")
            if stored.version in library.outdated(model_of(), after=stored.version - 1, limit=1):
                library.annotate(stored.version, annotation_of(policy, stored.name, stored.domain))
        return stored

    def add_samples(self) -> list[Stored]:
        """Put the sample policies into the library; those already there stay as they are."""
        stored = []
        for name, file in _samples().items():
            with as_file(files("smallprint.samples").joinpath(file)) as path:
                stored.append(self.add(str(path), name=name))
        return stored

    def refresh(self, name: str) -> Stored:
        """Fetch a stored policy again; a changed text becomes a new version. What was stored although it does not read
        like a policy is taken so again. Pasted text can't be, nor what came from a collection without an address; nor
        can files where none may be read. Only the policy's name is told then, as whoever asks may not know this
        machine's folders."""
        from smallprint.ingest.detect import POLICY_THRESHOLD
        from smallprint.ingest.places import names_the_web
        from smallprint.library.names import PASTED, leads_back

        with self._library() as library:
            entry, policy = library.entry(name), library.get(name)
        if not leads_back(entry.source):
            how = "was pasted" if entry.source == PASTED else "came from a collection without an address"
            raise FileUnreadable(f"“{entry.name}” {how}: there is no place to read it from again.")
        if not self.settings.local_files and not names_the_web(entry.source):
            raise FileUnreadable(f"“{entry.name}” was added from a file, and files of this machine are not read here.")
        return self.add(entry.source, name=entry.name, force=policy.p_policy < POLICY_THRESHOLD)

    def list(self, *, after: str = "", limit: int | None = None) -> tuple[Entry, ...]:
        """Stored services by name: all, or so many of those that follow the name `after`."""
        with self._library() as library:
            return library.list(after=after, limit=limit)

    def entry(self, name: str, *, whole: bool = False) -> Entry:
        """The stored service with that name or, unless `whole`, that beginning."""
        with self._library() as library:
            return library.entry(name, whole=whole)

    def versions(self, name: str) -> tuple[Version, ...]:
        with self._library() as library:
            return library.versions(name)

    def changes(self, name: str, since: str = "", *, progress: Callable[[int, int], None] = lambda *_: None) -> History:
        """How a stored policy changed from version to version, from the day `since` on ("2024" will do)."""
        from smallprint.norms.history import history

        service, versions = self._dated(name)
        return history(service, versions, since, progress)

    def first_seen(self, name: str, words: str) -> tuple[str, ...]:
        """The days on which these words came into a stored policy, went out of it, came back …"""
        from smallprint.norms.history import first_seen

        return first_seen(self._dated(name)[1], words)

    def changes_of(self, old: OpenPolicy, new: OpenPolicy) -> Revision:
        """What changed from one text to another, both read already."""
        from smallprint.norms.history import between

        return between(old.policy, new.policy)

    def _dated(self, name: str) -> tuple[str, tuple[Dated, ...]]:
        """The versions of a stored policy, oldest first."""
        from smallprint.norms.history import Dated

        with self._library() as library:
            service, versions = library.entry(name).name, library.versions(name)
            texts = library.texts(version.id for version in versions)
        return service, tuple(Dated(v.seen[:10], text.policy) for v, text in zip(versions, texts, strict=True))

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
            library.check_held(name)  # else the index would be made anew for nothing
            indexed = note_erasure(self.settings)
            try:
                library.forget(name)
            finally:  # it is out even where traces stay in the library's file for now
                self._forget_talk()
        if indexed:
            self.index_follow()

    def forget_all(self) -> None:
        """Erase every stored policy, and the norms that were counted from them."""
        from smallprint.index.follow import note_erasure

        with self._library() as library:
            elsewhere = bool(self.settings.index) and note_erasure(self.settings)
            try:
                library.forget_all()  # the embedded index with it
            finally:
                self._forget_talk()
        self.across.reset_norms()
        if elsewhere:
            self.index_follow()

    def erased(self) -> float:
        """When something was forgotten last, by this program or another. What is held from before is let go of."""
        from smallprint.dialogue.memory import MemoryFiles

        erased = MemoryFiles(self.settings.sessions).erased()
        if erased > self._clean_since:
            self._clean_since = erased
            self._let_go()
        return erased

    def models(self) -> tuple[Card, ...]:
        """What is shipped, with sizes, licences and measured figures."""
        from smallprint.models.catalogue import shipped

        return tuple(shipped().cards.values())

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

    @property
    def across(self) -> Across:
        """What takes more than one policy: norms, surprise, comparison, needs, checklists."""
        from smallprint.across import Across

        return Across(self.settings, self._library, self._searchable)

    def index_follow(self, *, progress: Callable[[int], None] | None = None) -> int:
        """Take into the search index what is new in the library; how many versions."""
        from smallprint.index.follow import follow, open_index

        with self._library() as library:
            return follow(library, open_index(self.settings), self.settings, progress=progress)

    def reannotate(self, *, progress: Callable[[Reannotated], None] | None = None) -> Reannotated:
        """Read again what other rules or models read, then tell the search index."""
        from smallprint.corpus.reannotate import reannotate

        with self._library() as library:
            done = reannotate(library, progress=progress or (lambda _: None))
        self.index_follow()
        return done

    def index_rebuild(self, *, progress: Callable[[int], None] | None = None) -> int:
        """Make the search index anew from the library; how many versions it holds."""
        from smallprint.index.follow import open_index, rebuild

        with self._library() as library:
            return rebuild(library, open_index(self.settings), self.settings, progress)

    def download(self, url: str, *, most: int, seconds: float) -> bytes:
        """A small file from the open internet, by the guarded way of policies; nothing that is elsewhere by now."""
        from smallprint.ingest.fetch import fetch

        limits = replace(self.settings, max_bytes=most, max_unpacked_bytes=most, timeout_seconds=seconds)
        return fetch(url, replace(limits, max_redirects=0)).body

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

    @property
    def _sessions(self) -> Sessions:
        """Made when first needed: a single question does without."""
        from smallprint.dialogue.sessions import Sessions

        with self._lock:
            self._talk = self._talk or Sessions(self.settings)
            return self._talk

    def _forget_talk(self) -> None:
        """Conversations hold the text of policies. Erasing them tells other programs to let go of theirs."""
        self._sessions.erase_all()
        self._let_go()

    def _let_go(self) -> None:
        """Of every text of a policy in memory."""
        from smallprint.norms import history

        self._opened.cache_clear()
        history.forget()
        if self._talk is not None:
            self._talk.sweep()

    def _library(self) -> Library:
        from smallprint.library import Library

        return Library.open(self.settings)

    def _fetch(self, source: str, force: bool, stdin: BinaryIO | None) -> Policy:
        from smallprint.ingest.places import is_url
        from smallprint.ingest.source import read_source
        from smallprint.library import Cache

        def make() -> Policy:
            return read_source(source, self.settings, force=force, stdin=stdin)

        # Where files may not be read, what was read from them before is none of the asker's business either.
        cached = not force and (self.settings.local_files or is_url(source))
        return Cache(self.settings).read(source, make) if cached else make()


@cache
def _samples() -> dict[str, str]:
    """The sample policies: the name of the service and its file."""
    index = json.loads(files("smallprint.samples").joinpath("index.json").read_text("utf-8"))
    return {sample["service"]: sample["file"] for sample in index}
