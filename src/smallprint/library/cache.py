"""What was read without being stored, kept for a while: a second question need not read it again."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from smallprint.ingest.places import is_url
from smallprint.library import findings
from smallprint.library.findings import Findings
from smallprint.library.serial import from_json, to_json
from smallprint.records import Policy
from smallprint.settings import Settings


class Cache:
    """One file for each source, named by a hash. A cache that can't be used costs time, never an answer."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.cache
        self._seconds = settings.cache_minutes * 60

    def read(self, source: str, make: Callable[[], Policy]) -> Policy:
        """The policy at `source`: as cached, else as `make` reads it. Only addresses and files are kept."""
        self._sweep()
        # Before reading: a file that changes meanwhile must not have its old text kept under its new date.
        key = _key(source) if self._seconds else None
        if key is None:
            return make()
        path = self._folder / f"{key}.json"
        policy = self._load(path)
        if policy is None:
            policy = make()
            with suppress(OSError):
                self._save(path, policy)
        return policy

    def keeper(self, source: str) -> CacheKeeper | None:
        """Where to keep what the reader makes of a source; None for what is not kept."""
        key = _key(source) if self._seconds else None
        return None if key is None else CacheKeeper(self._folder / f"{key}.json")

    def clear(self) -> None:
        erase_folder(self._folder)

    def _sweep(self) -> None:
        """Erase what is past its time, and what claims to be from the future (the clock was put back)."""
        now = time.time()
        with suppress(OSError):
            for path in self._folder.iterdir():
                with suppress(OSError):
                    if not 0 <= now - path.stat().st_mtime < self._seconds:
                        path.unlink()

    @staticmethod
    def _load(path: Path) -> Policy | None:
        try:
            return from_json(path.read_text(encoding="utf-8"))
        except OSError:
            return None
        except ValueError:  # cut short, or written by another version of this program
            with suppress(OSError):
                path.unlink()
            return None

    def _save(self, path: Path, policy: Policy) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, to_json(policy).encode())


class CacheKeeper:
    """Findings in a file beside that of the policy, as long as that is there."""

    def __init__(self, policy: Path) -> None:
        self._policy = policy
        self._path = policy.with_suffix(".found")

    def load(self) -> Findings | None:
        try:
            return findings.from_bytes(self._path.read_bytes())
        except (OSError, ValueError):
            return None

    def keep(self, made: Findings) -> None:
        with suppress(OSError):
            if self._policy.exists():
                _write(self._path, findings.to_bytes(findings.merged(self.load(), made)))


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all: written beside (mode 0600) and moved into place."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def erase_folder(folder: Path) -> None:
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


def _key(source: str) -> str | None:
    """A name for this state of the source; None for what is neither an address nor a file, as pasted text."""
    state = source
    if not is_url(source):
        try:
            path = Path(source)
            if source == "-" or not path.is_file():
                return None
            facts = path.stat()
            state = f"{source}\0{path.absolute()}\0{facts.st_mtime_ns}\0{facts.st_size}"
        except (OSError, ValueError):  # a text too long or too odd to be a path
            return None
    return hashlib.sha256(state.encode("utf-8", "surrogateescape")).hexdigest()
