from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import pair_key, revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording, sentences_of, words_of
from smallprint.records import Change, ChangeKind, Revision

MIND = Mind(shipped_reader())
OLD = [
    "Last updated: 4 May 2021",
    "We collect your name, your email address and your phone number when you open an account. You need no account to "
    "read our pages.",
    "We will not share your location with advertisers. We share your email address with the shops you buy from.",
    "You may delete your account at any time in your settings. We then erase your photos within thirty days.",
    "We use cookies to keep you signed in. You can block them in your browser.",
    "If you have questions about this policy, write to our office in Bristol.",
]
NEW = [
    "Last updated: 9 June 2024",
    "We collect your name, your email address and your phone number when you open an account. You need no account to "
    "read our pages.",
    "We may share your location with advertisers. We share your email address with the shops you buy from.",
    "You may delete your account at any time in your settings. We then erase your photos within thirty days.",
    "We use cookies to keep you signed in. You can block them in your browser.",
    "Our advertising partners collect information about your visits to other sites and combine it with your profile.",
    "If you have questions about this policy, write to our office in Leeds.",
]


def compared(old: list[str], new: list[str]) -> Revision:
    return revision(Wording(old), Wording(new), MIND, shipped())


def essence(found: Revision) -> set[tuple[ChangeKind, tuple[str, ...], tuple[str, ...]]]:
    return {(c.kind, words_of(c.old).bare, words_of(c.new).bare) for c in found.changes}


def of(found: Revision, words: str) -> Change:
    (change,) = [c for c in (*found.changes, *found.quiet) if words in c.old + c.new]
    return change


def test_a_broken_promise_is_weaker() -> None:
    change = of(compared(OLD, NEW), "with advertisers")
    assert change.kind is ChangeKind.WEAKENED
    assert change.old == "We will not share your location with advertisers."
    assert change.new == "We may share your location with advertisers."
    assert change.category == "third"
    assert change.severity >= 1
    assert change.summary == "Weaker: “will not” became “may”"


def test_a_new_practice_is_added_and_an_old_one_dropped() -> None:
    assert of(compared(OLD, NEW), "advertising partners").kind is ChangeKind.ADDED
    gone = of(compared(NEW, OLD), "advertising partners")
    assert (gone.kind, gone.new) == (ChangeKind.DROPPED, "")
    assert gone.summary.startswith("No longer says: “Our advertising partners")


def test_dates_and_addresses_are_housekeeping() -> None:
    found = compared(OLD, NEW)
    dates = [c.kind for c in (*found.changes, *found.quiet) if "Last updated" in c.old + c.new]
    assert set(dates) == {ChangeKind.HOUSEKEEPING}
    assert not of(found, "our office").kind.matters


def test_hollow_words_do_not_matter() -> None:
    sentence = "{} you may opt out of the sale of your personal information to our advertising partners."
    found = compared([sentence.format("However,")], [sentence.format("Please note that")])
    assert found.changes == ()
    assert [change.kind for change in found.quiet] == [ChangeKind.REWORDED]


def test_quotes_are_exact() -> None:
    found = compared(OLD, NEW)
    for change in (*found.changes, *found.quiet):
        assert change.old in "\n".join(OLD)
        assert change.new in "\n".join(NEW)


def test_moved_paragraphs_are_counted() -> None:
    found = compared(OLD, [OLD[0], *OLD[2:5], OLD[1], OLD[5]])
    assert (found.changes, found.quiet, found.moved) == ((), (), 1)


def test_one_name_for_another_in_many_places_is_told_once() -> None:
    old = [f"You can ask {name} about your data when you use Acme Mail to write." for name in ("Ann", "Ben", "Cid")]
    found = compared(old, [line.replace("Acme Mail", "Acme Post") for line in old])
    assert len((*found.changes, *found.quiet)) == 1


def transformed(paragraphs: list[str], seed: int) -> list[str]:
    """Reflowed at the ends of sentences, numbered, and in another order."""
    dice = random.Random(seed)
    parts: list[str] = []
    for paragraph in paragraphs:
        if dice.random() < 0.5:
            parts += sentences_of(paragraph)
        elif parts and parts[-1].endswith(".") and dice.random() < 0.3:
            parts[-1] = f"{parts[-1]} {paragraph}"
        else:
            parts.append(paragraph)
    if dice.random() < 0.5:
        dice.shuffle(parts)
    return [f"{number}. {part}" if dice.random() < 0.5 else part for number, part in enumerate(parts, 1)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_changes_are_the_same_when_text_is_reflowed_renumbered_or_moved(seed: int) -> None:
    assert essence(compared(OLD, transformed(NEW, seed))) == essence(compared(OLD, NEW))
    assert essence(compared(transformed(OLD, seed), NEW)) == essence(compared(OLD, NEW))
    same = compared(OLD, transformed(OLD, seed))
    assert (same.changes, same.quiet) == ((), ())


def test_seen_pairs_are_known() -> None:
    weights = replace(shipped(), seen=frozenset({pair_key(OLD, NEW)}))
    assert weights.seen_share([(OLD, NEW), (NEW, OLD)]) == 0.5
    assert weights.seen_share([]) == 0


@pytest.mark.parametrize("text", ["", "|||", "\x00", "a" * 10_000, "We " * 5_000])
def test_anything_can_be_compared(text: str) -> None:
    compared([text], OLD)
    compared(OLD, [text, ""])
