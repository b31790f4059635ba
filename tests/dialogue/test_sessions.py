from __future__ import annotations

import os
import stat
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from dialogue_helpers import memory
from hypothesis import settings as limits
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, multiple, rule

from smallprint.dialogue import sessions as sessions_
from smallprint.dialogue.sessions import Sessions
from smallprint.errors import LibraryError, UnknownSession
from smallprint.records import Choice
from smallprint.settings import Settings

HOUR = 3600.0


class Clock:
    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(settings: Settings, clock: Clock) -> Sessions:
    return Sessions(settings, clock)


def files(settings: Settings) -> list[Path]:
    return list(settings.sessions.glob("*.json"))


def test_a_session_says_what_it_holds_and_until_when(sessions: Sessions, clock: Clock) -> None:
    opened = sessions.open(memory())
    assert (opened.policy, opened.expires, opened.kept) == ("Acme", clock.now + HOUR, False)
    assert sessions.get(opened.id) == opened


def test_ids_cannot_be_guessed(sessions: Sessions) -> None:
    ids = {sessions.open(memory()).id for _ in range(50)}
    assert len(ids) == 50
    assert min(map(len, ids)) >= 20


@pytest.mark.parametrize("keep", [False, True])
def test_every_turn_moves_the_end_on_and_then_it_is_over(
    sessions: Sessions, settings: Settings, clock: Clock, keep: bool
) -> None:
    one = sessions.open(memory(), keep=keep).id
    clock.now += HOUR - 1
    with sessions.turn(one):
        pass
    clock.now += HOUR - 1
    assert sessions.get(one).expires == pytest.approx(clock.now + 1)
    clock.now += 1
    with pytest.raises(UnknownSession, match="over"):
        sessions.get(one)
    with pytest.raises(UnknownSession), sessions.turn(one):
        pass
    assert files(settings) == []


def test_looking_at_a_session_does_not_lengthen_it(sessions: Sessions, clock: Clock) -> None:
    opened = sessions.open(memory())
    clock.now += HOUR / 2
    assert sessions.get(opened.id).expires == opened.expires


def test_expired_sessions_are_let_go_though_nobody_asks(settings: Settings) -> None:
    short = Sessions(replace(settings, session_minutes=0))
    short.open(memory(), keep=True)
    deadline = time.monotonic() + 30
    while (short._held or files(settings)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not short._held
    assert files(settings) == []


def test_what_is_not_kept_is_never_written(sessions: Sessions, settings: Settings) -> None:
    with sessions.turn(sessions.open(memory()).id) as held:
        held.memory = replace(held.memory, asked="a secret question")
    assert files(settings) == []


def test_kept_sessions_are_for_their_owner_only_and_hide_their_id(sessions: Sessions, settings: Settings) -> None:
    one = sessions.open(memory(), keep=True).id
    (path,) = files(settings)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.sessions.stat().st_mode) == 0o700
    assert one not in path.name
    assert one not in path.read_text()


def test_a_kept_session_goes_on_in_another_process(sessions: Sessions, settings: Settings, clock: Clock) -> None:
    one = sessions.open(memory(), keep=True).id
    with sessions.turn(one) as held:
        held.memory = replace(held.memory, asked="a?", context="b?", shown=3, choices=(Choice("label", "ask"),))
    other = Sessions(settings, clock)
    with other.turn(one) as held:
        assert (held.memory.asked, held.memory.context, held.memory.shown) == ("a?", "b?", 3)
        assert held.memory.choices == (Choice("label", "ask"),)
        assert held.memory.policy == memory().policy
        clock.now += 5
        held.memory = replace(held.memory, asked="c?")
    with sessions.turn(one) as held:  # and the first sees what the other did
        assert held.memory.asked == "c?"
    other.close(one)
    with pytest.raises(UnknownSession):
        sessions.get(one)


def test_sessions_in_memory_are_unknown_elsewhere(sessions: Sessions, settings: Settings, clock: Clock) -> None:
    one = sessions.open(memory()).id
    with pytest.raises(UnknownSession):
        Sessions(settings, clock).get(one)


@pytest.mark.parametrize("keep", [False, True])
def test_erasing_all_reaches_other_processes(sessions: Sessions, settings: Settings, clock: Clock, keep: bool) -> None:
    one = sessions.open(memory(), keep=keep).id
    clock.now += 1
    Sessions(settings, clock).erase_all()
    with pytest.raises(UnknownSession):
        sessions.get(one)
    assert files(settings) == []
    clock.now += 1
    assert sessions.get(sessions.open(memory(), keep=keep).id)


def test_closing_twice_is_no_error(sessions: Sessions) -> None:
    one = sessions.open(memory(), keep=True).id
    sessions.close(one)
    sessions.close(one)
    sessions.close("never was")


@pytest.mark.parametrize("odd", ["", "../../etc/passwd", "a" * 10_000, "\udcff", "\0"])
def test_odd_ids_are_unknown(sessions: Sessions, odd: str) -> None:
    sessions.open(memory(), keep=True)
    with pytest.raises(UnknownSession):
        sessions.get(odd)
    sessions.close(odd)


def test_a_turn_that_fails_changes_nothing(sessions: Sessions) -> None:
    one = sessions.open(memory()).id
    with pytest.raises(RuntimeError), sessions.turn(one):
        raise RuntimeError
    with sessions.turn(one) as held:
        assert held.memory == memory()


