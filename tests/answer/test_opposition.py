from __future__ import annotations

import pytest

from smallprint.answer.opposition import contradiction, opposition

CONTRADICTIONS = [
    ("We do not collect your location.", "We collect your location every hour."),
    ("We never share your personal information with anyone.", "We share your email address with our partners."),
    ("Payment card numbers are never stored.", "We store your card number for a year."),
    ("We will not rent your data to third parties.", "We may sell your personal information to data brokers."),
    ("We do not use cookies.", "We use cookies to remember you."),
    ("We don't keep any information about you.", "We retain your personal data for two years."),
]
NONE = [
    ("We never sell your data.", "We share your data with our partners."),
    ("We do not share your data except as set out below.", "We share your data with our partners."),
    ("We do not share your personal data with anyone.", "We may disclose your personal data to comply with the law."),
    ("We do not collect your location.", "We collect your email address."),
    ("We do not collect personal data.", "Advertisers may collect your personal data."),
    ("We do not collect personal data from children.", "We collect personal data about our users."),
    ("We do not use cookies to identify you.", "We use cookies to remember you."),
    ("We do not store your card number.", "If you choose to, we store your card number for you."),
    ("We do not share personal information.", "We share anonymous statistics and usage data with our partners."),
    ("We sell your data.", "We share your data."),
]


@pytest.mark.parametrize(("denying", "affirming"), CONTRADICTIONS)
def test_the_same_act_on_the_same_data_denied_and_affirmed(denying: str, affirming: str) -> None:
    found = contradiction(denying, affirming, 0)
    assert found
    assert found.denial.denied
    assert not found.affirmation.denied
    assert contradiction(affirming, denying, 0) is None


@pytest.mark.parametrize(("denying", "affirming"), NONE)
def test_limits_other_acts_other_data_and_other_actors_are_no_contradictions(denying: str, affirming: str) -> None:
    assert contradiction(denying, affirming, 0) is None
    assert contradiction(affirming, denying, 0) is None


def test_limits_are_counted() -> None:
    found = opposition("We do not share your data except with your consent.", "We share your data with the police.")
    assert found
    assert found.closeness == 1
    assert found.limits >= 3


def test_what_is_not_shared_is_not_sold_but_nearly() -> None:
    found = opposition("We do not share your personal data.", "We sell your personal data.")
    assert found
    assert found.closeness == 0.5


def test_the_reason_names_act_and_data() -> None:
    found = contradiction("We do not store card numbers.", "We keep your card number on file.", 0)
    assert found
    assert found.reason == (
        "The first says it does not keep card details, the second says it does; neither limits the other."
    )
