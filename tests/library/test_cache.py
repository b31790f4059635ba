from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest
from library_helpers import at, holding, policy

from smallprint.errors import FetchError
from smallprint.library import Cache
from smallprint.records import Policy

URL = "https://acme.com/privacy"


class Reader:
    """Counts how often the source itself is read."""

    def __init__(self, text: str = "We collect your name.") -> None:
        self.made = policy(text)
        self.times = 0

    def __call__(self) -> Policy:
        self.times += 1
        return self.made


def entries(home: Path) -> list[Path]:
    return sorted((home / "cache").glob("*"))


def grow_older(path: Path, minutes: float) -> None:
    then = time.time() - minutes * 60
    os.utime(path, (then, then))


def test_an_address_is_read_once(tmp_path: Path) -> None:
    reader = Reader()
    for _ in range(3):
        assert Cache(at(tmp_path)).read(URL, reader) == reader.made
    assert reader.times == 1


def test_two_addresses_are_two_entries(tmp_path: Path) -> None:
    one, other = Reader("One."), Reader("Other.")
    cache = Cache(at(tmp_path))
    assert cache.read(URL, one) != cache.read(f"{URL}?other", other)


def test_a_file_is_read_again_when_it_changed(tmp_path: Path) -> None:
    file, reader = tmp_path / "policy.txt", Reader()
    cache = Cache(at(tmp_path / "home"))
    file.write_text("one")
    cache.read(str(file), reader)
    cache.read(str(file), reader)
    assert reader.times == 1
    file.write_text("longer")
    cache.read(str(file), reader)
    assert reader.times == 2
    os.utime(file, ns=(1, 1))
    cache.read(str(file), reader)
    assert reader.times == 3


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    file, reader = tmp_path / "policy.txt", Reader()
    file.write_text("one")

    def slow() -> Policy:
        file.write_text("changed meanwhile")
        return reader()

    cache = Cache(at(tmp_path / "home"))
    cache.read(str(file), slow)
    cache.read(str(file), slow)
    assert reader.times == 2


@pytest.mark.parametrize("source", ["-", "Acme", "missing.html", "nul\0byte", "x" * 5000, "."])
def test_what_is_neither_address_nor_file_is_never_kept(tmp_path: Path, source: str) -> None:
    reader = Reader()
    for _ in range(2):
        Cache(at(tmp_path)).read(source, reader)
    assert reader.times == 2
    assert entries(tmp_path) == []


def test_a_file_called_dash_is_still_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-").write_text("x")
    monkeypatch.chdir(tmp_path)
    Cache(at(tmp_path)).read("-", Reader())
    assert entries(tmp_path) == []


@pytest.mark.parametrize("minutes", [61, -5])
def test_what_is_past_its_time_is_erased_on_the_next_use(tmp_path: Path, minutes: float) -> None:
    reader = Reader("Old secret.")
    cache = Cache(at(tmp_path))
    cache.read(URL, reader)
    grow_older(entries(tmp_path)[0], minutes)
    cache.read("https://other.example", Reader())
    assert holding(tmp_path, "Old secret.") == []
    cache.read(URL, reader)
    assert reader.times == 2


def test_within_its_time_it_stays(tmp_path: Path) -> None:
    reader = Reader()
    cache = Cache(at(tmp_path))
    cache.read(URL, reader)
    grow_older(entries(tmp_path)[0], 59)
    cache.read(URL, reader)
    assert reader.times == 1


def test_no_minutes_turn_it_off_and_empty_it(tmp_path: Path) -> None:
    reader = Reader()
    Cache(at(tmp_path)).read(URL, reader)
    Cache(at(tmp_path, cache_minutes=0)).read(URL, reader)
    assert reader.times == 2
    assert entries(tmp_path) == []


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"{}", b"\0" * 4096, b"[]"])
def test_a_damaged_entry_is_replaced(tmp_path: Path, damage: bytes) -> None:
    reader = Reader()
    cache = Cache(at(tmp_path))
    cache.read(URL, reader)
    entries(tmp_path)[0].write_bytes(damage)
    assert cache.read(URL, reader) == reader.made
    assert cache.read(URL, reader) == reader.made
    assert reader.times == 2


def test_entries_are_for_the_owner_alone_and_show_no_address(tmp_path: Path) -> None:
    Cache(at(tmp_path)).read(URL, Reader())
    (path,) = entries(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "acme" not in path.name


def test_a_reading_that_fails_keeps_nothing(tmp_path: Path) -> None:
    def fail() -> Policy:
        raise FetchError("no", url=URL)

    with pytest.raises(FetchError):
        Cache(at(tmp_path)).read(URL, fail)
    assert entries(tmp_path) == []


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    reader = Reader()
    assert Cache(at(tmp_path)).read(URL, reader) == reader.made


def test_a_write_that_fails_leaves_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Path:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", fail)
    Cache(at(tmp_path)).read(URL, Reader())
    assert entries(tmp_path) == []


def test_clearing_twice_is_fine(tmp_path: Path) -> None:
    cache = Cache(at(tmp_path))
    cache.read(URL, Reader())
    cache.clear()
    cache.clear()
    assert not (tmp_path / "cache").exists()