@pytest.mark.parametrize("keep", [False, True])
def test_a_session_ended_during_its_turn_does_not_come_back(sessions: Sessions, settings: Settings, keep: bool) -> None:
    one = sessions.open(memory(), keep=keep).id
    with sessions.turn(one):
        sessions.close(one)
    with pytest.raises(UnknownSession):
        sessions.get(one)
    assert files(settings) == []


def test_there_is_a_most_of_them(sessions: Sessions, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_, "MOST_SESSIONS", 3)
    ids = []
    for _ in range(4):
        ids.append(sessions.open(memory()).id)
        clock.now += 1
    with pytest.raises(UnknownSession):
        sessions.get(ids[0])
    assert all(sessions.get(one) for one in ids[1:])


def test_those_of_other_processes_count_too(
    sessions: Sessions, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_, "MOST_SESSIONS", 2)
    fleeting, other = sessions.open(memory()).id, Sessions(settings, clock)
    clock.now += 1
    kept = [other.open(memory(), keep=True).id for _ in range(3)]
    assert [sessions.get(one).id for one in (*kept, *kept)] == [*kept, *kept]
    with pytest.raises(UnknownSession):
        sessions.get(fleeting)


def test_damaged_files_are_unknown_sessions(sessions: Sessions, settings: Settings, clock: Clock) -> None:
    one = sessions.open(memory(), keep=True).id
    (path,) = files(settings)
    times = path.stat().st_mtime
    path.write_text('{"name": 1}')
    os.utime(path, (times, times))
    with pytest.raises(UnknownSession):
        Sessions(settings, clock).get(one)


def test_what_another_is_just_writing_is_left_alone_and_what_a_crash_left_goes(
    sessions: Sessions, settings: Settings, clock: Clock
) -> None:
    settings.sessions.mkdir(parents=True)
    part = settings.sessions / "tmp1.part"
    part.write_text("{")
    os.utime(part, (clock.now, clock.now))
    clock.now += 59
    sessions.open(memory())
    assert part.exists()
    clock.now += 1
    sessions.open(memory())
    assert not part.exists()


def test_a_folder_that_cannot_be_written_is_one_line(settings: Settings) -> None:
    settings.home.parent.mkdir(exist_ok=True)
    settings.home.write_text("a file, not a folder")
    with pytest.raises(LibraryError, match="can't be used"):
        Sessions(settings).open(memory(), keep=True)


@pytest.mark.parametrize("keep", [False, True])
def test_turns_of_one_session_come_one_after_another(sessions: Sessions, keep: bool) -> None:
    one = sessions.open(memory(), keep=keep).id

    def count() -> None:
        for _ in range(20):
            with sessions.turn(one) as held:
                seen = held.memory.shown
                time.sleep(0)
                held.memory = replace(held.memory, shown=seen + 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with sessions.turn(one) as held:
        assert held.memory.shown == 80


def test_two_sessions_do_not_wait_for_each_other(sessions: Sessions) -> None:
    one, two = sessions.open(memory()).id, sessions.open(memory("Zenith")).id
    inside, done = threading.Event(), threading.Event()

    def slow() -> None:
        with sessions.turn(one):
            inside.set()
            assert done.wait(30)

    thread = threading.Thread(target=slow)
    thread.start()
    assert inside.wait(30)
    with sessions.turn(two) as held:
        assert held.memory.name == "Zenith"
    done.set()
    thread.join()


class AnyOrder(RuleBasedStateMachine):
    """Opening, talking, waiting, closing and restarting in any order: what lives is exactly what should."""

    ids = Bundle("ids")

    @initialize()
    def begin(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.settings = Settings(home=Path(self.folder.name))
        self.clock = Clock()
        self.sessions = Sessions(self.settings, self.clock)
        self.ends: dict[str, tuple[float, bool]] = {}

    @rule(target=ids)
    def open(self) -> str:
        one = self.sessions.open(memory()).id
        self.ends[one] = (self.clock.now + HOUR, False)
        return one

    @rule(target=ids)
    def open_kept(self) -> str:
        one = self.sessions.open(memory(), keep=True).id
        self.ends[one] = (self.clock.now + HOUR, True)
        return one

    @rule(one=ids)
    def say(self, one: str) -> None:
        if self.ends[one][0] > self.clock.now:
            with self.sessions.turn(one) as held:
                held.memory = replace(held.memory, shown=held.memory.shown + 1)
            self.ends[one] = (self.clock.now + HOUR, self.ends[one][1])
        self.check(one)

    @rule(one=consumes(ids))
    def close(self, one: str) -> None:
        self.sessions.close(one)
        self.ends[one] = (0.0, False)
        self.check(one)

    @rule()
    def wait(self) -> None:
        self.clock.now += HOUR / 3

    @rule()
    def restart(self) -> None:
        self.sessions = Sessions(self.settings, self.clock)
        self.ends = {one: (end if kept else 0.0, kept) for one, (end, kept) in self.ends.items()}

    @rule(target=ids)
    def erase_all(self) -> object:
        self.sessions.erase_all()
        self.clock.now += 1
        self.ends = {one: (0.0, kept) for one, (_, kept) in self.ends.items()}
        return multiple()

    def check(self, one: str) -> None:
        end, kept = self.ends[one]
        if end > self.clock.now:
            found = self.sessions.get(one)
            assert found.expires == pytest.approx(end)
            assert found.kept == kept
        else:
            with pytest.raises(UnknownSession):
                self.sessions.get(one)
        alive = [one for one, (end, kept) in self.ends.items() if kept and end > self.clock.now]
        assert len(files(self.settings)) == len(alive)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = limits(max_examples=30, stateful_step_count=20, deadline=None)
