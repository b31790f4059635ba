"""The embedded engine: the contract, and what only files on a disk can get wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from index_contract import ACME, ALL, BOLT, IndexContract, Make, ids

from smallprint.errors import IndexUnavailable
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.language import parse
from smallprint.index.protocol import Request
from smallprint.index.turn import turn

# Writes one document after the other, telling each that is on the disk.
WRITER = """
import sys
from pathlib import Path
from smallprint.index.document import IndexDocument
from smallprint.index.embedded import EmbeddedIndex
index, name = EmbeddedIndex(Path(sys.argv[1])), sys.argv[2]
for n in range(int(sys.argv[3])):
    index.upsert([IndexDocument(id=f"{name}{n}", text=f"A zebra numbered {n}.")])
    print(n, flush=True)
"""


class TestEmbedded(IndexContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        return lambda: EmbeddedIndex(tmp_path / "index")


def writer(root: Path, name: str, number: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(root), name, str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def total(index: EmbeddedIndex, query: str = "zebra") -> int:
    return index.search(Request(parse(query), facets=(), snippets=False)).total


def test_two_writers_take_turns(tmp_path: Path) -> None:
    EmbeddedIndex(tmp_path).rebuild([])
    both = [writer(tmp_path, name, 5) for name in ("a", "b")]
    for one in both:
        one.communicate(timeout=120)
        assert one.returncode == 0
    assert total(EmbeddedIndex(tmp_path)) == 10


def test_a_killed_writer_costs_only_what_was_in_flight(tmp_path: Path) -> None:
    EmbeddedIndex(tmp_path).rebuild(ALL)
    one = writer(tmp_path, "a", 1_000)
    assert one.stdout is not None
    told = [one.stdout.readline() for _ in range(3)]
    time.sleep(0.05)
    os.kill(one.pid, signal.SIGKILL)
    told += one.stdout.readlines()
    one.wait()
    one.stdout.close()
    index = EmbeddedIndex(tmp_path)
    assert len(told) <= total(index) <= len(told) + 1
    assert total(index, "*") >= 10
    index.upsert([replace(ACME, id="after", text="Another zebra.")])  # the lock went with its holder
    assert total(index) >= len(told) + 1


def test_readers_never_see_half_a_rebuild(tmp_path: Path) -> None:
    many = [replace(BOLT, id=str(n)) for n in range(300)]
    EmbeddedIndex(tmp_path).rebuild(many)
    seen: set[int] = set()
    done = threading.Event()

    def read() -> None:
        index = EmbeddedIndex(tmp_path)
        while not done.is_set():
            seen.add(total(index, "partners"))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for size in (100, 200, 300):
        EmbeddedIndex(tmp_path).rebuild(many[:size])
    done.set()
    for reader in readers:
        reader.join()
    assert seen <= {100, 200, 300}


def test_a_reader_keeps_its_generation_while_it_reads(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    index.rebuild(ALL)
    index.refresh()
    before = index._open
    EmbeddedIndex(tmp_path).rebuild([BOLT])
    assert before is not None
    assert before.policies.num_docs == len(ALL)
    assert ids(index.search(Request(parse("*")))) == ["bolt"]


def test_a_busy_index_is_said_in_one_line(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path, patience=0.1)
    with turn(tmp_path / "write.lock"), pytest.raises(IndexUnavailable, match="safe and will be found"):
        index.upsert([ACME])


def test_no_index_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(IndexUnavailable, match="index rebuild"):
        EmbeddedIndex(tmp_path).search(Request(parse("phone")))


def test_an_index_of_another_schema_is_built_anew(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    index.rebuild(ALL)
    next(tmp_path.glob("gen-*/schema")).write_text("0")
    assert index.ensure()
    index.rebuild([BOLT])
    assert not index.ensure()


def test_damage_is_said_in_one_line(tmp_path: Path) -> None:
    EmbeddedIndex(tmp_path).rebuild(ALL)
    for meta in tmp_path.glob("gen-*/documents/meta.json"):
        meta.write_text("{")
    with pytest.raises(IndexUnavailable, match="index rebuild"):
        EmbeddedIndex(tmp_path).search(Request(parse("phone")))


def test_old_generations_are_swept(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    for _ in range(3):
        index.rebuild([BOLT])
    assert len(list(tmp_path.glob("gen-*"))) == 1


def test_the_words_of_a_dropped_policy_leave_the_disk_with_a_rebuild(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    index.rebuild([replace(ACME, text="quetzalcoatl"), BOLT])
    index.rebuild([BOLT])
    files = [f.read_bytes() for f in tmp_path.rglob("*") if f.is_file()]
    assert not any(b"quetzalcoatl" in content for content in files)
