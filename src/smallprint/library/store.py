"""The library: services and the versions of their policies, in one SQLite file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from smallprint.errors import LibraryBusy, LibraryDamaged, LibraryError, UnknownPolicy
from smallprint.library import database, findings, folding, intake, names, placing, shelving, snapshot
from smallprint.library.cache import Cache, erase_folder
from smallprint.library.entries import Annotation, Entry, Pending, Refusal, Shelved, Stored, Text, Version, moment
from smallprint.library.findings import Findings
from smallprint.library.serial import COLUMNS, from_row
from smallprint.records import Policy
from smallprint.settings import Settings

# A VACUUM after `forget` holds other writers up: 4 s for 200 MB (8,000 policies) on a busy machine with two cores.
BUSY_SECONDS: Final = 30.0

_POLICY_COLUMNS: Final = ", ".join(COLUMNS)
_LIST: Final = """
    SELECT s.name, s.domain, (SELECT count(*) FROM versions WHERE service = s.id) AS versions,
           s.last_seen, v.words, v.title, s.source
    FROM services AS s
    JOIN versions AS v
      ON v.id = (SELECT id FROM versions WHERE service = s.id ORDER BY seen DESC, id DESC LIMIT 1)
    WHERE s.removed IS NULL AND (:service IS NULL OR s.id = :service) AND s.key > :after
    ORDER BY s.key LIMIT :limit
