"""What a sentence says of a practice that someone needs: that it is done, that it is not, or neither.

A policy is listed as "doesn't" for one sentence, so every part of it must agree: its wording, its claims, the marker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from smallprint.answer.claims import Claim, claims_of, lists, things_in
from smallprint.answer.opposition import covers
from smallprint.index.stance import SentenceStance
from smallprint.norms.needs import Need, hedges, missing
from smallprint.retrieve.lexical import terms

_LIMITS: Final = frozenset(
    {"exception", "consent", "only", "law", "children", "place", "knowing", "purpose", "recipient", "part"}
)
_ANY_DATA: Final = frozenset({"unnamed", "about"})
_USES: Final = frozenset({"to", "for", "that", "which", "of", "requiring"})
_EXCUSED: Final = frozenset({"company", "law", "nameless"})
_REACH: Final = 7  # words from a denial to what it denies
_NEXT: Final = 4  # words in which what is used is told what for
_SIGNING_IN: Final = re.compile(r"\blog(?:ged|ging)?[ -](?:in|into|on|out|off)\b", re.IGNORECASE)  # keeps nothing
_WORD: Final = re.compile(r"[a-z0-9]+")
# What is denied denies these too.
_COVERS: Final = {"share": {"share", "sell"}, "collect": {"collect", "keep"}}


def stance_on(need: Need, text: str, wording: SentenceStance, said: Mapping[str, float]) -> SentenceStance | None:
    """What the sentence says of the practice; None where its parts do not agree. `said` are the marker's chances.

    Where the need is an act on data, the claims of the sentence decide: asked "do you keep my IP address?", the marker
    leans to yes whatever the sentence says. Elsewhere the marker must agree, and the denial stand by what is needed.
    """
    if wording is SentenceStance.DOES_NOT:
        if need.claims:
            return wording if _denies_the_act(need, text) else None
        agreed = said["no"] > max(said["yes"], said["choice"]) and _denies_nearby(need, text)
        return wording if agreed else None
    claims = _same_act(need, text)
    if any(claim.denied for claim in claims) or _denies_nearby(need, text):
        return None
    if claims and all(claim.excuses & _EXCUSED for claim in claims):  # "should we sell the company, we may share"
        return None
    agreed = said["no"] <= max(said["yes"], said["choice"], said["mixed"])
    return wording if agreed or any(_fits(need, claim, text) for claim in claims) else None


def meets(need: Need, text: str) -> bool:
    """Whether the sentence is about all that the need is about. A claim may be broader by one concept: "no personal
    information" is no location, and "with anyone" is also with advertisers."""
    left = missing(need, text)
    broader = bool(_things(need)) and any(_fits(need, claim, text) for claim in _same_act(need, text))
    return not left or (len(left) == 1 and broader)


def is_limited(need: Need, text: str) -> bool:
    """Words around it narrow what it says: "… except", "… without your consent"; unless the need does so too. Or it
    only may be so: "we may notify you"."""
    if need.wants is SentenceStance.DOES and hedges(text):
        return True
    if need.wants is SentenceStance.DOES_NOT and not need.claims:
        return any(lists().narrows[name].search(text.lower()) for name in ("exception", "consent", "only"))
    asked = {name for claim in need.claims for name in claim.narrows}
    return any(claim.denied and (claim.narrows - asked) & _LIMITS for claim in _same_act(need, text))


def _denies_the_act(need: Need, text: str) -> bool:
    """Every claim about the act is denied, one of them about the data, and none only for some use."""
    claims = [claim for claim in _same_act(need, text) if claim.denied or claim.actor != "others"]
    fitting = any(_fits(need, claim, text) for claim in claims)
    return fitting and all(claim.denied for claim in claims) and not _is_for_some_use(need, claims, text)


def _fits(need: Need, claim: Claim, text: str) -> bool:
    """Whether a claim is about the need's data, or about data that cover them."""
    wanted = _things(need)
    things = claim.things or things_in(text.lower())
    return not wanted or bool(things & wanted) or covers(things, wanted) > 0


def _things(need: Need) -> frozenset[str]:
    """The kinds of data that the need names."""
    return frozenset(thing for claim in need.claims for thing in claim.things) - _ANY_DATA


def _is_for_some_use(need: Need, claims: Sequence[Claim], text: str) -> bool:
    """Use is use for something: "we do not use cookies to collect names" denies no use of cookies."""
    if not any(claim.act == "use" for claim in need.claims):
        return False
    if any("cookies" in one.things for one in need.claims) and any("part" in claim.narrows for claim in claims):
        return True
    words = _WORD.findall(text.lower())
    last = {stem for word in need.concepts[-1] for stem in terms(word)}
    places = [n for n, word in enumerate(words) if last.intersection(terms(word))]
    return any(not _USES.isdisjoint(words[n + 1 : n + 1 + _NEXT]) for n in places)


def _same_act(need: Need, text: str) -> list[Claim]:
    """What the sentence claims about the need's own acts; for a denial, also about what covers them."""
    acts = {claim.act for claim in need.claims}
    return [
        claim
        for claim in claims_of(_SIGNING_IN.sub(" ", text))
        if claim.act in acts or (claim.denied and acts & _COVERS.get(claim.act, set()))
    ]


def _denies_nearby(need: Need, text: str) -> bool:
    """Whether a denial stands shortly before the first thing that the need is about."""
    words = _WORD.findall(text.lower().replace("’", "'").replace("n't", " not"))
    first = {stem for word in need.concepts[0] for stem in terms(word)}
    places = [n for n, word in enumerate(words) if first.intersection(terms(word))]
    return any(lists().words["denies"].intersection(words[max(0, n - _REACH) : n]) for n in places)
