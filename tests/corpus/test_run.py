"""A run over a corpus: what it stores, and that it can be killed anywhere."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from corpus_helpers import at, page, policy_text, row, write_rows

from smallprint.assistant import Assistant
from smallprint.corpus.analyse import Options
from smallprint.corpus.run import Outcome, Progress, ingest
from smallprint.corpus.sources import open_corpus
from smallprint.errors import FileUnreadable
from smallprint.library import Library


def run(home: Path, *corpus: Path, **options: Any) -> Outcome:
    settings = at(home)
    with Library.open(settings) as library:
        opened = open_corpus([str(path) for path in corpus], settings)
        return ingest(opened, library, settings, **{"workers": 0, "options": Options(quick=True), **options})


def shelf(home: Path) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Services that a search would show: their versions, and who is folded under the newest."""
    with Library.open(at(home)) as library:
        found = {}
        for entry in library.list():
            versions = library.versions(entry.name)
            for shelved in library.shelved([versions[-1].id]):
                found[entry.name] = (len(versions), shelved.others)
        return found


def test_a_row_cannot_have_a_file_read_as_its_policy(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(policy_text("Secret"))
    run(tmp_path / "home", write_rows(tmp_path / "c.jsonl", [row("A", url=str(secret), domain=None)]))
    with pytest.raises(FileUnreadable, match="came from a collection without an address"):
        Assistant(at(tmp_path / "home")).refresh("A")
    assert len(shelf(tmp_path / "home")) == 1


def test_a_corpus_is_stored_with_its_bad_documents_told(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "c.jsonl", [row("A"), "{", row("B"), row("C", text="Soup."), row("D")])
    seen: list[Progress] = []
    outcome = run(tmp_path / "home", corpus, progress=seen.append)
    assert (outcome.taken.stored, outcome.taken.refused, outcome.before) == (3, 2, 0)
    assert outcome.problems == {"BadRow": 1, "NotAPolicy": 1}
    assert (seen[-1].documents, seen[-1].position) == (5, seen[-1].size)
    assert set(shelf(tmp_path / "home")) == {"A", "B", "D"}
    with Library.open(at(tmp_path / "home")) as library:
        places = [problem.place for problem in library.problems(outcome.run)]
        assert places == [f"{corpus}:2", f"{corpus}:4"]
        (first,) = library.shelved([1])
        assert first.annotation is not None
        assert first.annotation.facets.tracking == ("cookies",)
        assert len(library.pending(99)) == 3


def test_a_second_run_finds_nothing_to_do_and_a_changed_row_is_a_version(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "c.jsonl", [row("A"), row("B")])
    run(tmp_path / "home", corpus)
    again = run(tmp_path / "home", corpus)
    assert (again.taken.stored, again.before, again.resumed) == (0, 2, False)
    write_rows(corpus, [row("A"), row("B", text=policy_text("B", seed=7), date="2021")])
    seen: list[Progress] = []
    outcome = run(tmp_path / "home", corpus, progress=seen.append)
    assert (outcome.taken.stored, outcome.before) == (1, 1)
    assert (seen[-1].documents, seen[-1].before) == (2, 1)
    assert shelf(tmp_path / "home")["B"] == (2, ())


def test_near_duplicates_are_folded_across_services_only(tmp_path: Path) -> None:
    rows = [row(name, text=policy_text(name, seed=1, sentences=200), date=date) for name, date in
            (("Copycat", "2021"), ("Original", "2019"), ("Latest", "2022"))]  # fmt: skip
    own = [row("Own", text=policy_text("Own", seed=9, sentences=200) + more, date=date)
           for more, date in ((" Old.", "2019"), (" New.", "2020"))]  # fmt: skip
    outcome = run(tmp_path / "home", write_rows(tmp_path / "c.jsonl", [*rows, *own]))
    assert shelf(tmp_path / "home") == {"Latest": (1, ("Copycat", "Original")), "Own": (2, ())}
    assert outcome.taken.stored == 5


def test_a_limit_leaves_the_rest_to_the_next_run(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "c.jsonl", [row(f"S{n}") for n in range(7)])
    assert run(tmp_path / "home", corpus, limit=3).taken.stored == 3
    rest = run(tmp_path / "home", corpus)
    assert (rest.taken.stored, rest.before, rest.resumed) == (4, 3, True)


def test_a_folder_of_pages_is_stored_with_their_furniture(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("Acme", "Bolt"):
        (folder / f"{name}.html").write_text(page(name))
    run(tmp_path / "home", folder, workers=2)
    with Library.open(at(tmp_path / "home")) as library:
        assert all("Quokka menu" in shelved.page for shelved in library.shelved([1, 2]))
        assert [entry.name for entry in library.list()] == ["Acme", "Bolt"]


def state(home: Path) -> list[tuple[Any, ...]]:
    """Everything that a run leaves but ids and times."""
    with closing(sqlite3.connect(at(home).database)) as db:
        query = """
            SELECT s.name, v.digest, v.seen, a.facets, k.digest FROM versions AS v
            JOIN services AS s ON s.id = v.service JOIN annotations AS a ON a.version = v.id
            LEFT JOIN duplicates AS d ON d.version = v.id LEFT JOIN versions AS k ON k.id = d.kept ORDER BY 1, 2, 3
        """
        problems = "SELECT place, kind, problem FROM documents WHERE problem IS NOT NULL ORDER BY 1"
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM documents").fetchone() == (len(CORPUS) - 1,)  # one row is there twice
        return db.execute(query).fetchall() + db.execute(problems).fetchall()


CORPUS: list[dict[str, Any] | str] = [
    *[row(f"S{n}") for n in range(60)],
    *[row(f"Copy {n}", text=policy_text("Copy", seed=1, sentences=200), date=str(2000 + n)) for n in range(10)],
    "{",
    row("Soup", text="A recipe for soup. " * 50),
    row("S1"),
    *[row("History", text=policy_text("History", seed=n), date=str(2000 + n)) for n in range(10)],
]


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_anywhere_nothing_is_lost_and_nothing_twice(tmp_path: Path, seed: int) -> None:
    corpus = write_rows(tmp_path / "c.jsonl", CORPUS)
    run(tmp_path / "whole", corpus)
    dice, kills = random.Random(seed), 0
    home = tmp_path / "killed"
    command = [sys.executable, "-m", "smallprint.cli", "ingest", str(corpus), "--workers", "2", "--quick", "--json"]
    for _ in range(40):
        process = subprocess.Popen(command, env={**os.environ, "SMALLPRINT_HOME": str(home)}, stdout=subprocess.PIPE)
        began = documents(home)
        patience = dice.uniform(0.0, 0.4)
        deadline = time.monotonic() + 60
        # Kill it at a random moment after it has got somewhere, so that killing ends some time.
        while process.poll() is None and documents(home) == began and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(patience)
        if process.poll() is None and kills < 8:
            process.send_signal(signal.SIGKILL)
            kills += 1
        said = process.communicate(timeout=120)[0]
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert process.returncode == 0
    assert json.loads(said)["before"] > 0
    assert kills > 0
    assert state(home) == state(tmp_path / "whole")


def documents(home: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{at(home).database}?mode=ro", uri=True, timeout=5)) as db:
            return int(db.execute("SELECT count(*) FROM documents").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
