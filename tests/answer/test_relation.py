from __future__ import annotations

import pytest

from smallprint.answer.relation import RELATIONS, Said, features, shipped

NEVER, SELLS = Said("We never sell your personal information."), Said("We sell your personal information to brokers.")
LAW = Said("We may disclose your personal information where the law requires it.", "Sharing")
PARTIES = Said("We do not share your personal information with third parties unless you agree.", "Sharing")
ADDRESS = Said("Our office is open on weekdays.", "Contact")


def test_a_contradiction_has_no_limits_and_no_order() -> None:
    assert shipped().label(NEVER, SELLS, 0.9) == "contradiction"
    assert shipped().label(SELLS, NEVER, 0.9) == "contradiction"


def test_exceptions_qualify_and_strangers_are_unrelated() -> None:
    assert shipped().label(PARTIES, LAW, 0.75) == "qualified"
    assert shipped().label(LAW, ADDRESS, 0.1) == "unrelated"


def test_chances_sum_to_one_and_know_no_order() -> None:
    chances = shipped().chances(PARTIES, LAW, 0.6)
    assert set(chances) == set(RELATIONS)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-5)
    assert chances == pytest.approx(shipped().chances(LAW, PARTIES, 0.6), abs=1e-5)


def test_weights_and_code_name_the_same_features() -> None:
    """Word features that no sentence holds are nought; all others are always there."""
    named = {name for name in shipped().linear.features if not name.startswith("word ")}
    assert named <= set(features(PARTIES, LAW, 0.5))


def test_unseen_pairs_are_unseen() -> None:
    assert shipped().seen_share([(NEVER.text, SELLS.text)]) == 0
    assert shipped().seen_share([]) == 0
