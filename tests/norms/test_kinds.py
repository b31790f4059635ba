from __future__ import annotations

import pytest

from smallprint.norms.aligning import Difference, Side
from smallprint.norms.kinds import breaks_a_promise, kind_of
from smallprint.norms.wording import Statement, words_of
from smallprint.records import ChangeKind

NONE = dict.fromkeys(("first", "third", "user_choice", "user_access", "datasecurity"), 0.0)
DONE = NONE | {"third": 0.9}
THEIRS = NONE | {"user_choice": 0.9}


def differing(sentence: str, went: str, came: str) -> Difference:
    """The sentence with `went` and with `came` in the place of the gap."""
    before = len(words_of(sentence.partition("_")[0]).bare)
    sides = []
    for words in (went, came):
        text = sentence.replace("_", words)
        count = len(words_of(words).bare)
        statement = Statement(text, words_of(text))
        sides.append(Side(statement, before, before + count, (0, len(statement))))
    return Difference(sides[0], sides[1], 0.9)


@pytest.mark.parametrize(
    ("sentence", "went", "came", "values", "kind"),
    [
        ("We _ share your location.", "will not", "may", DONE, "weakened"),
        ("We share your name, _ with partners.", "", "location,", DONE, "weakened"),
        ("We collect your name _.", "and frequent flyer numbers", "", DONE, "dropped"),
        ("We share data _ for ads.", "with our own shops only", "", DONE, "weakened"),
        ("We collect data. _", "", "acme also collects what you say to other people", DONE, "added"),
        ("You may opt out _.", "", "of ads and of sales to others", THEIRS, "strengthened"),
        ("You may opt out of _ mails.", "", "marketing", THEIRS, "weakened"),
        ("You may opt out of cookies _.", "by Acme Ads", "", THEIRS, "strengthened"),
        ("We store _ files.", "your", "your encrypted", DONE, "strengthened"),
        ("We never sell data _.", "except to banks", "", DONE, "strengthened"),
        ("Our officer is _.", "Ann Lee", "Ben Roy", NONE, "changed"),
    ],
)
def test_kinds(sentence: str, went: str, came: str, values: dict[str, float], kind: str) -> None:
    assert kind_of(differing(sentence, went, came), values) is ChangeKind(kind)


def test_what_one_version_alone_has_was_added_or_dropped() -> None:
    both = differing("We _ share your location.", "will not", "may")
    assert kind_of(Difference(None, both.new), DONE) is ChangeKind.ADDED
    assert kind_of(Difference(both.old, None), DONE) is ChangeKind.DROPPED


def test_a_denial_that_went_breaks_a_promise() -> None:
    assert breaks_a_promise(differing("We _ share your location.", "will not", "may"))
    assert not breaks_a_promise(differing("We _ share your location.", "may", "will not"))
    assert not breaks_a_promise(differing("We _ share your location.", "never", "do not"))
