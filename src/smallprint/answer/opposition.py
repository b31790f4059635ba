"""Where one sentence denies what another affirms: the same act, the same data, the speaker's own doing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from smallprint.answer.claims import Claim, claims_of

_ALL_KINDS = frozenset({"personal", "about", "unnamed", "cookies"})
"""Kinds of data that are no one thing; all others are."""
# An act that is denied denies these too: what is not shared is not sold, what is not collected is not kept.
_IMPLIED = {"share": "sell", "collect": "keep"}
_NOUNS = {
    "card": "card details",
    "email": "email addresses",
    "phone": "phone numbers",
    "contact": "contact details",
    "ip": "IP addresses",
    "location": "your location",
    "content": "what you write or record",
    "financial": "financial data",
    "health": "health data",
    "activity": "your activity",
    "profile": "your profile",
    "cookies": "cookies",
}


@dataclass(frozen=True, slots=True)
class Opposition:
    """`closeness` is one where act and data are the same or the affirmed ones are a case of the denied ones, less
    where they are only near; `limits` counts the kinds of words that narrow the denial or excuse the affirmation."""

    denial: Claim
    affirmation: Claim
    closeness: float
    limits: int

    @property
    def reason(self) -> str:
        kinds = self.denial.things if self.denial.act == "use" else self.denial.things - {"cookies"}
        noun = next((words for kind, words in _NOUNS.items() if kind in kinds), "your information")
        return (
            f"The first says it does not {self.denial.act} {noun}, the second says it does; neither limits the other."
        )


def opposition(denying: str, affirming: str) -> Opposition | None:
    """The closest and least limited denial in the one sentence of what the other affirms."""
    denials = [claim for claim in claims_of(denying) if claim.denied and claim.actor != "others"]
    affirmations = [claim for claim in claims_of(affirming) if not claim.denied and claim.actor != "others"]
    found = [_oppose(*pair) for pair in product(denials, affirmations)]
    return max((o for o in found if o.closeness), key=lambda o: (o.closeness, -o.limits), default=None)


def contradiction(denying: str, affirming: str, most_limits: int) -> Opposition | None:
    """An opposition on the same act and data with no more limits than these."""
    found = opposition(denying, affirming)
    return found if found and found.closeness == 1 and found.limits <= most_limits else None


def _oppose(denial: Claim, affirmation: Claim) -> Opposition:
    other_tool = bool(denial.tools - affirmation.tools)
    limits = len(denial.narrows) + len(affirmation.excuses) + other_tool
    return Opposition(denial, affirmation, _closeness(denial, affirmation), limits)


def _closeness(denial: Claim, affirmation: Claim) -> float:
    """Use is always use for something, so two sentences on it are seldom about the same, but for cookies."""
    if denial.act == affirmation.act == "use":
        uses_cookies = "cookies" in denial.things & affirmation.things
        return 1.0 if uses_cookies else covers(denial.things, affirmation.things) / 2
    implied = 0.5 if _IMPLIED.get(denial.act) == affirmation.act else 0.0
    return (1.0 if denial.act == affirmation.act else implied) * covers(denial.things, affirmation.things)


def covers(denied: frozenset[str], affirmed: frozenset[str]) -> float:
    """How far the affirmed data are among the denied. One kind of personal data is covered by all of them."""
    own, others = denied - _ALL_KINDS, affirmed - _ALL_KINDS
    if own & others:
        return 1.0
    if own:
        return 0.5 if "personal" in denied & affirmed else 0.0
    if "personal" in denied:
        return 1.0 if others or "personal" in affirmed else 0.5 if "about" in affirmed else 0.0
    if others or affirmed & {"personal", "about"}:
        return 1.0 if "about" in denied else 0.5 if "unnamed" in denied else 0.0
    return 0.0
