"""Which policies of a library say that they do, or do not do, what a person needs, each with its sentence.

The index finds sentences with the words, the judge reads a short list of them, `saying` tells what each says of the
practice. Silence is never listed: a policy that says nothing has promised nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

from smallprint.answer.opposition import contradiction
from smallprint.answer.relation import shipped as relations
from smallprint.index.protocol import STANCE, Filters, Hit, Page, Request, Sort, Unit
from smallprint.index.stance import SentenceStance
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.passage import passage
from smallprint.norms.needs import Need, missing, need_of, queries, states
from smallprint.norms.saying import is_limited, meets, stance_on
from smallprint.records import BlockKind, Policy, Reading
from smallprint.segment import segment

# Sentences that the judge reads for what is wanted, and for the contrary: at 80 a second and core, two seconds.
READ: Final = (96, 48)
# Below this chance that people would quote the sentence as the answer it is about something else.
RELEVANT: Final = 0.3

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
    marker: Marker,
    text_of: Callable[[str], Policy | None],
    *,
    sector: str = "",
    limit: int = 10,
) -> Finding:
    """`text_of` gives the policy of a hit's id: those that are listed are read whole, for what says the contrary."""
    need = need_of(text)

    def hits(side: Stances, most: int) -> list[Hit]:
        return list(islice(_candidates(need, side, most, index, sector), most))

    sides = zip(_sides(need), READ, strict=True)
    wanted, unwanted = (_one_each(_side(need, side, hits(side, most), judge, marker)) for side, most in sides)
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


def _side(need: Need, stances: Stances, hits: Sequence[Hit], judge: Judge, marker: Marker) -> list[Match]:
    """Best first."""
    judged = zip(hits, judge.judge(need.question, [passage(_text(hit)) for hit in hits]), strict=True)
    about = [(hit, j.relevance) for hit, j in judged if j.relevance >= RELEVANT and meets(need, _text(hit))]
    marks = marker.mark(need.question, [passage(_text(hit)) for hit, _ in about])
    matches = [_match(need, hit, near, mark.said.stance) for (hit, near), mark in zip(about, marks, strict=True)]
    denies = SentenceStance.DOES_NOT in stances
    fitting = [m for m in matches if m and (m.stance is SentenceStance.DOES_NOT) == denies]
    return sorted(fitting, key=lambda m: (m.limited, bool(missing(need, m.sentence)), -m.relevance))


def _candidates(need: Need, stances: Stances, most: int, index: Searches, sector: str) -> Iterator[Hit]:
    """Sentences of one side, those that meet every concept first; each text once a service."""
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


def _match(need: Need, hit: Hit, relevance: float, said: Mapping[str, float]) -> Match | None:
    if hit.number is None or hit.stance is None:
        return None
    stance = stance_on(need, _text(hit), hit.stance, said)
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
        relevance=round(relevance, 4),
        limited=is_limited(need, _text(hit)),
    )


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
