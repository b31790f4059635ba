"""What a sentence claims: who does what with which data, and what narrows or excuses it. Words alone, no model.

A claim is read around a verb: to its left stand who acts and whether it is denied, on both sides the data. The lists
are in `claims.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from smallprint.segment.stems import stem

_TOKEN = re.compile(r"[a-z0-9][a-z0-9'/-]*|[,;:.()]")
_PART = re.compile(r"(?<=[.;])(?=\s|[A-Z])\s*")
# How far from its verb a denial or an actor may stand, and how far the data, in words: lists of acts are long.
_REACH = 16
_NEAR = 9
# Characters read of a sentence; what is longer is a list or a page without full stops.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Claim:
    """`actor` is "we", "others" or "" where nobody is named; `things` are the kinds of data near the verb, `narrows`
    and `excuses` the kinds of words around it that limit what is denied or affirmed, `tools` what it is done with."""

    act: str
    denied: bool
    actor: str
    things: frozenset[str]
    narrows: frozenset[str]
    excuses: frozenset[str]
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lists:
    """`words`: name → words; `acts`: stem → act; the others: name → pattern."""

    words: Mapping[str, frozenset[str]]
    acts: Mapping[str, str]
    things: Mapping[str, re.Pattern[str]]
    narrows: Mapping[str, re.Pattern[str]]
    excuses: Mapping[str, re.Pattern[str]]
    anyone: re.Pattern[str]
    tools: re.Pattern[str]


@cache
def lists() -> Lists:
    stored = tomllib.loads(files("smallprint.answer").joinpath("claims.toml").read_text("utf-8"))
    acts = {stem(word): act for act, found in stored["acts"].items() for word in found}
    patterns = {
        name: {key: re.compile(pattern) for key, pattern in stored[name].items()}
        for name in ("things", "narrows", "excuses")
    }
    words = {name: frozenset(found) for name, found in stored["words"].items()}
    return Lists(words, acts, **patterns, anyone=re.compile(stored["anyone"]), tools=re.compile(stored["tools"]))


@lru_cache(maxsize=4096)
def claims_of(text: str) -> tuple[Claim, ...]:
    """Questions claim nothing."""
    parts = (part.strip().lower().replace("’", "'").replace("n't", " not") for part in _PART.split(text[:_LONGEST]))
    return tuple(claim for part in parts if not part.endswith("?") for claim in _claims(part))


def things_in(text: str) -> frozenset[str]:
    """Kinds of data; `unnamed` only where no other kind is named."""
    found = _found(lists().things, text)
    return found - {"unnamed"} or found


def _found(patterns: Mapping[str, re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in patterns.items() if pattern.search(text))


def _claims(part: str) -> list[Claim]:
    tokens = _TOKEN.findall(part)
    acts, words = lists().acts, lists().words
    places = [n for n, token in enumerate(tokens) if stem(token) in acts and not _is_no_act(tokens, n)]
    if not places:
        return []
    narrows, excuses = _found(lists().narrows, part), _found(lists().excuses, part)
    tools = frozenset(lists().tools.findall(part))
    claims = []
    for place in places:
        act = acts[stem(tokens[place])]
        denied, actor, start = _left_of(tokens, place)
        after = _until_break(tokens[place + 1 : place + 1 + _NEAR])
        denied = denied or any(word in words["none_after"] for word in after[:2])
        if not denied and tokens[place] in words["gives"] and "to" not in after and "with" not in after:
            continue
        given_to = [] if after[:1] == ["to"] and not denied else after  # "handed to the address": who, not what
        things = things_in(" ".join(given_to)) or things_in(" ".join(tokens[max(0, start - 5) : place]))
        narrow = narrows | _narrow(tokens, place, act, actor)
        claims.append(Claim(act, denied, actor, things, narrow, excuses, tools))
    return claims


def _narrow(tokens: list[str], place: int, act: str, actor: str) -> frozenset[str]:
    """A denial about one recipient, one purpose, or something else than the speaker ("the log file does not …")."""
    found = set()
    after = " ".join(tokens[place + 1 :])
    if act in ("share", "sell") and re.search(r"\b(?:to|with)\b", after) and not lists().anyone.search(after):
        found.add("recipient")
    if act == "use" and re.search(r"\b(?:to|for|in|with)\b", after):
        found.add("purpose")
    if act == "use" and not after.startswith(("cookies", "any cookies")):
        found.add("part")
    if not actor and tokens[0] in ("a", "an", "the") and tokens[1:2] not in (["company"], ["website"], ["site"]):
        found.add("subject")
    return frozenset(found)


def _is_no_act(tokens: list[str], place: int) -> bool:
    """A noun ("your use of"), a participle ("the data collected by"), a purpose ("to provide"), or something done for
    you ("provide you with")."""
    words = lists().words
    token, before, after = tokens[place], tokens[max(0, place - 12) : place], tokens[place + 1 : place + 4]
    last = before[-1] if before else ""
    auxiliary = words["auxiliaries"].intersection(before if last in ("and", "or") else before[-4:])
    noun = last in words["owners"] or not words["nouns_after"].isdisjoint(after[:1]) or token.endswith(("ion", "ions"))
    participle = token.endswith("ed") and (last in words["data"] or not auxiliary)
    gerund = token.endswith("ing") and last not in words["auxiliaries"]
    purpose = last == "to" and before[-2:-1] not in (["not"], ["never"], ["continue"])
    for_you = lists().acts[stem(token)] == "share" and not words["for_you"].isdisjoint(after)
    by_others = after[:1] == ["by"] and after[1:2] not in (["us"], ["our"])
    return noun or participle or gerund or purpose or for_you or by_others


def _left_of(tokens: list[str], place: int) -> tuple[bool, str, int]:
    """Whether the act is denied, who acts, and where its clause starts."""
    words = lists().words
    denied = moved_on = False
    for left in range(place - 1, max(-1, place - _REACH - 1), -1):
        word = tokens[left]
        # "Sites that we do not run may collect": what stands before the modal verb denies something else.
        denied = denied or word in words["no_data" if moved_on else "denies"]
        moved_on = moved_on or word in words["modals"]
        if word in ("we", "us"):
            turned = tokens[left - 1 : left] and tokens[left - 1] in words["turned"]  # "never will we"
            return denied or bool(turned and words["denies"].intersection(tokens[max(0, left - 5) : left])), "we", left
        if word in words["others"] and not _is_recipient(tokens, left):
            return denied, "others", left
        if word in words["breaks"]:
            return denied, "", left + 1
    return denied, "", max(0, place - _REACH)


def _is_recipient(tokens: list[str], place: int) -> bool:
    """Who gets something ("to third parties") does not act."""
    return any(word in ("to", "with", "from", "by", "about", "of") for word in tokens[max(0, place - 3) : place])


def _until_break(tokens: list[str]) -> list[str]:
    breaks = lists().words["breaks"]
    return tokens[: next((n for n, word in enumerate(tokens) if word in breaks), len(tokens))]
