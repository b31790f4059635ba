"""What a corpus may be: rows of JSON, a folder, a git repository, web archives, a list of addresses. Each becomes a
stream of documents.

A source never stops for a bad document: what can't be read becomes a `Refusal` at its place, and it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypedDict

from smallprint.corpus.documents import Document, Form, date_of, key_of
from smallprint.corpus.repository import Repository, is_repository
from smallprint.corpus.rows import Rows
from smallprint.corpus.warc import Warc
from smallprint.errors import FileUnreadable, UnsupportedFormat
from smallprint.ingest.places import ROW_FILE, WARC_FILE, is_collection, is_url
from smallprint.library import Refusal
from smallprint.settings import Settings

READABLE = frozenset((".html", ".htm", ".xhtml", ".pdf", ".md", ".markdown", ".txt", ".text"))
_DATED = re.compile(r"(?<!\d)(\d{4})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)")
_ADDRESS = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?", re.I)


class Source(Protocol):
    """`size` is the measure that documents' `position` is told in."""

    @property
    def size(self) -> int: ...

    def documents(self, run: int) -> Iterator[Document | Refusal]: ...


@dataclass(frozen=True, slots=True)
class Folder:
    """Every readable file below a folder, by name; rows, archives and lists in it are read as what they are. A date in
    a file's name says when it was seen, and what is left of the name whose policy it is: `Acme/2021-04-30.html` and
    `acme-2021-04.txt` are versions of Acme's."""

    path: Path
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        return len(self.files)

    def documents(self, run: int) -> Iterator[Document | Refusal]:  # noqa: ARG002
        for number, path in enumerate(self.files, 1):
            place = str(path)
            try:
                facts = path.stat()
            except OSError as error:
                yield Refusal(key_of(place), place, "FileUnreadable", f"It can't be read: {error.strerror}.")
                continue
            yield Document(
                place=place,
                source=str(path.absolute()),
                key=key_of("file", str(path.absolute()), facts.st_size, facts.st_mtime_ns),
                form=Form.FILE,
                position=number,
                **_named(path, datetime.fromtimestamp(int(facts.st_mtime), UTC)),
            )


class _Named(TypedDict):
    name: str | None
    seen: datetime


def _named(path: Path, changed: datetime) -> _Named:
    """Whose policy a file is and when it was seen, by its name; else nobody's, when the file was last changed."""
    found = _DATED.search(path.stem)
    seen = date_of("-".join(part for part in found.groups() if part)) if found else None
    if not found or seen is None:
        return {"name": None, "seen": changed}
    left = (path.stem[: found.start()] + " " + path.stem[found.end() :]).strip(" -_.,")
    return {"name": left or path.parent.name or None, "seen": seen}


@dataclass(frozen=True, slots=True)
class Addresses:
    """A text file with one web address a line; what follows # is a remark. A new run fetches all of them anew."""

    path: Path
    lines: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.lines)

    def documents(self, run: int) -> Iterator[Document | Refusal]:
        for number, line in enumerate(self.lines, 1):
            address = line.split(" #")[0].strip()
            if not address or address.startswith("#"):
                continue
            place = f"{self.path}:{number}"
            key = key_of("address", run, address)
            if _ADDRESS.fullmatch(address):
                full = address if is_url(address) else f"https://{address}"
                yield Document(place, full, key, Form.ADDRESS, position=number)
            else:
                yield Refusal(key, place, "BadAddress", f"{address[:100]} is no web address.")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Several sources, one after the other. `name` is the same whenever the same sources are given."""

    name: str
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        return sum(source.size for source in self.sources)

    def documents(self, run: int) -> Iterator[Document | Refusal]:
        """Positions are those in the whole corpus."""
        before = 0
        for source in self.sources:
            for item in source.documents(run):
                yield replace(item, position=before + item.position) if isinstance(item, Document) else item
            before += source.size


def open_corpus(paths: Sequence[str], settings: Settings) -> Corpus:
    """Recognise what each path is; one plain line where it is nothing that can be read."""
    found: list[Source] = []
    for given in paths:
        path = Path(given).expanduser()
        if path.is_dir() and is_repository(path):
            found.append(Repository.open(path, settings.max_bytes))
        else:
            found += _folder(path, settings) if path.is_dir() else [_file(path, settings)]
    return Corpus("\n".join(str(Path(p).expanduser().absolute()) for p in paths), tuple(found))


def _folder(path: Path, settings: Settings) -> list[Source]:
    files = sorted(file for file in path.rglob("*") if file.is_file() and not _hidden(file, path))
    special = [file for file in files if is_collection(file.name)]
    pages = [file for file in files if file.suffix.lower() in READABLE]
    if not special and not pages:
        raise FileUnreadable(f"{path} holds nothing to read: no HTML, PDF, Markdown, text, JSONL or WARC file.")
    folder: list[Source] = [Folder(path, tuple(pages))] if pages else []
    return folder + [_file(file, settings) for file in special]


def _hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _file(path: Path, settings: Settings) -> Source:
    if not path.is_file():
        raise FileUnreadable(f"There is no file or folder {path}.")
    if ROW_FILE.search(path.name):
        return Rows(path, settings.max_unpacked_bytes)
    if WARC_FILE.search(path.name):
        return Warc(path, settings.max_bytes)
    lines = _lines(path)
    if lines is not None:
        return Addresses(path, lines)
    raise UnsupportedFormat(
        f"{path} is no corpus: give JSON Lines (.jsonl, also .gz, .xz, .zst), a folder, WARC files (.warc, "
        ".warc.gz), or a text file with one web address a line. A single policy goes in with “smallprint add”."
    )


def _lines(path: Path) -> tuple[str, ...] | None:
    """The lines of a list of addresses; None where the first that says anything is none."""
    try:
        lines = tuple(path.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return None
    first = next((line.strip() for line in lines if line.strip() and not line.startswith("#")), "")
    return lines if _ADDRESS.fullmatch(first.split(" #")[0].strip()) else None
