"""Many processes and threads on one library at once: nothing lost, nothing twice."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from library_helpers import at, policy, raw

from smallprint.library import Library, Stored

WRITER = Path(__file__).with_name("library_writer.py")


def test_two_processes_make_and_fill_one_library(tmp_path: Path) -> None:
    home = tmp_path / "home"  # neither finds it: both make it
    command = [sys.executable, str(WRITER), str(home), "add30"]
    writers = [subprocess.Popen([*command, word], stdout=subprocess.PIPE, text=True) for word in ("one", "two")]
    reported = [line for writer in writers for line in writer.communicate(timeout=25)[0].split()]
    assert [writer.returncode for writer in writers] == [0, 0]
    with Library.open(at(home)) as library:
        entries = library.list()
        assert len(entries) == 90
        assert {entry.versions for entry in entries} == {1}
        assert len(library.pending(1000)) == 90
        digests = {library.versions(entry.name)[0].digest for entry in entries}
    assert len(reported) == 60
    assert set(reported) <= digests


def test_threads_that_open_a_new_library_together(tmp_path: Path) -> None:
    together = Barrier(6)

    def work(thread: int) -> None:
        together.wait()
        with Library.open(at(tmp_path / "home")) as library:
            for n in range(8):
                library.add(policy(f"{thread} {n}"), f"{thread} {n}")
                library.add(policy(f"Common {n}"), f"Common {n}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    with Library.open(at(tmp_path / "home")) as library:
        assert len(library.list()) == 6 * 8 + 8
    with raw(tmp_path / "home") as db:
        assert db.execute("SELECT count(*) FROM versions").fetchone() == (6 * 8 + 8,)


def test_threads_that_share_one_library(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library, ThreadPoolExecutor(6) as pool:

        def work(n: int) -> Stored:
            stored = library.add(policy(f"Text {n % 20}"), f"Service {n % 20}")
            assert library.get(stored.name).digest == stored.digest
            assert library.list()
            return stored

        stored = list(pool.map(work, range(60)))
        assert sum(s.new for s in stored) == 20
        assert len(library.list()) == 20


def test_a_reader_sees_all_of_a_change_or_nothing(tmp_path: Path) -> None:
    """Services without a version would be missing from the list or empty: neither is ever seen."""
    with Library.open(at(tmp_path)) as writer, Library.open(at(tmp_path)) as reader, ThreadPoolExecutor(1) as pool:

        def write() -> None:
            for n in range(40):
                writer.add(policy(f"Text {n}"), f"Service {n}")

        done = pool.submit(write)
        while not done.done():
            for entry in reader.list():
                assert entry.versions == 1
                assert reader.get(entry.name).words == entry.words
        done.result()
        assert len(reader.list()) == 40
