"""Policies on their way onto the screen, and those that are there: in memory only, for a while."""

from __future__ import annotations

import asyncio
import hashlib
import io
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlsplit

from smallprint.asking import OpenPolicy
from smallprint.assistant import Assistant
from smallprint.dialogue.sweeping import Sweeper
from smallprint.errors import SmallprintError, UnknownPolicy, UnknownSession
from smallprint.http.desk import Desk
from smallprint.norms.figures import Kin
from smallprint.records import Label, Overview, Turn
from smallprint.web.layout import Layout, lay_out

MOST_OPEN: Final = 32
MOST_TALKS: Final = 500
MOST_TURNS: Final = 50  # of one conversation on the page; older ones go
# How soon what expires is gone though nobody comes, and what another program forgot.
SWEEP_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text or a file that a person gave; it stays in memory until it is put away, and is stored nowhere."""

    data: bytes = field(repr=False)
    name: str = ""
    force: bool = False

    @property
    def shown(self) -> str:
        return self.name or "the text you pasted"

    @property
    def link(self) -> str:
        return ""

    @property
    def handle(self) -> str:
        return _handle("pasted", self.name, str(self.force), hashlib.sha256(self.data).hexdigest())

    def read(self, assistant: Assistant) -> OpenPolicy:
        return assistant.read("-", force=self.force, stdin=io.BytesIO(self.data))


@dataclass(frozen=True, slots=True)
class Online:
    url: str
    force: bool = False

    @property
    def shown(self) -> str:
        return urlsplit(self.url).hostname or self.url

    @property
    def link(self) -> str:
        """Fills the field of the start page: no link makes this machine fetch a page by itself."""
        return f"/?url={quote(self.url, safe='')}"

    @property
    def handle(self) -> str:
        return _handle("online", self.url, str(self.force))

    def read(self, assistant: Assistant) -> OpenPolicy:
        return assistant.read(self.url, force=self.force)


@dataclass(frozen=True, slots=True)
class Stored:
    name: str
    version: int

    @property
    def shown(self) -> str:
        return self.name

    @property
    def link(self) -> str:
        return stored_path(self.name, self.version)

    @property
    def handle(self) -> str:
        return _handle("stored", self.name, str(self.version))

    def read(self, assistant: Assistant) -> OpenPolicy:
        return assistant.stored(self.name, self.version)


Place = Pasted | Online | Stored


@dataclass(frozen=True, slots=True)
class Sheet:
    """A policy as the page shows it; `kin` are the policies it is measured against, `body` is its text as HTML, made
    once."""

    opened: OpenPolicy
    overview: Overview
    label: Label
    layout: Layout
    kin: Kin
    body: str = field(repr=False)


class _Cancelled(Exception):
    pass


STAGES: Final = ("Getting the text", "Reading it, paragraph by paragraph", "Writing the label")


@dataclass(slots=True)
class Opening:
    """`stage` is the number of the stage that runs; `reading` ends with the sheet, or with what went wrong."""

    place: Place
    begun: float
    touched: float
    stage: int = 0
    cancelled: bool = False
    reading: Future[Sheet] = field(default_factory=Future)

    def enter(self, stage: int) -> None:
        if self.cancelled:
            raise _Cancelled
        self.stage = stage

    @property
    def done(self) -> bool:
        return self.reading.done()

    @property
    def failure(self) -> BaseException | None:
        """What ended the reading without a sheet; None while it is read."""
        try:
            return self.reading.exception() if self.done else None
        except CancelledError as cancelled:  # while it waited for its turn
            return cancelled

    @property
    def error(self) -> SmallprintError | None:
        """Why it could not be read, where that can be told in plain words."""
        failure = self.failure
        return failure if isinstance(failure, SmallprintError) else None

    async def until_read(self, seconds: float | None = None) -> None:
        """Wait until the reading has ended, however it ends, or so long. Who leaves does not take it from others; what
        went wrong is for `failure` to tell, or asyncio would log it in its own words."""
        waiting = asyncio.wrap_future(self.reading)
        waiting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        await asyncio.wait([waiting], timeout=seconds)

    def sheet(self) -> Sheet:
        """Waits until it is read; raises what went wrong."""
        return self.reading.result()


@dataclass(slots=True)
class Talk:
    """What one visitor and one policy have said to each other; `session` is the assistant's, `about` what it calls the
    policy."""

    session: str
    about: str
    begun: float
    touched: float
    turns: list[Turn] = field(default_factory=list)


class Openings:
    """What is open, the least used put away first. One serves many threads.

    Whoever forgets a policy, and by whichever door or program, all that was open then is put away: a text that was
    pasted may be the very one, and a conversation may have come by it.
    """

    def __init__(self, desk: Desk, draw: Callable[[Layout], str], now: Callable[[], float] = time.time) -> None:
        self._desk = desk
        self._assistant = desk.assistant
        self._draw = draw
        self._now = now
        self._seconds = desk.assistant.settings.session_minutes * 60
        self._open: OrderedDict[str, Opening] = OrderedDict()
        self._talks: OrderedDict[tuple[str, str], Talk] = OrderedDict()
        self._lock = threading.Lock()
        self._sweeper = Sweeper(self._lock, self._sweep, self._due)

    def open(self, place: Place) -> Opening:
        """The policy, on its way unless it is here. One that could not be read is tried again."""
        handle = place.handle
        with self._lock:
            found = self._find(handle)
            if found is not None and found.failure is None:
                return found
            now = self._now()
            opening = self._open[handle] = Opening(place, now, now)
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
            self._sweeper.set()
        lane = self._desk.fetches if isinstance(place, Online) else self._desk.answers
        try:
            opening.reading = lane.start(self._read, opening)
        except SmallprintError:
            self.put_away(handle)
            raise
        return opening

    def find(self, handle: str) -> Opening | None:
        with self._lock:
            return self._find(handle)

    def put_away(self, handle: str) -> None:
        with self._lock:
            opening = self._open.pop(handle, None)
            if opening is not None:
                opening.cancelled = True

    def put_all_away(self, name: str) -> None:
        """What is open of a stored policy, and what was said about it: it was taken out."""
        with self._lock:
            handles = {h for h, o in self._open.items() if isinstance(o.place, Stored) and o.place.name == name}
            for handle in handles:
                del self._open[handle]
            self._talks = OrderedDict((key, talk) for key, talk in self._talks.items() if key[1] not in handles)

    def talk(self, visitor: str, opening: Opening) -> Talk | None:
        with self._lock:
            self._sweep()
            return self._talks.get((visitor, opening.place.handle))

    def say(self, visitor: str, opening: Opening, text: str) -> Turn:
        """One turn of this visitor's conversation with the policy; one that is over begins anew."""
        talk = self.talk(visitor, opening) or self._begin(opening)
        try:
            turn = self._assistant.say(talk.session, text)
        except UnknownSession:
            talk = self._begin(opening)
            turn = self._assistant.say(talk.session, text)
        with self._lock:
            talk.turns = [*talk.turns, turn][-MOST_TURNS:]
            talk.touched = opening.touched = self._now()
            key = (visitor, opening.place.handle)
            self._talks[key] = talk
            self._talks.move_to_end(key)
            if self._is_forgotten(talk):
                del self._talks[key]
            while len(self._talks) > MOST_TALKS:
                self._talks.popitem(last=False)
            self._sweeper.set()
        return turn

    def _begin(self, opening: Opening) -> Talk:
        if opening.begun < self._assistant.erased():  # while the question waited; a new session would hold the text
            raise UnknownPolicy("This was put away when a policy was forgotten: open it again.")
        session = self._assistant.open_session(opening.sheet().opened)
        now = self._now()
        return Talk(session.id, session.policy, now, now)

    def _is_forgotten(self, talk: Talk) -> bool:
        """Whether the person asked to forget what was said."""
        try:
            self._assistant.session(talk.session)
        except UnknownSession:
            return True
        return False

    def _find(self, handle: str) -> Opening | None:
        self._sweep()
        opening = self._open.get(handle)
        if opening is not None:
            opening.touched = self._now()
            self._open.move_to_end(handle)
        return opening

    def _sweep(self) -> None:
        """Put away what was not used for long, unless it is being read, and what was here when something was
        forgotten."""
        now, erased = self._now(), self._assistant.erased()
        self._open = OrderedDict(
            (handle, one)
            for handle, one in self._open.items()
            if one.begun >= erased and not (one.done and now - one.touched > self._seconds)
        )
        self._talks = OrderedDict(
            (key, talk)
            for key, talk in self._talks.items()
            if talk.begun >= erased and now - talk.touched < self._seconds
        )

    def _due(self) -> float | None:
        return SWEEP_SECONDS if self._open or self._talks else None

    def _read(self, opening: Opening) -> Sheet:
        opened = opening.place.read(self._assistant)
        opening.enter(1)
        practices = opened.practices()
        opening.enter(2)
        layout = lay_out(opened.reading, practices)
        kin = self._assistant.across.kin(opened)
        return Sheet(opened, opened.overview(), opened.label(), layout, kin, self._draw(layout))


def stored_path(name: str, version: int | None = None) -> str:
    return f"/library/{quote(name, safe='')}" + (f"?version={version}" if version else "")


def changes_path(name: str) -> str:
    return f"/changes/{quote(name, safe='')}"


def _handle(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
