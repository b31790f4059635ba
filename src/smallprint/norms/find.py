"""Which policies of a library say that they do, or do not do, what a person needs, each with its sentence.

The index finds sentences with the words, the judge reads a short list of them, and what a sentence says of the
practice is taken from its wording and the judge together: both must agree before a policy is listed as "doesn't".
Silence is never listed: a policy that says nothing has promised nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

from smallprint.answer.claims import Claim, claims_of, lists, things_in
from smallprint.answer.opposition import contradiction, covers
from smallprint.answer.relation import shipped as relations
from smallprint.index.protocol import STANCE, Filters, Hit, Page, Request, Sort, Unit
from smallprint.index.stance import SentenceStance
from smallprint.models.judge import Judge, Judgement
from smallprint.models.passage import passage
from smallprint.norms.needs import Need, hedges, need_of, queries, states
from smallprint.records import BlockKind, Policy, Reading
from smallprint.retrieve.lexical import terms
from smallprint.segment import segment

# Sentences that the judge reads for what is wanted, and for the contrary: at 80 a second and core, two seconds.
READ: Final = (96, 48)
# Below this chance that people would quote the sentence as the answer it is about something else.
RELEVANT: Final = 0.3
_LIMITS: Final = frozenset(
    {"exception", "consent", "only", "law", "children", "place", "knowing", "purpose", "recipient", "part"}
)
_ANY_DATA: Final = frozenset({"unnamed", "about"})
_USES: Final = frozenset({"to", "for", "that", "which", "of", "requiring"})
_REACH: Final = 7  # words from a denial to what it denies
_WORD: Final = re.compile(r"[a-z0-9]+")
# What is denied denies these too.
_COVERS: Final = {"share": {"share", "sell"}, "collect": {"collect", "keep"}}


Stances = tuple[SentenceStance, ...]


class Searches(Protocol):
    def search(self, request: Request) -> Page: ...


@dataclass(frozen=True, slots=True)
class Match:
    """A policy and the sentence that says so. `limited` where words around it narrow what it says; `but` is another
    sentence of the same policy that says the contrary."""

    id: str
    service: str
    title: str
    url: str
    sector: str
    stance: SentenceStance
    number: int
    sentence: str
    relevance: float
    limited: bool = False
    but: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """`wants` is what policies should say of the `practice`. `matches` say so, `against` the contrary; `both` say one
    and the other. The rest of the `searched` policies are not listed: nothing was found in them, which is no promise.
    """

    need: str
    wants: SentenceStance
    practice: str
    question: str
    matches: tuple[Match, ...]
    both: tuple[Match, ...]
    against: tuple[Match, ...]
    searched: int


def find(
    text: str,
    index: Searches,
    judge: Judge,
    text_of: Callable[[str], Policy | None],
    *,
    sector: str = "",
    limit: int = 10,
) -> Finding:
    """`text_of` gives the policy of a hit's id: those that are listed are read whole, for what says the contrary."""
    need = need_of(text)
    sides = zip(_sides(need), READ, strict=True)
    wanted, unwanted = (_one_each(_side(need, side, most, index, judge, sector)) for side, most in sides)
    contrary = {match.id: match for match in unwanted}
    looked_at = [_with_contrary(match, contrary, text_of) for match in wanted[: 2 * limit]]
    matches = [match for match in looked_at if not match.but][:limit]
    listed = {match.id for match in looked_at}
    page = index.search(Request(limit=1, facets=(), snippets=False))
    return Finding(
        text,
        need.wants,
        need.practice,
        need.question,
        tuple(matches),
        tuple(match for match in looked_at if match.but)[:limit],
        tuple(match for match in unwanted if match.id not in listed)[:limit],
        page.searched,
    )


def _sides(need: Need) -> tuple[Stances, Stances]:
    """Stances of wording that may say what is wanted, and the contrary. What is left to the reader is done, in the end,
    or offered; it is never a plain "doesn't"."""
    does, does_not = (SentenceStance.DOES, SentenceStance.CHOICE), (SentenceStance.DOES_NOT,)
    return (does_not, does) if need.wants is SentenceStance.DOES_NOT else (does, does_not)


def _side(need: Need, stances: Stances, most: int, index: Searches, judge: Judge, sector: str) -> list[Match]:
    """Best first."""
    hits = list(islice(_candidates(need, stances, most, index, sector), most))
    judged = judge.judge(need.question, [passage(_text(hit)) for hit in hits])
    matches = [_match(need, hit, judgement) for hit, judgement in zip(hits, judged, strict=True)]
    denies = SentenceStance.DOES_NOT in stances
    fitting = [m for m in matches if m and (m.stance is SentenceStance.DOES_NOT) == denies]
    return sorted(fitting, key=lambda m: (m.limited, -m.relevance))


def _candidates(need: Need, stances: Stances, most: int, index: Searches, sector: str) -> Iterator[Hit]:
    """Sentences of one side, those that meet every concept first; each text once, as templates repeat it."""
    values = {STANCE: tuple(str(stance) for stance in stances)} | ({"sector": (sector,)} if sector else {})
    seen: set[str] = set()
    for query in queries(need, denied=SentenceStance.DOES_NOT in stances):
        request = Request(
            query, filters=Filters(values), sort=Sort.RELEVANCE, unit=Unit.SENTENCE, limit=2 * most, facets=()
        )
        for hit in index.search(request).hits:
            key = f"{hit.service} {' '.join(_text(hit).lower().split())}"
            if key not in seen and states(_text(hit)):
                seen.add(key)
                yield hit


