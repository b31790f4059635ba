"""What sentences say of a need, with the judge's stance given by hand."""

from __future__ import annotations

import pytest

from smallprint.index.stance import SentenceStance, stance_of
from smallprint.norms.needs import need_of
from smallprint.norms.saying import is_limited, meets, stance_on

LOCATION = "doesn't share my location with advertisers"


def said(need: str, text: str, *, judge: str = "yes") -> SentenceStance | None:
    stances = dict.fromkeys(("yes", "no", "choice", "mixed", "na"), 0.1) | {judge: 0.6}
    return stance_on(need_of(need), text, stance_of(text), stances)


@pytest.mark.parametrize(
    ("need", "text"),
    [
        (LOCATION, "We do not share your location with advertisers."),
        (LOCATION, "We never disclose your personal information to advertisers."),
        ("doesn't keep my IP address", "We do not log or store your IP address."),
        ("doesn't use cookies", "Our website does not use cookies or web beacons."),
        ("doesn't read my messages", "We do not read your outgoing or incoming mail, private chat, or messages."),
    ],
)
def test_a_plain_denial_is_one_though_the_judge_leans_to_yes(need: str, text: str) -> None:
    assert said(need, text) is SentenceStance.DOES_NOT


@pytest.mark.parametrize(
    ("need", "text"),
    [
        (LOCATION, "We share your location with advertisers."),
        (LOCATION, "We do not share your name, but we share your location with advertisers."),
        (LOCATION, "We share your location with advertisers without your consent."),
        (LOCATION, "We do not use location, yet we share your location with advertisers."),
        (LOCATION, "We will not share your payment card with advertisers."),
        ("doesn't use cookies", "We do not use cookies to collect personal information."),
        ("doesn't use cookies", "We do not use identifying cookies."),
        ("doesn't log the sites I visit", "We note the sites you visit even when you are not logged in."),
        ("doesn't use cookies", "We do not use cookies on our site that store your name."),
        ("doesn't keep my IP address", "The IP address is not stored, but we keep your IP address for a day."),
    ],
)
def test_what_does_not_deny_it_is_never_a_denial(need: str, text: str) -> None:
    assert said(need, text, judge="no") is not SentenceStance.DOES_NOT


def test_where_there_is_no_act_on_data_the_judge_must_agree() -> None:
    need, text = "doesn't make automated decisions about me", "We do not make automated decisions about you."
    assert said(need, text, judge="no") is SentenceStance.DOES_NOT
    assert said(need, text, judge="yes") is None


def test_what_is_done_is_told_by_the_claim_though_the_judge_leans_to_no() -> None:
    assert said(LOCATION, "We share your location with advertisers.", judge="no") is SentenceStance.DOES
    assert said("lets me delete my account", "You may delete your account.", judge="choice") is not None
    assert said("lets me delete my account", "You cannot delete your account.", judge="no") is SentenceStance.DOES_NOT


def test_a_sentence_must_be_about_all_that_is_needed() -> None:
    assert meets(need_of(LOCATION), "We do not share your location with advertisers.")
    assert meets(need_of(LOCATION), "We do not share your personal information with advertisers.")
    assert not meets(need_of(LOCATION), "We do not share your card number with advertisers.")
    assert not meets(need_of("stores passwords in encrypted form"), "We store card numbers in encrypted form.")


def test_the_usual_exceptions_are_not_the_contrary() -> None:
    sale = "Should we sell or merge the company, we may disclose personal data to the purchaser."
    assert said("doesn't sell my data", sale) is None
    assert said("doesn't sell my data", "We may sell your personal data to brokers.") is SentenceStance.DOES


@pytest.mark.parametrize(
    ("need", "text", "limited"),
    [
        (LOCATION, "We do not share your location with advertisers.", False),
        (LOCATION, "We do not share your location with advertisers, except as described below.", True),
        ("doesn't collect data from children", "We do not knowingly collect data from children.", True),
        ("emails me about changes", "We may email you about changes.", True),
        ("emails me about changes", "We will email you about changes.", False),
    ],
)
def test_limits(need: str, text: str, limited: bool) -> None:
    assert is_limited(need_of(need), text) is limited
