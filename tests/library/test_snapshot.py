"""The library as Parquet and back."""

from __future__ import annotations

import builtins
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from library_helpers import at, policy, raw

from smallprint.assistant import Assistant
from smallprint.cli.commands import smallprint
from smallprint.errors import FileUnreadable, SnapshotUnusable, UnsupportedFormat
from smallprint.library import Annotation, Arrival, Findings, Library, Refusal
from smallprint.library.folding import SLOTS
from smallprint.library.snapshot import TakenIn
from smallprint.library.snapshot_row import SHAPE
from smallprint.records import Facets, Practice

parquet = pytest.importorskip("pyarrow.parquet", reason="snapshots need pyarrow: pip install 'smallprint[parquet]'")
pa = pytest.importorskip("pyarrow")

VECTORS = bytes(range(256)) * 3
PRACTICE = Practice(0, "first", 0.5, (("Purpose", "Advertising"),), ("does",), (1,))


def signature(seed: int, changed: int = 0) -> bytes:
    dice = random.Random(seed)
    slots = [dice.randrange(65536) for _ in range(SLOTS)]
    return b"".join((slot ^ (n < changed)).to_bytes(2, "little") for n, slot in enumerate(slots))


def arrival(name: str, year: int, sign: bytes, text: str = "") -> Arrival:
    url = f"https://{name.lower()}.com/privacy"
    found = Findings(f"f {name}", (PRACTICE,), VECTORS)
    return Arrival(
        key=f"{name} {year}".encode(),
        policy=policy(text or f"{name} in {year} says so.", title=f"{name} – Privacy", url=url),
        annotation=Annotation(Facets("it", 12.5, 0.25, ("cookies",), practices=("first",)), "m", found),
        signature=sign,
        name=name,
        seen=datetime(year, 2, 3, tzinfo=UTC),
        page=f"Menu {name}" if year % 2 else "",
    )


def fill(home: Path) -> None:
    """Three services that say nearly the same, one with a history that goes back to where it was, one that was asked
    and never annotated, one that was removed, one bad document."""
    with Library.open(at(home)) as library:
        intake = library.intake("corpus")
        intake.take([arrival("Copy", 2019, signature(1)), arrival("Original", 2018, signature(1, 4))])
        intake.take([arrival("Newest", 2021, signature(1, 8)), Refusal(b"bad", "c:1", "Bad", "It is bad.")])
        for year, text in ((2019, "A."), (2020, "B."), (2021, "A.")):
            intake.take([arrival("History", year, signature(2), text)])
        intake.finish()
        plain = library.add(policy("Only added."), "Plain")
        library.keep_findings(plain.version, Findings("asked", None, VECTORS))
        library.add(policy("Gone."), "Gone")
        library.remove("Gone")
        library.set_ranks({"copy.com": 7})


TABLES = {
    "services": "SELECT name, key, domain, source, last_seen, rank FROM services WHERE removed IS NULL ORDER BY key",
    "versions": """
        SELECT s.key, v.digest, v.seen, v.words, v.source, v.url, v.title, v.media, v.language, v.p_policy, v.notes,
               v.blocks, v.text, p.text, a.model, a.facets, f.fingerprint, f.practices, f.vectors, g.signature
        FROM versions AS v JOIN services AS s ON s.id = v.service LEFT JOIN pages AS p ON p.version = v.id
        LEFT JOIN annotations AS a ON a.version = v.id LEFT JOIN findings AS f ON f.version = v.id
        LEFT JOIN signatures AS g ON g.version = v.id WHERE s.removed IS NULL ORDER BY v.id""",
    "folded": """
        SELECT v.digest, k.digest, d.similarity FROM duplicates AS d JOIN versions AS v ON v.id = d.version
        JOIN versions AS k ON k.id = d.kept ORDER BY 1""",
    "bands": "SELECT b.band, v.digest, v.seen FROM bands AS b JOIN versions AS v ON v.id = b.version ORDER BY 1, 2, 3",
    "documents": """
        SELECT d.key, v.digest FROM documents AS d JOIN versions AS v ON v.id = d.version
        WHERE length(d.key) != 16 ORDER BY 1""",
}


