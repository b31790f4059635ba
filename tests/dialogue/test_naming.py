from __future__ import annotations

import pytest

from smallprint.dialogue.naming import Fit, closest, fitting, wanted

NAMES = ("Northwind Bank", "Northway Travel", "Owlglass", "Larkhaven Home & Garden", "Plazaly", "Quietlane VPN")


def fit(said: str, names: tuple[str, ...] = NAMES) -> Fit:
    wish = wanted(said)
    return Fit((), False) if wish is None else fitting(wish, names)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("now Northwind Bank", "Northwind Bank"),
        ("Northwind Bank", "Northwind Bank"),
        ("northwind", "Northwind Bank"),
        ("ok switch to Owlglass please", "Owlglass"),
        ("let's talk about the Plazaly privacy policy", "Plazaly"),
        ("what about Quietlane?", "Quietlane VPN"),
        ("now northwnd bank", "Northwind Bank"),
        ("switch to owlglas", "Owlglass"),
        ("open Larkhaven’s policy", "Larkhaven Home & Garden"),
        ("switch to garden", "Larkhaven Home & Garden"),
        ("go back to plazaly", "Plazaly"),
    ],
)
def test_a_policy_is_found_by_its_name(said: str, name: str) -> None:
    assert fit(said) == Fit((name,), True)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("now north", ()),
        ("owlglas", ("Owlglass",)),  # a bare name with a slip may be no name
        ("what about garden", ("Larkhaven Home & Garden",)),
        ("garden", ()),
        ("what about children?", ()),
        ("now the weather", ()),
    ],
)
def test_what_may_be_something_else_is_not_taken_for_a_name(said: str, names: tuple[str, ...]) -> None:
    assert fit(said) == Fit(names, False)


def test_where_two_fit_neither_is_taken() -> None:
    two = ("Acme Bank", "Acme Shop", "Zenith")
    assert fit("now Acme", two) == Fit(("Acme Bank", "Acme Shop"), False)
    assert fit("switch to acme shpo", two) == Fit(("Acme Shop",), True)
    assert fit("now Acme", (*two, "Acme")) == Fit(("Acme",), True)


def test_long_sentences_hold_no_name() -> None:
    assert wanted("do you share what I write about Northwind Bank with anybody who asks for it") is None
    assert wanted("  ") is None


def test_the_closest_names_are_offered() -> None:
    assert closest("plazza", NAMES, 1) == ("Plazaly",)
    assert closest("x", (), 3) == ()
