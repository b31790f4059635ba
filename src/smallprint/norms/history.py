"""How a policy changed over all its versions, and when something first stood in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording, sentences_of, words_of
from smallprint.records import Change, History, Policy, Revision


@dataclass(frozen=True, slots=True)
class Dated:
    """A version with its day (`2024-03-01`)."""

    day: str
    policy: Policy


@cache
def _mind() -> Mind:
    return Mind(shipped_reader())


@lru_cache(maxsize=64)
def wording_of(policy: Policy) -> Wording:
    return Wording([policy.text[block.start : block.end] for block in policy.blocks])


@lru_cache(maxsize=256)
def between(old: Policy, new: Policy) -> Revision:
    """What changed from one text to another; a page that is looked at again costs nothing."""
    return revision(wording_of(old), wording_of(new), _mind(), shipped())


def forget() -> None:
    """What is kept for the next look holds texts of policies."""
    for kept in (wording_of, between, words_of, sentences_of, _mind):
        kept.cache_clear()


def history(
    service: str, versions: Sequence[Dated], since: str = "", progress: Callable[[int, int], None] = lambda *_: None
) -> History:
    """All revisions from the day `since` on ("2024" will do), newest first."""
    wordings = [wording_of(version.policy) for version in versions]
    days = [version.day for version in versions]
    steps = [n for n in range(1, len(versions)) if days[n] >= since]
    revisions = []
    for done, n in enumerate(steps):
        progress(done, len(steps))
        found = between(versions[n - 1].policy, versions[n].policy)
        changes = tuple(_dated(change, wordings[:n], days) for change in found.changes)
        revisions.append(replace(found, before=days[n - 1], after=days[n], changes=changes))
    return History(service, tuple(days), tuple(reversed(revisions)))


def first_seen(versions: Sequence[Dated], words: str) -> tuple[str, ...]:
    """The days on which these words came into the policy, went out of it, came back …; empty where never in it."""
    line = words_of(words).line
    stands = [bool(line.strip()) and line in wording_of(version.policy).row for version in versions]
    turns = [
        now.day for now, (before, after) in zip(versions, pairwise((False, *stands)), strict=True) if before != after
    ]
    return tuple(turns)


def _dated(change: Change, before: Sequence[Wording], days: Sequence[str]) -> Change:
    """With the day since which the old words stood."""
    if not change.old:
        return change
    line = words_of(change.old).line
    first = len(before)
    while first > 0 and line in before[first - 1].row:
        first -= 1
    return replace(change, since=days[first]) if first < len(before) else change