def state(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    with raw(home) as db:
        return {name: [tuple(row) for row in db.execute(query)] for name, query in TABLES.items()}


def export(home: Path, path: Path) -> int:
    with Library.open(at(home)) as library:
        return library.export(str(path))


def take_in(home: Path, path: Path) -> TakenIn:
    with Library.open(at(home)) as library:
        return library.take_in(str(path))


@pytest.fixture
def full(tmp_path: Path) -> Path:
    fill(tmp_path / "full")
    return tmp_path / "full"


@pytest.mark.parametrize("name", ["library.parquet", "library"])
def test_there_and_back_is_the_same_library(tmp_path: Path, full: Path, name: str) -> None:
    assert export(full, tmp_path / name) == 7
    assert take_in(tmp_path / "other", tmp_path / name) == TakenIn(stored=7)
    assert state(tmp_path / "other") == state(full)
    assert {len(rows) for rows in state(full).values()} >= {2, 5, 7}  # none of the tables compared is empty
    assert export(tmp_path / "other", tmp_path / f"again-{name}") == 7
    assert table(tmp_path / f"again-{name}").equals(table(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def table(path: Path) -> Any:
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    return pa.concat_tables([parquet.ParquetFile(file).read() for file in files])


def test_a_folder_is_parted_by_the_hash_of_the_key(tmp_path: Path, full: Path) -> None:
    export(full, tmp_path / "folder")
    for file in (tmp_path / "folder").rglob("*.parquet"):
        keys = parquet.ParquetFile(file).read(["key"])["key"].to_pylist()
        assert {f"bucket={key[0] % 16:02}" for key in keys} == {file.parent.name}


def test_importing_twice_changes_nothing_and_the_corpus_is_known(tmp_path: Path, full: Path) -> None:
    export(full, tmp_path / "s.parquet")
    take_in(tmp_path / "other", tmp_path / "s.parquet")
    before = state(tmp_path / "other")
    assert take_in(tmp_path / "other", tmp_path / "s.parquet") == TakenIn(before=7)
    assert state(tmp_path / "other") == before
    assert take_in(full, tmp_path / "s.parquet") == TakenIn(unchanged=7)
    with Library.open(at(tmp_path / "other")) as library:
        assert library.intake("corpus").known([b"Copy 2019", b"bad"]) == {b"Copy 2019"}


def test_what_was_here_is_compared_with_what_comes(tmp_path: Path, full: Path) -> None:
    """A text that is newer than the snapshot's newest stands for them all; what is not there is forgotten again."""
    export(full, tmp_path / "s.parquet")
    with Library.open(at(tmp_path / "other")) as library:
        library.intake("c").take([arrival("Here", 2022, signature(1, 6))])
    take_in(tmp_path / "other", tmp_path / "s.parquet")
    with Library.open(at(tmp_path / "other")) as library:
        (shown,) = library.shelved([1])
        assert shown.others == ("Copy", "Newest", "Original")
        library.forget("Newest")
        assert take_in(tmp_path / "other", tmp_path / "s.parquet").stored == 1
        assert library.shelved([1])[0].others == ("Copy", "Newest", "Original")


def test_another_organisation_of_the_same_name_stays_apart(tmp_path: Path, full: Path) -> None:
    export(full, tmp_path / "s.parquet")
    with Library.open(at(tmp_path / "other")) as library:
        library.add(policy("Another text.", url="https://copy.org/privacy"), "Copy")
        library.take_in(str(tmp_path / "s.parquet"))
        assert {"Copy", "Copy (copy.com)"} <= {entry.name for entry in library.list()}


def test_an_import_cannot_have_a_file_read_as_a_policy(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("Privacy policy of Acme. We collect your name and share your data. " * 9)
    with Library.open(at(tmp_path / "full")) as library:
        library.add(policy("Harmless.", source=str(tmp_path / "secret.txt")), "Acme")
        library.export(str(tmp_path / "s.parquet"))
    assistant = Assistant(at(tmp_path / "other"))
    take_in(tmp_path / "other", tmp_path / "s.parquet")
    with pytest.raises(FileUnreadable, match="came from a collection without an address"):
        assistant.refresh("Acme")
    assert "Harmless." in assistant.stored("Acme").policy.text
    assistant.add(str(tmp_path / "secret.txt"), name="Acme")  # by whoever sits here
    assert not assistant.refresh("Acme").new


def test_practices_take_the_place_of_none(tmp_path: Path, full: Path) -> None:
    export(full, tmp_path / "s.parquet")
    with Library.open(at(tmp_path / "other")) as library:
        quick = arrival("Copy", 2019, signature(1))
        library.intake("c").take([Arrival(b"k", quick.policy, Annotation(Facets(), "quick"), b"", "Copy", quick.seen)])
        assert library.take_in(str(tmp_path / "s.parquet")).unchanged == 1
        found = library.findings(1)
    assert found is not None
    assert found.practices == (PRACTICE,)


def test_killed_while_importing_it_goes_on(tmp_path: Path) -> None:
    with Library.open(at(tmp_path / "full")) as library:
        for start in range(0, 400, 50):
            library.intake("c").take(
                [arrival(f"S{n}", 2000, signature(n if n % 3 else 0)) for n in range(start, start + 50)]
            )
        library.export(str(tmp_path / "s"))
    take_in(tmp_path / "whole", tmp_path / "s")
    command = [sys.executable, "-m", "smallprint.cli", "library", "import", str(tmp_path / "s")]
    env = {**os.environ, "SMALLPRINT_HOME": str(tmp_path / "killed")}
    process = subprocess.Popen(command, env=env)
    deadline = time.monotonic() + 60
    while not versions(tmp_path / "killed") and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    there = versions(tmp_path / "killed")
    assert there > 0
    taken = take_in(tmp_path / "killed", tmp_path / "s")
    assert (taken.before, taken.stored) == (there, 400 - there)
    assert state(tmp_path / "killed") == state(tmp_path / "whole")


def versions(home: Path) -> int:
    try:
        with raw(home) as db:
            return int(db.execute("SELECT count(*) FROM versions").fetchone()[0])
    except Exception:
        return 0


Change = Callable[[dict[str, list[Any]]], None]


def put(column: str, value: Any) -> Change:
    def change(columns: dict[str, list[Any]]) -> None:
        columns[column][-1] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("text", "Another text."), "blocks|block|not the one"),
        (put("text", None), "text is missing"),
        (put("blocks", "[["), "damaged at row 6"),
        (put("blocks", '[["p",0,0,1],["p",0,0,1]]'), "overlap"),
        (put("blocks", '[["p",0,0.5,1]]'), "overlap"),
        (put("service", "\x1b[31mEvil"), "name"),
        (put("service", "Somebody else"), "key is not its own"),
        (put("title", "\x1b]0;evil"), "nobody can see"),
        (put("url", "javascript:alert(1)"), "address"),
        (put("p_policy", float("nan")), "chance"),
        (put("seen", "yesterday"), "damaged at row 6"),
        (put("rank", -1), "rank"),
        (put("facets", '{"grade":"much"}'), "number"),
        (put("facets", '{"tracking":[1]}'), "words"),
        (put("practices", '[[0,"x",1,[],[],[]]]'), "practice"),
        (put("practices", '[[0,"first",1,[["a","b"]],[],[]]]'), "practice"),
        (put("vectors", b"odd"), "vectors"),
        (put("signature", b"short"), "signature"),
        (put("number", 0), "out of order"),
        (put("documents", [b"x" * 65]), "key"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_rows_are_refused_before_anything_is_written(
    tmp_path: Path, full: Path, change: Change, said: str
) -> None:
    export(full, tmp_path / "s.parquet")
    good = table(tmp_path / "s.parquet")
    columns = good.to_pydict()
    # The last row but one: it has all there is.
    columns = {name: values[:-1] for name, values in columns.items()} | {"number": [0, 1, 2, 3, 4, 6]}
    change(columns)
    parquet.write_table(pa.table(columns, schema=good.schema), tmp_path / "s.parquet")
    with pytest.raises(SnapshotUnusable, match=said) as caught:
        take_in(tmp_path / "other", tmp_path / "s.parquet")
    assert "\n" not in str(caught.value)
    assert versions(tmp_path / "other") == 0


def test_damaged_files_are_refused_in_one_line(tmp_path: Path, full: Path) -> None:
    """Where a flipped bit is in nothing that counts, the library is the one that was written."""
    export(full, tmp_path / "s.parquet")
    whole = (tmp_path / "s.parquet").read_bytes()
    dice = random.Random(3)
    said = [attempt(tmp_path / str(n), full, damaged(whole, dice)) for n in range(40)]
    assert sum(line is not None for line in said) > 30
    assert not any("\n" in line for line in said if line)


def damaged(whole: bytes, dice: random.Random) -> bytes:
    if dice.random() < 0.2:
        return whole[: dice.randrange(len(whole))]
    flipped = bytearray(whole)
    for _ in range(dice.randint(1, 5)):
        flipped[dice.randrange(len(flipped))] ^= dice.randint(1, 255)
    return bytes(flipped)


def attempt(home: Path, full: Path, content: bytes) -> str | None:
    home.mkdir()
    (home / "d.parquet").write_bytes(content)
    try:
        take_in(home, home / "d.parquet")
    except SnapshotUnusable as error:
        assert_nothing_stored(home)
        return str(error)
    assert state(home) == state(full)
    return None


def assert_nothing_stored(home: Path) -> None:
    assert versions(home) == 0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda _: None, "no snapshot at"),
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: path.write_text("PAR1, not"), "damaged"),
        (lambda path: parquet.write_table(pa.table({"a": [1]}), path), "is no snapshot of Smallprint"),
        (lambda path: parquet.write_table(newer(), path), "another version of Smallprint"),
        (lambda path: parquet.write_table(other_columns(), path), "columns"),
        (lambda path: path.mkdir(), "no snapshot at"),
    ],
)
def test_what_is_no_snapshot(tmp_path: Path, make: Callable[[Path], object], said: str) -> None:
    make(tmp_path / "s.parquet")
    with pytest.raises(SnapshotUnusable, match=said):
        take_in(tmp_path / "other", tmp_path / "s.parquet")


