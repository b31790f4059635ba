"""What the index is measured beside: a bare load of its own engine, and SQLite's full-text search."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import tantivy

from smallprint.index.columns import facet_values
from smallprint.index.document import IndexDocument
from smallprint.index.ranking import factor

BATCH: Final = 5_000
# SQLite writes a segment whenever so many bytes of postings have gathered, a megabyte unless told otherwise; 300,000
# policies would be merged over and over.
_GATHERED: Final = 64_000_000
FACETS: Final = ("sector", "tracking", "body", "regulation", "language")


def bare_load(folder: Path, texts: Iterable[tuple[str, str]], heap: int, threads: int) -> None:
    """Ids and texts into the engine, stored and with positions, and nothing else."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    schema = builder.build()
    writer = tantivy.Index(schema, path=str(folder)).writer(heap, threads)
    for id, text in texts:
        writer.add_document(tantivy.Document.from_dict({"id": id, "text": text}, schema))
    writer.commit()
    writer.wait_merging_threads()


class Fts5:
    """A result page from SQLite: the same formula, the same facets, its own snippets."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)
        self._db.executescript("""
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
            CREATE VIRTUAL TABLE policies USING fts5 (text, tokenize = 'porter unicode61');
            CREATE TABLE facts (id INTEGER PRIMARY KEY, key TEXT, factor REAL);
            CREATE TABLE facets (id INTEGER, name TEXT, value TEXT, PRIMARY KEY (id, name, value)) WITHOUT ROWID;
        """)
        self._db.execute("INSERT INTO policies (policies, rank) VALUES ('hashsize', ?)", (_GATHERED,))
        self._loaded = 0

    def load(self, documents: Iterable[IndexDocument]) -> None:
        numbered = enumerate(documents, self._loaded + 1)
        while batch := list(islice(numbered, BATCH)):
            with self._db as db:
                db.executemany("INSERT INTO policies (rowid, text) VALUES (?, ?)", [(n, d.text) for n, d in batch])
                facts = [(n, d.id, factor(d.p_policy, d.popularity)) for n, d in batch]
                db.executemany("INSERT INTO facts VALUES (?, ?, ?)", facts)
                rows = [(n, name, value) for n, d in batch for name, value in _facets(d)]
                db.executemany("INSERT INTO facets VALUES (?, ?, ?)", rows)
                self._loaded = batch[-1][0]

    def page(self, words: list[str]) -> tuple[int, list[str]]:
        """How many match all the words, and the snippets of the first ten."""
        query = " AND ".join(f'"{word}"' for word in words)
        db = self._db
        db.execute("CREATE TEMP TABLE found AS SELECT rowid AS id FROM policies WHERE policies MATCH ?", (query,))
        try:
            total = int(db.execute("SELECT count(*) FROM found").fetchone()[0])
            marks = ", ".join("?" * len(FACETS))
            db.execute(
                f"SELECT name, value, count(*) FROM facets WHERE id IN (SELECT id FROM found) AND name IN ({marks}) "
                "GROUP BY name, value",
                FACETS,
            ).fetchall()
            top = db.execute(
                "SELECT f.id FROM policies AS p JOIN facts AS f ON f.id = p.rowid "
                "WHERE policies MATCH ? ORDER BY -bm25(policies) * f.factor DESC LIMIT 10",
                (query,),
            ).fetchall()
            snippet = (
                "SELECT snippet(policies, 0, '[', ']', '…', 30) FROM policies WHERE policies MATCH ? AND rowid = ?"
            )
            return total, [db.execute(snippet, (query, id)).fetchone()[0] for (id,) in top]
        finally:
            db.execute("DROP TABLE found")

    def close(self) -> None:
        self._db.close()


def _facets(one: IndexDocument) -> Iterator[tuple[str, str]]:
    for name, values in facet_values(one.facets, one.language).items():
        if name in FACETS:
            yield from ((name, value) for value in values)