"""


class Library:
    """Made by `Library.open`. One object serves many threads; many processes may each hold one."""

    def __init__(self, db: sqlite3.Connection, settings: Settings) -> None:
        self._db = db
        self._settings = settings
        self._lock = threading.Lock()

    @classmethod
    def open(cls, settings: Settings, *, busy_seconds: float = BUSY_SECONDS) -> Self:
        library = cls(database.connect(settings.database, busy_seconds), settings)
        try:
            library._finish_erasure()
        except BaseException:
            library.close()
            raise
        return library

    def close(self) -> None:
        with self._lock, database.plain_errors(self._path):
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(
        self,
        policy: Policy,
        name: str | None = None,
        seen: datetime | None = None,
        *,
        annotation: Annotation | None = None,
    ) -> Stored:
        """Store a policy as a version of its service; when this returns, it is on the disk."""
        with self._transaction("IMMEDIATE") as db:
            service = placing.service_for(db, policy, name)
            version, new = shelving.put(db, service["id"], policy, None if seen is None else moment(seen))
            if annotation is not None:
                shelving.annotate(db, version, annotation)
            stored = db.execute("SELECT seen FROM versions WHERE id = ?", (version,)).fetchone()
        return Stored(
            name=service["name"],
            version=version,
            digest=policy.digest,
            seen=stored["seen"],
            new=new,
            words=policy.words,
            domain=service["domain"],
        )

    def list(self, *, after: str = "", limit: int | None = None) -> tuple[Entry, ...]:
        """Services by name: all, or so many of those that follow the name `after`."""
        choice = {"service": None, "after": names.key(after), "limit": -1 if limit is None else limit}
        with self._transaction("DEFERRED") as db:
            return tuple(Entry(*row) for row in db.execute(_LIST, choice))

    def entry(self, name: str, *, whole: bool = False) -> Entry:
        """The service with that name or, unless `whole`, that beginning."""
        with self._transaction("DEFERRED") as db:
            choice = {"service": placing.find(db, name, whole=whole)["id"], "after": "", "limit": 1}
            return Entry(*db.execute(_LIST, choice).fetchone())

    def get(self, name: str, version: int | None = None) -> Policy:
        """The newest version of the service whose name this is or begins; or the version with that id."""
        return self.text(name, version).policy

    def text(self, name: str, version: int | None = None) -> Text:
        """The same with its id and whose it is."""
        with self._transaction("DEFERRED") as db:
            service = placing.find(db, name)
            row = db.execute(
                f"SELECT id, {_POLICY_COLUMNS} FROM versions WHERE service = :service "
                "AND (:version IS NULL OR id = :version) ORDER BY seen DESC, id DESC LIMIT 1",
                {"service": service["id"], "version": version},
            ).fetchone()
        if row is None:
            raise UnknownPolicy(f"{service['name']} has no version {version}.")
        try:
            return Text(row["id"], service["name"], service["domain"], from_row(row))
        except ValueError as error:
            raise LibraryDamaged(f"What {self._path} holds of {service['name']} is damaged.") from error

    def versions(self, name: str) -> tuple[Version, ...]:
        """The versions of one service, oldest first."""
        with self._transaction("DEFERRED") as db:
            service = placing.find(db, name)
            rows = db.execute(
                "SELECT id, digest, seen, words, title, source, url FROM versions WHERE service = ? ORDER BY seen, id",
                (service["id"],),
            )
            return tuple(Version(*row) for row in rows)

    def remove(self, name: str) -> str:
        """Take a service out, by its whole name; `restore` undoes it until the next `remove` or `forget`."""
        with self._transaction("IMMEDIATE") as db:
            service = placing.find(db, name, whole=True)
            self._delete(db, "removed IS NOT NULL")
            folding.release(db, service["id"])
            db.execute("UPDATE services SET removed = ? WHERE id = ?", (moment(), service["id"]))
            self._tell_index(db, "delete", service["id"])
            return str(service["name"])

    def restore(self) -> str:
        """Bring back the service that was removed last."""
        with self._transaction("IMMEDIATE") as db:
            service = db.execute("SELECT id, name, key FROM services WHERE removed IS NOT NULL").fetchone()
            if service is None:
                raise LibraryError("There is nothing to restore.")
            taken = "SELECT 1 FROM services WHERE key = ? AND removed IS NULL"
            if db.execute(taken, (service["key"],)).fetchone():
                raise LibraryError(f"{service['name']} was added anew since: forget that one first.")
            db.execute("UPDATE services SET removed = NULL WHERE id = ?", (service["id"],))
            self._tell_index(db, "upsert", service["id"])
            return str(service["name"])

    def check_held(self, name: str) -> None:
        """Raises `UnknownPolicy` unless `forget` has something to erase under that name."""
        with self._transaction("DEFERRED") as db:
            placing.check_held(db, name)

    def forget(self, name: str) -> None:
        """Erase a service for good, by its whole name: no byte of it stays in the library, the cache or what a cluster
        that was killed left here.

        What was removed before, under any name, goes with it.
        """
        with self._transaction("IMMEDIATE") as db:
            placing.check_held(db, name)
            Cache(self._settings).clear()
            erase_folder(self._settings.parts)
            self._delete(db, "key = ? OR removed IS NOT NULL", names.key(name))
            db.execute("INSERT INTO erasure (since) VALUES (?)", (moment(),))
        self._overwrite()

    def forget_all(self) -> None:
        """Erase everything that was read: library, index and cache. Settings stay."""
        with self._transaction("IMMEDIATE") as db:
            Cache(self._settings).clear()
            erase_folder(self._settings.parts)
            erase_folder(self._settings.home / "index")
            self._delete(db, "TRUE")
            db.execute("DELETE FROM runs")  # with the places of documents that could not be read
            db.execute("INSERT INTO erasure (since) VALUES (?)", (moment(),))
        self._overwrite()

    def pending(self, limit: int) -> tuple[Pending, ...]:
        """What the index has yet to do, oldest first."""
        with self._transaction("DEFERRED") as db:
            rows = db.execute("SELECT id, version, op FROM pending ORDER BY id LIMIT ?", (limit,))
            return tuple(Pending(*row) for row in rows)

    def done(self, ids: Iterable[int]) -> None:
        """The index has done this. Newer work on the same version has another id and stays."""
        with self._transaction("IMMEDIATE") as db:
            db.executemany("DELETE FROM pending WHERE id = ?", [(id,) for id in ids])

    def tell_index_everything(self) -> None:
        """The index is to be made anew, from all there is."""
        with self._transaction("IMMEDIATE") as db:
            db.execute(
                "INSERT OR REPLACE INTO pending (version, op) SELECT v.id, 'upsert' FROM versions AS v "
                "JOIN services AS s ON s.id = v.service WHERE s.removed IS NULL ORDER BY v.id"
            )

    def shelved(self, versions: Iterable[int]) -> tuple[Shelved, ...]:
        """What the index wants to know of these versions. One that is missing here does not belong there."""
        with self._transaction("DEFERRED") as db:
            try:
                return tuple(shelving.shelved(db, versions))
            except ValueError as error:
                raise LibraryDamaged(f"What {self._path} holds is damaged.") from error

    def annotate(self, version: int, annotation: Annotation) -> None:
        with self._transaction("IMMEDIATE") as db:
            shelving.annotate(db, version, annotation)

    def findings(self, version: int) -> Findings | None:
        """What the reader made of this version, as far as it is kept."""
        with self._transaction("DEFERRED") as db:
            try:
                return findings.load(db, version)
            except ValueError as error:
                raise LibraryDamaged(f"What {self._path} holds is damaged.") from error

    def keep_findings(self, version: int, made: Findings) -> None:
        """An error where the version is gone meanwhile."""
        with self._transaction("IMMEDIATE") as db:
            findings.keep(db, version, made)

    def texts(self, versions: Iterable[int]) -> tuple[Text, ...]:
        """Those of the versions that are there, removed and folded ones too."""
        with self._transaction("DEFERRED") as db:
            try:
                return tuple(shelving.texts(db, versions))
            except ValueError as error:
                raise LibraryDamaged(f"What {self._path} holds is damaged.") from error

    def outdated(self, model: str, *, after: int = 0, limit: int = 100) -> tuple[int, ...]:
        """Versions that this model has not read, by id, from `after` on."""
        with self._transaction("DEFERRED") as db:
            return tuple(shelving.outdated(db, model, after, limit))

    def outdated_count(self, model: str) -> int:
        with self._transaction("DEFERRED") as db:
            return shelving.outdated_count(db, model)

    def set_ranks(self, ranks: Mapping[str, int]) -> int:
        """Give every service the rank of its domain (none where `ranks` has none); how many changed."""
        with self._transaction("IMMEDIATE") as db:
            services = db.execute("SELECT id, domain, rank FROM services").fetchall()
            return shelving.set_ranks(db, ranks, services)

    def intake(self, corpus: str) -> intake.Intake:
        """Begin a run over a corpus, or go on with the one that was cut short."""
        return intake.Intake(self._transaction, corpus)

    def problems(self, run: int) -> tuple[Refusal, ...]:
        """What a run could not store, in the order of its places."""
        with self._transaction("DEFERRED") as db:
            return tuple(intake.problems(db, run))

    def export(self, path: str, *, progress: Callable[[int], None] = lambda _: None) -> int:
        """Write everything to a Parquet snapshot, as it is at this moment; how many versions."""
        return snapshot.export(self._transaction, path, progress)

    def take_in(self, path: str, *, progress: Callable[[int], None] = lambda _: None) -> snapshot.TakenIn:
        """Store what a Parquet snapshot holds; what is here already is passed over."""
        return snapshot.take_in(self._transaction, path, progress)

    @property
    def _path(self) -> Path:
        return self._settings.database

    @contextmanager
    def _transaction(self, kind: Literal["IMMEDIATE", "DEFERRED"]) -> Iterator[sqlite3.Connection]:
        with self._lock, database.transaction(self._db, self._path, kind) as db:
            yield db

    @staticmethod
    def _tell_index(db: sqlite3.Connection, op: Literal["upsert", "delete"], service: int) -> None:
        told = "INSERT OR REPLACE INTO pending (version, op) SELECT id, ? FROM versions WHERE service = ?"
        db.execute(told, (op, service))

    @classmethod
    def _delete(cls, db: sqlite3.Connection, which: str, *values: str) -> None:
        for service in db.execute(f"SELECT id FROM services WHERE {which}", values).fetchall():
            folding.release(db, service["id"])
            folding.drop_bands(db, service["id"])
            cls._tell_index(db, "delete", service["id"])
            db.execute("DELETE FROM services WHERE id = ?", (service["id"],))

    def _overwrite(self) -> None:
        """Leave no byte of deleted rows: VACUUM writes the file anew, the checkpoint empties the log.

        Deleting alone would not do, although it fills rows with zeros: pages keep copies of rows that moved.
        """
        try:
            with self._lock, database.plain_errors(self._path):
                self._db.execute("VACUUM")
                if self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise LibraryBusy("Another program is still reading the old pages.")
                self._db.execute("DELETE FROM erasure")
        except LibraryError as error:
            left = "It is out of the library, but traces stay in the file until the library is opened again."
            raise type(error)(f"{left} {error}") from error

    def _finish_erasure(self) -> None:
        """Do what a `forget` that was cut short left undone; if that can't be, the next opening tries."""
        with self._transaction("DEFERRED") as db:
            unfinished = db.execute("SELECT 1 FROM erasure").fetchone()
        if unfinished:
            with suppress(LibraryError):
                self._overwrite()


class ShelfKeeper:
    """Findings with a version of the library."""

    def __init__(self, settings: Settings, version: int) -> None:
        self._settings = settings
        self.version = version

    def load(self) -> Findings | None:
        with suppress(LibraryError), Library.open(self._settings) as library:
            return library.findings(self.version)
        return None

    def keep(self, findings: Findings) -> None:
        with suppress(LibraryError), Library.open(self._settings) as library:
            library.keep_findings(self.version, findings)