def newer() -> Any:
    return pa.table({"a": [1]}).replace_schema_metadata({b"smallprint": b"snapshot 2"})


def other_columns() -> Any:
    return pa.table({"a": [1]}).replace_schema_metadata({b"smallprint": SHAPE.kind.encode()})


def test_an_export_replaces_a_snapshot_and_nothing_else(tmp_path: Path, full: Path) -> None:
    export(full, tmp_path / "folder")
    assert export(full, tmp_path / "folder") == 7
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("mine")
    with pytest.raises(SnapshotUnusable, match="other files"):
        export(full, tmp_path / "mine")
    assert (tmp_path / "mine/thesis.txt").read_text() == "mine"


def test_commands(tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLPRINT_HOME", str(full))
    call = CliRunner().invoke
    assert call(smallprint, ["library", "export", str(tmp_path / "s")]).stderr.startswith("Wrote 7 versions")
    monkeypatch.setenv("SMALLPRINT_HOME", str(tmp_path / "other"))
    first = call(smallprint, ["library", "import", str(tmp_path / "s"), "--json"])
    assert first.stdout == '{"stored": 7, "unchanged": 0, "before": 0}\n'
    assert "7 were there already" in call(smallprint, ["library", "import", str(tmp_path / "s")]).stderr
    with Library.open(at(tmp_path / "other")) as library:
        assert library.pending(1) == ()


def test_without_pyarrow_one_line_says_what_to_install(
    tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def no_arrow(name: str, *args: Any, **named: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", no_arrow)
    with pytest.raises(UnsupportedFormat, match=r"pip install 'smallprint\[parquet\]'"):
        export(full, tmp_path / "s.parquet")
