"""A git repository whose files are policies and whose commits are their versions, as Open Terms Archive keeps them.

`Service/Privacy Policy.md` is the policy of Service; each commit that touches it is a version with the commit's date.
Git only lists and prints: no hook, filter, pager or remote of the repository is run or asked.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from smallprint.corpus.documents import Document, Form, key_of
from smallprint.errors import FileUnreadable
from smallprint.library import Refusal

READABLE = frozenset((".html", ".htm", ".md", ".markdown", ".txt"))
_PRIVACY = re.compile(r"privacy|data.?(?:policy|protection)", re.IGNORECASE)
_UNDATED = datetime.fromtimestamp(0, UTC)
_QUIET = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
_LOG = (
    "log",
    "--reverse",
    "--no-renames",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--raw",
    "--no-abbrev",
    "-z",
)


@dataclass(frozen=True, slots=True)
class Stand:
    """One file as one commit left it."""

    path: str
    blob: str
    seen: datetime


@dataclass(frozen=True, slots=True)
class Repository:
    """Size and position count versions."""

    path: Path
    longest: int
    stands: tuple[Stand, ...]

    @classmethod
    def open(cls, path: Path, longest: int) -> Repository:
        return cls(path, longest, tuple(_stands(path)))

    @property
    def size(self) -> int:
        return len(self.stands)

    def documents(self, run: int) -> Iterator[Document | Refusal]:  # noqa: ARG002
        for number, stand in enumerate(self.stands, 1):
            place = f"{self.path}:{stand.path}@{stand.seen.date()}"
            key = key_of("commit", stand.path, stand.blob, stand.seen.isoformat())
            if int(_git(self.path, "cat-file", "-s", stand.blob)) > self.longest:
                yield Refusal(key, place, "TooLarge", f"The file is longer than {self.longest:,} bytes.")
                continue
            yield Document(
                place=place,
                source=place,
                key=key,
                form=Form.BYTES,
                position=number,
                content=_git(self.path, "cat-file", "blob", stand.blob),
                content_type="text/html" if stand.path.lower().endswith((".html", ".htm")) else "",
                charset="utf-8",
                name=name_of(stand.path),
                seen=stand.seen,
            )


def is_repository(path: Path) -> bool:
    """With its files checked out beside `.git`, or bare."""
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def name_of(path: str) -> str:
    """The service: the folder that the file is in, else the file's own name."""
    parts = PurePosixPath(path).parts
    return parts[-2] if len(parts) > 1 else PurePosixPath(path).stem


def _stands(path: Path) -> Iterator[Stand]:
    """Oldest first, by file; where some files are called privacy policies, the others are left alone."""
    found = [stand for stand in _logged(path) if PurePosixPath(stand.path).suffix.lower() in READABLE]
    private = [stand for stand in found if _PRIVACY.search(PurePosixPath(stand.path).name)]
    yield from sorted(private or found, key=lambda stand: (stand.path, stand.seen))


def _logged(path: Path) -> Iterator[Stand]:
    """`git log --raw -z` gives a date for each commit, then for each file a line of modes, ids and what happened, and
    the file's path, all parted by zero bytes."""
    seen = _UNDATED
    blob = ""
    for field in _git(path, *_LOG, "--format=%x00date %at").split(b"\0"):
        text = field.decode("utf-8", "replace").strip("\n")
        if text.startswith("date "):
            seen = _time(text[5:].split("\n")[0])
        elif text.startswith(":"):
            facts = text.split(" ")
            blob = facts[3] if facts[1] in ("100644", "100755") else ""
        elif text and blob:
            yield Stand(text, blob, seen)
            blob = ""


def _time(seconds: str) -> datetime:
    """Git takes any number for a date."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return _UNDATED


def _git(path: Path, *arguments: str) -> bytes:
    quiet = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
    try:
        done = subprocess.run(
            ["git", "-C", str(path), *quiet, *arguments],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_QUIET},
        )
    except OSError as error:
        raise FileUnreadable(
            f"{path} is a git repository, and git can't be run to read it: {error.strerror}."
        ) from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise FileUnreadable(f"Git can't read {path}: {told[-1] if told else 'it does not say why'}")
    return done.stdout
