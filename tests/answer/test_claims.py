from __future__ import annotations

import pytest

from smallprint.answer.claims import Claim, claims_of, lists


def only(text: str) -> Claim:
    (claim,) = claims_of(text)
    return claim


@pytest.mark.parametrize(
    ("text", "act", "denied", "actor", "thing"),
    [
        ("We never sell your personal information.", "sell", True, "we", "personal"),
        ("Your location is not tracked.", "track", True, "", "location"),
        ("We may keep your card number on file.", "keep", False, "we", "card"),
        ("We store no email addresses at all.", "keep", True, "we", "email"),
        ("At no time will we sell your data.", "sell", True, "we", "personal"),
        ("Advertisers may collect your IP address.", "collect", False, "others", "ip"),
        ("Sites that we do not run may collect personal data.", "collect", False, "we", "personal"),
    ],
)
def test_who_does_what_with_which_data(text: str, act: str, denied: bool, actor: str, thing: str) -> None:
    claim = only(text)
    assert (claim.act, claim.denied, claim.actor) == (act, denied, actor)
    assert thing in claim.things


def test_a_denial_reaches_over_a_list_of_acts_and_stops_at_but() -> None:
    claims = claims_of("We do not sell, rent or otherwise disclose your data but keep your email address.")
    assert [(c.act, c.denied) for c in claims] == [("sell", True), ("sell", True), ("share", True), ("keep", False)]


@pytest.mark.parametrize(
    "text",
    [
        "Do you sell my personal information?",
        "Sharing your personal information",
        "Data collected by the app stays on your phone.",
        "Your use of the site is up to you.",
        "We work hard to provide a good service.",
        "We provide you with a copy of your personal data.",
    ],
)
def test_what_is_no_claim(text: str) -> None:
    assert claims_of(text) == ()


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("We do not share your data unless the law requires it.", "exception"),
        ("We do not knowingly collect personal information.", "knowing"),
        ("We do not share your data for marketing.", "purpose"),
        ("We do not collect personal information from children.", "children"),
        ("We do not share your personal information with Acme.", "recipient"),
        ("The log file does not store personal information.", "subject"),
    ],
)
def test_what_narrows_a_denial(text: str, limit: str) -> None:
    assert limit in only(text).narrows


def test_a_plain_denial_is_not_narrow() -> None:
    assert not only("We do not share your personal information with anyone.").narrows


@pytest.mark.parametrize(
    ("text", "excuse"),
    [
        ("We share your data with the police.", "law"),
        ("We share your data with vendors that work for us.", "helpers"),
        ("We share aggregate data about our users.", "nameless"),
        ("We explain how we share your data.", "told"),
        ("We share your data if you agree to it with your consent.", "consent"),
    ],
)
def test_what_excuses_an_affirmation(text: str, excuse: str) -> None:
    assert excuse in only(text).excuses


def test_every_list_has_entries_and_a_page_without_full_stops_is_cut() -> None:
    assert all(lists().words.values())
    assert set(lists().acts.values()) == {"sell", "share", "collect", "keep", "use", "track"}
    assert len(claims_of("we sell your data and " * 100_000)) < 200
