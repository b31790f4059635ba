"""A run over a corpus: what arrives and how far it came are written together, so a run can be killed anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from typing import Final, Literal

from smallprint.library import folding, names, placing, shelving
from smallprint.library.entries import Arrival, Refusal, Taken, moment
from smallprint.library.serial import storable

Transaction = Callable[[Literal["IMMEDIATE", "DEFERRED"]], AbstractContextManager[sqlite3.Connection]]
_AT_ONCE: Final = 500  # values in one statement; SQLite's limit was 999 until 2020


class Intake:
    """Made by `Library.intake`. The run that was not finished on the same corpus goes on."""

    def __init__(self, transaction: Transaction, corpus: str) -> None:
        self._transaction = transaction
        with transaction("IMMEDIATE") as db:
            open_run = "SELECT id FROM runs WHERE corpus = ? AND ended IS NULL ORDER BY id DESC LIMIT 1"
            row = db.execute(open_run, (storable(corpus),)).fetchone()
            self.resumed = row is not None
            self.run = int(row["id"]) if row is not None else _begin(db, corpus)

    def known(self, keys: Collection[bytes]) -> set[bytes]:
        """Which of these documents are done: stored by any run, or found bad by this one. What an earlier run found
        bad is tried again: the site may answer now, or the rules have changed."""
        wanted = list(keys)
        done: set[bytes] = set()
        with self._transaction("DEFERRED") as db:
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                query = f"SELECT key FROM documents WHERE key IN ({marks}) AND (problem IS NULL OR run = ?)"
                done.update(key for (key,) in db.execute(query, (*some, self.run)))
        return done

    def take(self, batch: Iterable[Arrival | Refusal]) -> Taken:
        """Store a batch, all or nothing; when this returns, it is on the disk."""
        taken = Taken()
        with self._transaction("IMMEDIATE") as db:
            for item in batch:
                taken += self._note(db, item) if isinstance(item, Refusal) else self._store(db, item)
        return taken

    def finish(self) -> None:
        with self._transaction("IMMEDIATE") as db:
            db.execute("UPDATE runs SET ended = ? WHERE id = ?", (moment(), self.run))

    def _note(self, db: sqlite3.Connection, refusal: Refusal) -> Taken:
        db.execute(
            "INSERT OR REPLACE INTO documents (key, run, place, kind, problem) VALUES (?, ?, ?, ?, ?)",
            (refusal.key, self.run, storable(refusal.place), refusal.kind, storable(refusal.reason)),
        )
        return Taken(refused=1)

    def _store(self, db: sqlite3.Connection, arrival: Arrival) -> Taken:
        service = placing.service_for(db, arrival.policy, _name(db, arrival))
        seen = None if arrival.seen is None else moment(arrival.seen)
        version, new = shelving.put(db, service["id"], arrival.policy, seen)
        folded = False
        if new:
            shelving.annotate(db, version, arrival.annotation)
            if arrival.page:
                shelving.keep_page(db, version, storable(arrival.page))
            folded = bool(arrival.signature) and folding.fold(db, version, arrival.signature)
        db.execute(
            "INSERT OR REPLACE INTO documents (key, run, version) VALUES (?, ?, ?)",
            (arrival.key, self.run, version),
        )
        return Taken(stored=new, unchanged=not new, folded=folded)


def problems(db: sqlite3.Connection, run: int) -> list[Refusal]:
    rows = db.execute(
        "SELECT key, place, kind, problem FROM documents WHERE run = ? AND problem IS NOT NULL ORDER BY place", (run,)
    )
    return [Refusal(*row) for row in rows]


def _begin(db: sqlite3.Connection, corpus: str) -> int:
    run = db.execute("INSERT INTO runs (corpus, began) VALUES (?, ?)", (storable(corpus), moment())).lastrowid
    assert run is not None
    return run


def _name(db: sqlite3.Connection, arrival: Arrival) -> str | None:
    """The name that the corpus gives. Two organisations of one name are told apart by their domains: nobody
    chose these names one by one, as with `add --name`."""
    if arrival.name is None or not any(c.isalnum() for c in arrival.name):
        return None
    domain = names.domain(arrival.policy)
    row = db.execute(
        "SELECT domain FROM services WHERE key = ? AND removed IS NULL", (names.key(names.given(arrival.name)),)
    ).fetchone()
    if row is None or names.may_be_one(row["domain"], domain):
        return arrival.name
    return f"{arrival.name} ({domain})"
