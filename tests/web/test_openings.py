"""What stays in memory and for how long, with an assistant that reads at once."""

from __future__ import annotations

import asyncio
import gc
import io
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import NotAPolicy, UnknownPolicy
from smallprint.http.desk import Desk
from smallprint.settings import Settings
from smallprint.web import openings as openings_
from smallprint.web.layout import Layout
from smallprint.web.openings import MOST_OPEN, Opening, Openings, Pasted, Stored

TEXT = b"Privacy policy. We collect your personal data and share it with third parties. " * 8


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    desk = Desk(Assistant(settings))
    yield desk
    desk.close()


@pytest.fixture
def openings(desk: Desk, clock: Clock) -> Openings:
    return Openings(desk, draw, clock)


def draw(layout: Layout) -> str:
    return str(len(layout.parts))


def test_the_same_text_has_the_same_handle_and_is_read_once(openings: Openings) -> None:
    first = openings.open(Pasted(TEXT))
    assert first.sheet().overview.words == 104
    assert openings.open(Pasted(TEXT)) is first
    assert Pasted(TEXT).handle != Pasted(TEXT, force=True).handle


def test_what_is_not_used_for_a_while_is_put_away(openings: Openings, clock: Clock) -> None:
    opening = openings.open(Pasted(TEXT))
    opening.sheet()
    clock.now = 3_500
    assert openings.find(opening.place.handle) is opening  # and its time starts anew
    clock.now = 7_000
    assert openings.find(opening.place.handle) is opening
    clock.now = 10_700
    assert openings.find(opening.place.handle) is None


def test_what_could_not_be_read_is_tried_again(openings: Openings) -> None:
    place = Pasted(b"Peel the apples and cut them into slices, then mix the butter with the sugar. " * 9)
    first = openings.open(place)
    with pytest.raises(NotAPolicy):
        first.sheet()
    assert isinstance(first.error, NotAPolicy)
    assert openings.open(place) is not first


def test_only_so_many_are_kept(openings: Openings) -> None:
    places = [Pasted(b"%d" % number) for number in range(MOST_OPEN + 1)]
    for place in places:
        openings.open(place)
    assert openings.find(places[0].handle) is None
    assert openings.find(places[-1].handle) is not None


def test_a_cancelled_reading_is_gone(openings: Openings) -> None:
    opening = openings.open(Pasted(TEXT))
    openings.put_away(opening.place.handle)
    assert opening.cancelled
    assert openings.find(opening.place.handle) is None


def test_what_failed_in_no_foreseen_way_is_tried_again(openings: Openings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("never foreseen")

    with monkeypatch.context() as broken:
        broken.setattr(Assistant, "read", fail)
        first = openings.open(Pasted(TEXT))
        assert isinstance(first.reading.exception(), RuntimeError)
    assert first.error is None
    assert openings.open(Pasted(TEXT)).sheet().overview.words == 104


def test_what_was_dropped_before_its_turn_is_tried_again(openings: Openings) -> None:
    first = openings.open(Pasted(TEXT))
    first.sheet()
    first.reading = Future()
    first.reading.cancel()
    assert first.error is None
    assert openings.open(Pasted(TEXT)).sheet().overview.words == 104


def stored(desk: Desk) -> Stored:
    kept = desk.assistant.add("-", name="Acme", stdin=io.BytesIO(TEXT))
    return Stored(kept.name, kept.version)


def test_whoever_forgets_all_that_is_open_goes(desk: Desk, settings: Settings) -> None:
    openings = Openings(desk, draw)
    opened = [openings.open(stored(desk)), openings.open(Pasted(TEXT))]
    for one in opened:
        openings.say("visitor", one, "do you share my data?")
    Assistant(settings).forget("Acme")
    for one in opened:
        assert openings.talk("visitor", one) is None
        assert openings.find(one.place.handle) is None
    again = openings.open(Pasted(TEXT))
    openings.say("visitor", again, "do you share my data?")
    assert openings.find(again.place.handle) is again
    assert openings.talk("visitor", again)


def test_a_question_that_waited_does_not_bring_back_what_was_forgotten(desk: Desk, settings: Settings) -> None:
    openings = Openings(desk, draw)
    opening = openings.open(stored(desk))
    opening.sheet()
    Assistant(settings).forget("Acme")
    with pytest.raises(UnknownPolicy):
        openings.say("visitor", opening, "do you share my data?")


@pytest.mark.parametrize("forgotten", [True, False])
def test_nothing_is_held_though_nobody_comes_again(
    desk: Desk, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch, forgotten: bool
) -> None:
    monkeypatch.setattr(openings_, "SWEEP_SECONDS", 0.01)
    clock.now = time.time()
    openings = Openings(desk, draw, clock)
    openings.say("visitor", openings.open(stored(desk)), "do you share my data?")
    assert openings._open
    assert openings._talks
    if forgotten:
        Assistant(settings).forget("Acme")
    else:
        clock.now += 3_700
    deadline = time.monotonic() + 30
    while (openings._open or openings._talks) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not openings._open
    assert not openings._talks


def test_what_went_wrong_is_not_logged_in_its_own_words(caplog: pytest.LogCaptureFixture) -> None:
    async def wait() -> tuple[bool, bool]:
        opening = Opening(Pasted(TEXT), 0.0, 0.0)
        await opening.until_read(0.01)
        early = opening.done
        opening.reading.set_exception(OSError("/home/somebody/private.pdf"))
        await opening.until_read()
        await asyncio.sleep(0)
        return early, opening.done

    with ThreadPoolExecutor(1) as apart:  # the browser's tests have a loop in this thread
        assert apart.submit(lambda: asyncio.run(wait())).result() == (False, True)
    gc.collect()
    assert not caplog.records
