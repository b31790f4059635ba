from __future__ import annotations

import asyncio
import threading

import pytest

from smallprint.errors import Busy
from smallprint.http.lanes import Lane


def test_what_does_not_fit_is_refused_and_room_is_made_again() -> None:
    async def story() -> None:
        lane, go = Lane("test", threads=1, waiting=1), threading.Event()
        running, waiting = (asyncio.create_task(lane.run(go.wait)) for _ in range(2))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await lane.run(go.wait)
        go.set()
        assert await running
        assert await waiting
        assert await lane.run(go.wait)
        lane.close()

    asyncio.run(story())


def test_who_leaves_while_waiting_costs_nothing() -> None:
    async def story() -> None:
        lane, go = Lane("test", threads=1, waiting=1), threading.Event()
        done: list[str] = []
        running = asyncio.create_task(lane.run(go.wait))
        left = asyncio.create_task(lane.run(done.append, "left"))
        await asyncio.sleep(0)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        stayed = asyncio.create_task(lane.run(done.append, "stayed"))  # takes the place that was left
        await asyncio.sleep(0)
        go.set()
        await running
        await stayed
        assert done == ["stayed"]
        lane.close()

    asyncio.run(story())


def test_who_leaves_while_it_runs_keeps_the_place_until_it_ends() -> None:
    async def story() -> None:
        lane, begun, go = Lane("test", threads=1, waiting=0), threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            go.wait()

        left = asyncio.create_task(lane.run(work))
        await asyncio.to_thread(begun.wait)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        with pytest.raises(Busy):
            await lane.run(go.wait)
        go.set()
        lane.close()

    asyncio.run(story())


def test_an_error_comes_back() -> None:
    async def story() -> None:
        lane = Lane("test", threads=1, waiting=0)
        with pytest.raises(ZeroDivisionError):
            await lane.run(lambda: 1 / 0)
        assert await lane.run(lambda: 1) == 1
        lane.close()

    asyncio.run(story())
