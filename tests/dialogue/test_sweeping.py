from __future__ import annotations

import threading
import time

from smallprint.dialogue.sweeping import Sweeper


def swept(held: list[int], due: float | None) -> list[bool]:
    """Whether the lock was held, for each sweep until there is nothing to sweep and a moment longer; one takes one."""
    lock, locked = threading.Lock(), list[bool]()

    def sweep() -> None:
        held.pop()
        locked.append(lock.locked())

    sweeper = Sweeper(lock, sweep, lambda: due if held else None)
    with lock:
        sweeper.set()
        sweeper.set()
    deadline = time.monotonic() + 30
    while held and due is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    return locked


def test_it_sweeps_under_the_lock_until_nothing_is_left() -> None:
    assert swept([1, 2, 3], 0.01) == [True] * 3


def test_two_settings_are_one_sweep() -> None:
    """A second timer would find nothing to take."""
    assert swept([1], 0.01) == [True]


def test_where_nothing_is_due_it_does_not_sweep() -> None:
    held = [1]
    assert swept(held, None) == []
    assert held == [1]
