"""Sessions: what a conversation has to remember, until it is over."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from smallprint.errors import UnknownSession
from smallprint.records import Answer, Choice, Policy, Session
from smallprint.settings import Settings


@dataclass(frozen=True, slots=True)
class Memory:
    """The policy in context under its `name`, the last question `asked`, how many sentences of its `answer` were
    shown, and the choices offered since."""

    policy: Policy
    name: str
    asked: str = ""
    answer: Answer | None = None
    shown: int = 0
    choices: tuple[Choice, ...] = ()


@dataclass(slots=True)
class Held:
    """A session's memory while its turn lasts: what is put here is what it remembers."""

    memory: Memory
    kept: bool
    expires: float
    lock: threading.Lock = field(default_factory=threading.Lock)


class Sessions:
    def __init__(self, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self._seconds = settings.session_minutes * 60
        self._now = now
        self._held: dict[str, Held] = {}
        self._lock = threading.Lock()

    def open(self, memory: Memory, *, keep: bool = False) -> Session:
        session_id = secrets.token_urlsafe(16)
        with self._lock:
            self._held[session_id] = Held(memory, keep, self._now() + self._seconds)
        return self.get(session_id)

    def get(self, session_id: str) -> Session:
        held = self._find(session_id)
        return Session(session_id, held.memory.name, held.expires, held.kept)

    @contextmanager
    def turn(self, session_id: str) -> Iterator[Held]:
        """The session, to this thread alone; its time starts anew."""
        held = self._find(session_id)
        with held.lock:
            yield held
            held.expires = self._now() + self._seconds

    def close(self, session_id: str) -> None:
        with self._lock:
            self._held.pop(session_id, None)

    def _find(self, session_id: str) -> Held:
        with self._lock:
            now = self._now()
            self._held = {one: held for one, held in self._held.items() if held.expires > now}
            if session_id not in self._held:
                raise UnknownSession("This conversation is over or never was: begin a new one.")
            return self._held[session_id]
