"""Near-duplicates: across services only, the newest kept, the others remembered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from library_helpers import at, policy, raw

from smallprint.library import Annotation, Arrival, Library
from smallprint.library.folding import SLOTS, THRESHOLD, similarity
from smallprint.records import Facets

BASE = [random.Random(1).randrange(65536) for _ in range(SLOTS)]


def signature(changed: int = 0, start: int = 0) -> bytes:
    """The base signature with some slots changed, from `start` on."""
    slots = list(BASE)
    for n in range(changed):
        slots[(start + n) % SLOTS] ^= 1
    return b"".join(slot.to_bytes(2, "little") for slot in slots)


def arrival(name: str, year: int, sign: bytes | None = None) -> Arrival:
    return Arrival(
        key=f"{name} {year}".encode(),
        policy=policy(f"{name} {year}."),
        annotation=Annotation(Facets(), "m"),
        signature=signature() if sign is None else sign,
        name=name,
        seen=datetime(year, 1, 1, tzinfo=UTC),
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(at(tmp_path)) as library:
        yield library


def take(library: Library, *arrivals: Arrival) -> None:
    library.intake("test").take(arrivals)


def shown(library: Library) -> dict[str, tuple[str, ...]]:
    """The versions an index would hold, each with those below it."""
    return {f"{s.name} {s.seen[:4]}": s.others for s in library.shelved(range(1, 30))}


def pending(library: Library) -> dict[int, str]:
    return {p.version: p.op for p in library.pending(99)}


def test_similarity_is_the_share_of_equal_slots() -> None:
    assert similarity(signature(), signature()) == 1
    assert similarity(signature(), signature(32)) == 0.75


def test_the_newest_is_kept_in_whatever_order_they_come(library: Library) -> None:
    take(library, arrival("A", 2020), arrival("B", 2022), arrival("C", 2021))
    assert shown(library) == {"B 2022": ("A", "C")}
    assert pending(library) == {1: "delete", 2: "upsert", 3: "delete"}


def test_between_equals_the_first_stays(library: Library) -> None:
    take(library, arrival("A", 2020), arrival("B", 2020))
    assert shown(library) == {"A 2020": ("B",)}


def test_versions_of_one_service_are_never_folded(library: Library) -> None:
    take(library, arrival("A", 2020), arrival("A", 2021), arrival("A", 2022))
    assert len(shown(library)) == 3


def test_what_differs_more_is_not_folded(library: Library) -> None:
    few = int((1 - THRESHOLD) * SLOTS)
    take(library, arrival("A", 2020), arrival("B", 2021, signature(few + 1)))
    assert len(shown(library)) == 2
    take(library, arrival("C", 2019, signature(few, start=64)))
    assert shown(library) == {"A 2020": ("C",), "B 2021": ()}


def test_a_chain_of_small_steps_does_not_drift(library: Library) -> None:
    take(library, arrival("A", 2020), arrival("B", 2021, signature(10)), arrival("C", 2022, signature(20)))
    assert shown(library) == {"A 2020": (), "C 2022": ("B",)}
    take(library, arrival("D", 2023, signature(1)))
    assert shown(library)["D 2023"] == ("A",)


@pytest.mark.parametrize("erase", [False, True])
def test_when_the_kept_one_goes_the_others_stand_for_themselves(library: Library, erase: bool, tmp_path: Path) -> None:
    take(library, arrival("A", 2020), arrival("B", 2021))
    library.forget("B") if erase else library.remove("B")
    assert shown(library) == {"A 2020": ()}
    assert pending(library)[1] == "upsert"
    take(library, arrival("C", 2022))
    assert shown(library) == {"C 2022": ("A",)}
    if erase:
        with raw(tmp_path) as db:
            assert db.execute("SELECT count(DISTINCT version) FROM bands").fetchone() == (1,)


def test_a_removed_service_keeps_nobody(library: Library) -> None:
    take(library, arrival("A", 2022))
    library.remove("A")
    take(library, arrival("B", 2020))
    assert shown(library) == {"B 2020": ()}
    assert library.restore() == "A"
    assert len(shown(library)) == 2


def test_a_folded_policy_can_still_be_read_by_its_name(library: Library) -> None:
    take(library, arrival("A", 2020), arrival("B", 2021))
    assert library.get("A").text.endswith("A 2020.")
