"""The index follows the library: what is pending there is written here by a writer that soon lets go.

The library is the record. A writer that dies leaves its work pending, and the next one does it again; nothing
is marked done before the index has it on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from smallprint.errors import UnknownPolicy
from smallprint.index.document import IndexDocument, document_of
from smallprint.index.protocol import Index
from smallprint.index.turn import PATIENCE, turn
from smallprint.library import Library, Pending, Shelved
from smallprint.settings import Settings

# Versions read from the library at a time: a hundred of the longest policies fit into 100 MB.
BATCH: Final = 100
# Pending versions taken in one commit: often enough for a long ingest to be found while it runs, seldom
# enough for large segments.
AT_ONCE: Final = 2_000

Item = TypeVar("Item")
Progress = Callable[[int], None]
Write = Callable[[Iterable[Shelved]], int]  # brings versions into the index, and says how many


def open_index(settings: Settings) -> Index:
    """The engine that the settings name: a cluster, or the embedded one in the user's folder."""
    if settings.index:
        from smallprint.index.opensearch.address import address
        from smallprint.index.opensearch.engine import OpenSearchIndex

        return OpenSearchIndex(address(settings))
    from smallprint.index.embedded import EmbeddedIndex

    return EmbeddedIndex(settings.home / "index")


def follow(
    library: Library,
    index: Index,
    settings: Settings,
    *,
    patience: float = PATIENCE,
    progress: Progress | None = None,
    write: Write | None = None,
) -> int:
    """Bring the index up to date with the library; how many versions were taken in. `write` does it elsewhere, as the
    executors of a cluster do; else it is done here.

    One follower at a time, for any engine: two could each read a version and write it in the wrong order.
    """
    if not (index.ensure() or _erasure(settings).exists() or library.pending(1)):
        return 0
    with turn(settings.home / "index.lock", patience):
        if _erasure(settings).exists() or (write is None and index.ensure()):
            return _rebuild(library, index, settings, progress)
        if index.ensure():
            library.tell_index_everything()  # before it is emptied: a kill in between costs nothing
            index.rebuild(())
        written = 0
        while work := library.pending(AT_ONCE):
            written += _catch_up(library, index, work, write or _here(index), progress)
        return written


def rebuild(library: Library, index: Index, settings: Settings, progress: Progress | None = None) -> int:
    """Make the index anew from the library. Searches go on in the old one until the new one is whole."""
    with turn(settings.home / "index.lock"):
        return _rebuild(library, index, settings, progress)


def note_erasure(settings: Settings) -> bool:
    """Before a policy is forgotten; false where there is no index yet. Deleting leaves its words in the
    engine's files until they are merged some day; this note, which outlives a crash, makes the next follower
    write the index anew."""
    if not (settings.index or (settings.home / "index").exists()):
        return False
    _erasure(settings).touch()
    return True


def _erasure(settings: Settings) -> Path:
    return settings.home / "index.erase"


def _rebuild(library: Library, index: Index, settings: Settings, progress: Progress | None) -> int:
    before = library.pending(10**9)  # done by reading everything; what comes later stays pending
    noted = _erasure(settings).exists()
    written = index.rebuild(_counted(_everything(library), progress))
    library.done(work.id for work in before)
    if noted:
        _erasure(settings).unlink(missing_ok=True)
    return written


def _here(index: Index) -> Write:
    return lambda versions: index.upsert(map(document_of, versions))


def _catch_up(
    library: Library, index: Index, work: tuple[Pending, ...], write: Write, progress: Progress | None
) -> int:
    wanted = [one.version for one in work if one.op == "upsert"]
    gone = {one.version for one in work} - set(wanted)
    present: set[int] = set()

    def versions() -> Iterator[Shelved]:
        for start in range(0, len(wanted), BATCH):
            yield from _shelved(library, wanted[start : start + BATCH], present)

    written = write(_counted(versions(), progress)) if wanted else 0
    gone |= set(wanted) - present  # folded under another service, or removed again
    if gone:
        index.delete(str(version) for version in sorted(gone))
    library.done(one.id for one in work)
    return written


def _shelved(library: Library, versions: list[int], present: set[int]) -> Iterator[Shelved]:
    """These versions, and of each service the one that was the newest before them and is no longer."""
    for shelved in library.shelved(versions):
        present.add(shelved.version)
        yield shelved
        earlier = [id for id in _versions(library, shelved.name) if id != shelved.version][-1:]
        yield from library.shelved(e for e in earlier if e not in versions)


def _everything(library: Library) -> Iterator[IndexDocument]:
    for entry in library.list():
        versions = _versions(library, entry.name)
        for start in range(0, len(versions), BATCH):
            yield from map(document_of, library.shelved(versions[start : start + BATCH]))


def _versions(library: Library, service: str) -> list[int]:
    """Oldest first; none where the service was removed a moment ago."""
    try:
        return [version.id for version in library.versions(service)]
    except UnknownPolicy:
        return []


def _counted(items: Iterator[Item], progress: Progress | None) -> Iterator[Item]:
    for number, item in enumerate(items, 1):
        yield item
        if progress:
            progress(number)
