"""What a conversation has to remember, and that as a file: for sessions that survive a restart."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from smallprint.errors import LibraryError
from smallprint.library.serial import from_json, storable, to_json
from smallprint.records import Answer, Choice, Policy

WRITING = 60.0
"""Seconds that a file may be half written; one that is older was left behind."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The policy in context under its `name`; the last question `asked`, and the last that policies speak about, which
    follow-ups lean on; how many sentences that the `answer` held back were shown; the choices offered since."""

    policy: Policy
    name: str
    asked: str = ""
    context: str = ""
    answer: Answer | None = None
    shown: int = 0
    choices: tuple[Choice, ...] = ()


class MemoryFiles:
    """One file for each session, readable by its owner only. Its name is a hash of the session's id, so that whoever
    reads the folder cannot go on with a conversation; its time of change is when it expires.

    Answers are not kept: asking again gives the same.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, session_id: str, memory: Memory, expires: float) -> None:
        """Whole or not at all."""
        stored = {
            "name": storable(memory.name),
            "asked": storable(memory.asked),
            "context": storable(memory.context),
            "shown": memory.shown,
            "choices": [[storable(choice.label), storable(choice.ask)] for choice in memory.choices],
            "policy": to_json(memory.policy),
        }
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")  # mode 0600
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(stored, file)
                os.utime(name, (expires, expires))
                Path(name).replace(self._path(session_id))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unusable(error) from error

    def load(self, session_id: str) -> Memory | None:
        """None where there is none, or where another version of this program wrote it."""
        try:
            stored = json.loads(self._path(session_id).read_text("utf-8"))
            return Memory(
                from_json(stored["policy"]),
                stored["name"],
                stored["asked"],
                stored["context"],
                None,
                stored["shown"],
                tuple(Choice(label, ask) for label, ask in stored["choices"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def expires(self, session_id: str) -> float | None:
        """When; None where there is no such session."""
        try:
            return self._path(session_id).stat().st_mtime
        except OSError:
            return None

    def erase(self, session_id: str) -> None:
        with suppress(FileNotFoundError):
            self._path(session_id).unlink()

    def erase_expired(self, now: float) -> None:
        """Beside sessions also what a crash left half written, but not what another process is just writing."""
        with suppress(FileNotFoundError):
            for path in self._folder.iterdir():
                latest = now - WRITING if path.suffix == ".part" else now
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime <= latest and path != self._erased:
                        path.unlink()

    def erase_all(self, now: float) -> None:
        """Erase every session, and tell other processes to forget those that they hold in memory."""
        try:
            with suppress(FileNotFoundError):
                shutil.rmtree(self._folder)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._erased.touch(mode=0o600)
            os.utime(self._erased, (now, now))
        except OSError as error:
            raise self._unusable(error) from error

    def erased(self) -> float:
        """When all sessions were erased last."""
        try:
            return self._erased.stat().st_mtime
        except OSError:
            return 0.0

    def _unusable(self, error: OSError) -> LibraryError:
        return LibraryError(f"{self._folder} can't be used: {error.strerror or error}.")

    @property
    def _erased(self) -> Path:
        return self._folder / "erased"

    def _path(self, session_id: str) -> Path:
        return self._folder / f"{hashlib.sha256(session_id.encode('utf-8', 'surrogateescape')).hexdigest()}.json"
