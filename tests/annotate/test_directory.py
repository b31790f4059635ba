from __future__ import annotations

import pytest

from smallprint.annotate.directory import Directory

SHOP = "lamps.example"
BOTH = "clinicshop.example"
SMALL = Directory.of([SHOP, BOTH], [{"shopping"}, {"health", "shopping"}])


def test_sections_are_told_by_how_they_differ_from_the_average() -> None:
    # health .25 and shopping .75 on average
    assert SMALL.sections(SHOP).tolist() == pytest.approx([-0.25, 0.25])
    assert SMALL.sections(BOTH).tolist() == pytest.approx([0.25, -0.25])


def test_a_domain_that_is_not_listed_says_nothing() -> None:
    assert not SMALL.lists("other.example")
    assert SMALL.sections("other.example").tolist() == [0, 0]
    assert SMALL.sections("").tolist() == [0, 0]
    assert SMALL.sections("zz.example").shape == (2,)


def test_spelling_does_not_matter() -> None:
    assert SMALL.lists(f"www.{SHOP.upper()}")
