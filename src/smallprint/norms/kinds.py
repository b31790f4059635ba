"""Of which kind a change that matters is, by rule.

The rules were written on the 99 labelled differences inside sentences of `changes/pairs`, where fitted weights over
thirty cues did no better than always saying "weakened" (right for .44 to .52 of them, and .51).
"""

from __future__ import annotations

from collections.abc import Mapping

from smallprint.norms.aligning import Difference
from smallprint.norms.lists import lists
from smallprint.norms.periods import Way, way_of
from smallprint.records import ChangeKind

# From this chance on a sentence is about what people may do or what keeps data safe; below the other one about no
# practice at all.
_THEIRS = 0.8
_NO_PRACTICE = 0.15
# Words that went, or came, and are a statement of their own and no mere part of one.
_OWN_WENT = 3
_OWN_CAME = 7
# Words that make more of a choice; fewer rather narrow it ("marketing emails").
_MORE = 4
_OF_A_PERIOD = {
    Way.LONGER: ChangeKind.WEAKENED,
    Way.SHORTER: ChangeKind.STRENGTHENED,
    Way.OTHER: ChangeKind.CHANGED,
}


def kind_of(difference: Difference, values: Mapping[str, float]) -> ChangeKind:
    """A statement that only one version has was added or dropped. Inside one that both have, words that widen or narrow
    it mostly weaken it: more is done with data, or a limit went. More of what people may do is better for them; and
    where no practice is spoken of, something only changed."""
    went, came = difference.went, difference.came
    if not difference.old or (not went and len(came) >= _OWN_CAME and not _joins(came)):
        return ChangeKind.ADDED
    if not difference.new or (not came and len(went) >= _OWN_WENT and not _qualifies(went)):
        return ChangeKind.DROPPED
    if way := way_of(difference):
        return _OF_A_PERIOD[way]
    theirs = max(values[name] for name in ("user_choice", "user_access", "datasecurity"))
    done = max(values["first"], values["third"])
    if _safer(difference) or (theirs >= _THEIRS > done and _more(difference)):
        return ChangeKind.STRENGTHENED
    return ChangeKind.CHANGED if max(theirs, done) < _NO_PRACTICE else ChangeKind.WEAKENED


def breaks_a_promise(difference: Difference) -> bool:
    """Words that deny or limit went, and none came."""
    words = lists().lists["denial"] | lists().lists["limit"]
    return not words.isdisjoint(difference.went) and words.isdisjoint(difference.came)


def _qualifies(words: tuple[str, ...]) -> bool:
    """Words that begin so say more about others: "such as", "with", "via"."""
    return words[0] in lists().qualifying


def _joins(words: tuple[str, ...]) -> bool:
    return words[0] in ("and", "or") or _qualifies(words)


def _safer(difference: Difference) -> bool:
    """More words of safety, or an exception to a promise that went."""
    words = lists()
    went, came = set(difference.went), set(difference.came)
    assert difference.new
    promises = not words.lists["denial"].isdisjoint(difference.new.statement.words.bare)
    return len(words.lists["security"] & came) > len(words.lists["security"] & went) or (
        promises and bool(words.exceptions & went) and not words.exceptions & came
    )


def _more(difference: Difference) -> bool:
    """What people may do has grown, or lost what narrowed it."""
    went, came = len(difference.went), len(difference.came)
    return not came or (came >= _MORE and came > 1.5 * went)