def _match(need: Need, hit: Hit, judgement: Judgement) -> Match | None:
    if judgement.relevance < RELEVANT or hit.number is None or hit.stance is None:
        return None
    stance = _stance(need, _text(hit), hit.stance, judgement)
    if stance is None:
        return None
    return Match(
        id=hit.id,
        service=hit.service,
        title=hit.title,
        url=hit.url,
        sector=hit.facets.sector,
        stance=stance,
        number=hit.number,
        sentence=_text(hit),
        relevance=round(judgement.relevance, 4),
        limited=_is_limited(need, _text(hit)),
    )


def _stance(need: Need, text: str, wording: SentenceStance, judgement: Judgement) -> SentenceStance | None:
    """What the sentence says of the practice; None where its parts do not agree.

    Where the need is an act on data, the claims of the sentence decide: asked "do you keep my IP address?", the judge
    leans to yes whatever the sentence says. Elsewhere the judge must agree, and the denial stand by what is needed.
    """
    said = judgement.stance
    if wording is SentenceStance.DOES_NOT:
        if need.claims:
            return wording if _denies_the_act(need, text) else None
        agreed = said["no"] > max(said["yes"], said["choice"]) and _denies_nearby(need, text)
        return wording if agreed else None
    claims = _same_act(need, text)
    if any(claim.denied for claim in claims) or _denies_nearby(need, text):
        return None
    agreed = said["no"] <= max(said["yes"], said["choice"], said["mixed"])
    return wording if agreed or any(_fits(need, claim, text) for claim in claims) else None


def _denies_the_act(need: Need, text: str) -> bool:
    """Every claim about the act is denied, one of them about the data, and none only for some use."""
    claims = [claim for claim in _same_act(need, text) if claim.denied or claim.actor != "others"]
    fitting = any(_fits(need, claim, text) for claim in claims)
    return fitting and all(claim.denied for claim in claims) and not _is_for_some_use(need, claims, text)


def _fits(need: Need, claim: Claim, text: str) -> bool:
    """Whether a claim is about the need's data, or about data that cover them."""
    wanted = frozenset(thing for one in need.claims for thing in one.things) - _ANY_DATA
    things = claim.things or things_in(text.lower())
    return not wanted or bool(things & wanted) or covers(things, wanted) > 0


def _is_for_some_use(need: Need, claims: Sequence[Claim], text: str) -> bool:
    """Use is use for something: "we do not use cookies to collect names" denies no use of cookies."""
    if not any(claim.act == "use" for claim in need.claims):
        return False
    if any("cookies" in one.things for one in need.claims) and any("part" in claim.narrows for claim in claims):
        return True
    words = _WORD.findall(text.lower())
    last = {stem for word in need.concepts[-1] for stem in terms(word)}
    places = [n for n, word in enumerate(words) if last.intersection(terms(word))]
    return bool(places) and not _USES.isdisjoint(words[places[-1] + 1 : places[-1] + 3])


def _same_act(need: Need, text: str) -> list[Claim]:
    """What the sentence claims about the need's own acts; for a denial, also about what covers them."""
    acts = {claim.act for claim in need.claims}
    return [
        claim
        for claim in claims_of(text)
        if claim.act in acts or (claim.denied and acts & _COVERS.get(claim.act, set()))
    ]


def _denies_nearby(need: Need, text: str) -> bool:
    """Whether a denial stands shortly before the first thing that the need is about."""
    words = _WORD.findall(text.lower().replace("’", "'").replace("n't", " not"))
    first = {stem for word in need.concepts[0] for stem in terms(word)}
    places = [n for n, word in enumerate(words) if first.intersection(terms(word))]
    return any(lists().words["denies"].intersection(words[max(0, n - _REACH) : n]) for n in places)


def _is_limited(need: Need, text: str) -> bool:
    """Words around it narrow what it says: "… except", "… without your consent"; unless the need does so too. Or it
    only may be so: "we may notify you"."""
    if need.wants is SentenceStance.DOES and hedges(text):
        return True
    asked = {name for claim in need.claims for name in claim.narrows}
    return any(claim.denied and (claim.narrows - asked) & _LIMITS for claim in _same_act(need, text))


def _with_contrary(match: Match, contrary: dict[str, Match], text_of: Callable[[str], Policy | None]) -> Match:
    if match.id in contrary:
        return replace(match, but=contrary[match.id].sentence)
    policy = text_of(match.id)
    return replace(match, but=_contradicting(match, segment(policy))) if policy else match


def _contradicting(match: Match, reading: Reading) -> str:
    most = relations().most_limits
    for sentence in reading.sentences:
        if sentence.kind is BlockKind.HEADING or sentence.text == match.sentence:
            continue
        pair = (match.sentence, sentence.text)
        denying, affirming = pair if match.stance is SentenceStance.DOES_NOT else pair[::-1]
        if contradiction(denying, affirming, most):
            return sentence.text
    return ""


def _one_each(matches: Sequence[Match]) -> list[Match]:
    """The best of each policy."""
    best: dict[str, Match] = {}
    for match in matches:
        best.setdefault(match.id, match)
    return list(best.values())


def _text(hit: Hit) -> str:
    return hit.sentence.text if hit.sentence else ""
