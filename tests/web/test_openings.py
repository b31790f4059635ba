"""What stays in memory and for how long, with an assistant that reads at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import NotAPolicy
from smallprint.http.desk import Desk
from smallprint.settings import Settings
from smallprint.web.layout import Layout
from smallprint.web.openings import MOST_OPEN, Openings, Pasted

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
def openings(tmp_path: Path, clock: Clock) -> Iterator[Openings]:
    desk = Desk(Assistant(Settings(home=tmp_path)))

    def draw(layout: Layout) -> str:
        return str(len(layout.parts))

    yield Openings(desk, draw, clock)
    desk.close()


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
