"""Sessions: who is in conversation, until when. Nothing is held longer than a session says it is."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from smallprint.dialogue.memory import Memory, MemoryFiles
from smallprint.dialogue.sweeping import Sweeper
from smallprint.errors import UnknownSession
from smallprint.records import Session
from smallprint.settings import Settings

# In memory at once: each may hold a policy of its own, and a server may stay open for months. When there are more, the
# one that would expire first goes; one that is kept comes back from its file.
MOST_SESSIONS = 1_000


@dataclass(slots=True, eq=False)
class Held:
    """A session in memory. What is put into `memory` during a turn is what it goes on with."""

    memory: Memory
    kept: bool
    begun: float
    expires: float
    lock: threading.Lock = field(default_factory=threading.Lock)


class Sessions:
    """For any number of threads. Kept sessions are files too, so other processes can go on with them or end them."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self._seconds = settings.session_minutes * 60
        self._files = MemoryFiles(settings.sessions)
        self._now = now
        self._held: dict[str, Held] = {}
        self._lock = threading.Lock()
        self._sweeper = Sweeper(self._lock, self._sweep, self._due)

    def open(self, memory: Memory, *, keep: bool = False) -> Session:
        session_id, now = secrets.token_urlsafe(16), self._now()
        held = Held(memory, keep, now, now + self._seconds)
        if keep:
            self._files.save(session_id, memory, held.expires)
        with self._lock:
            self._sweep()
            self._hold(session_id, held)
            self._sweeper.set()
        return Session(session_id, memory.name, held.expires, keep)

    def get(self, session_id: str) -> Session:
        held = self._find(session_id)
        return Session(session_id, held.memory.name, held.expires, held.kept)

    @contextmanager
    def turn(self, session_id: str) -> Iterator[Held]:
        """The session, to one thread at a time; its time starts anew. A turn that fails changes nothing."""
        held = self._find(session_id)
        with held.lock:
            if self._find(session_id) is not held:  # ended while this one waited
                raise _unknown()
            held.expires = self._now() + self._seconds
            yield held
            with self._lock:
                if self._held.get(session_id) is held:  # else it was ended meanwhile and must not come back
                    held.expires = self._now() + self._seconds
                    if held.kept:
                        self._files.save(session_id, held.memory, held.expires)

    def close(self, session_id: str) -> None:
        with self._lock:
            self._held.pop(session_id, None)
            self._files.erase(session_id)

    def erase_all(self) -> None:
        with self._lock:
            self._held.clear()
            self._files.erase_all(self._now())

    def sweep(self) -> None:
        with self._lock:
            self._sweep()

    def _find(self, session_id: str) -> Held:
        with self._lock:
            self._sweep()
            held = self._held.get(session_id)
            if held is None or held.kept:
                held = self._from_file(session_id, held)
            if held is None:
                self._held.pop(session_id, None)
                raise _unknown()
            self._hold(session_id, held)
            return held

    def _hold(self, session_id: str, held: Held) -> None:
        if session_id not in self._held and len(self._held) >= MOST_SESSIONS:
            del self._held[min(self._held, key=lambda one: self._held[one].expires)]
        self._held[session_id] = held

    def _from_file(self, session_id: str, held: Held | None) -> Held | None:
        """A kept session as its file has it: another process may have gone on with it, or ended it."""
        expires = self._files.expires(session_id)
        if expires is None or expires <= self._now():
            return None
        if held is not None and (held.lock.locked() or abs(held.expires - expires) < 1e-3):
            return held
        memory = self._files.load(session_id)
        return None if memory is None else Held(memory, True, self._now(), expires)

    def _sweep(self) -> None:
        """Forget what has expired and what another process had erased."""
        now, erased = self._now(), self._files.erased()
        self._held = {one: held for one, held in self._held.items() if held.expires > now and held.begun >= erased}
        self._files.erase_expired(now)

    def _due(self) -> float | None:
        """In how many seconds the next session will have expired."""
        soonest = min((held.expires for held in self._held.values()), default=None)
        return None if soonest is None else max(soonest - self._now(), 0) + 0.05


def _unknown() -> UnknownSession:
    return UnknownSession("This conversation is over or never was: begin a new one.")
