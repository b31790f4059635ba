"""The order of hits: S9's formula, exact, in terms that an engine without scoring callbacks can compute.

    score(D, Q) = P(policy | D) · BM25(D, Q) · log10(PageRank(D))

BM25 takes the classic Okapi idf, ln((N − n + ½) / (n + ½)). Engines have another one built in,
ln(1 + (N − n + ½) / (n + ½)); `idf_correction` is the boost that turns theirs into ours.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

# The PageRank of a domain nobody ranks, and of every domain unless a rank file is given: log10 = 1, so it
# multiplies by one.
NEUTRAL: Final = 10.0
HIGHEST: Final = 1_000.0
LAST_RANK: Final = 1_000_000

# An engine multiplies scores by log2(2 + v); with v = 2^(K·P·log10 PR) − 2 that is K times the factor. In
# 32 bits the exponent must stay below 128: K · 1 · log10(HIGHEST) = 120.
_K: Final = 40.0
# The engine takes a negative v for nought, so the exponent must not fall below one either: documents that are
# policies with a probability under .025 on a domain nobody ranks share the last place.
LEAST_FACTOR: Final = 1 / _K

# The classic idf is negative for words that most documents hold; taken as it is, a policy would rank higher
# the less it speaks of "information". Such words count this much instead: enough to break ties.
IDF_FLOOR: Final = 0.1

# What a word is about shows in what stands near it: a policy that says what is done with data names both together ("we
# keep your data behind firewalls"), one whose firm sells firewalls does not. A word within so many words of a subject,
# on either side, therefore counts as one more term, with an idf of its own and no count: said once is said. Ten is what
# NEAR takes too.
SUBJECTS: Final = ("information", "data")
NEARBY: Final = 10
PRACTICE_FIELDS: Final = ("text", "page")

_TIE_BITS: Final = 32


def pagerank_of(rank: int) -> float:
    """A popularity rank (1 is the most visited) as a PageRank-like number.

    log10 falls in a straight line with log10(rank): 3 for rank 1, 2 for rank 1,000, 1 from a million on.
    """
    place = min(max(rank, 1), LAST_RANK)
    steps = math.log10(LAST_RANK)
    return float(10 ** (1 + 2 * (steps - math.log10(place)) / steps))


@cache
def _shared_hosts() -> frozenset[str]:
    lines = files("smallprint.index").joinpath("shared_hosts.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def popularity_of(url: str, rank: int | None) -> float:
    """The PageRank-like number of a policy: its domain's, unless anyone may publish on that host."""
    host = url.split("//")[-1].split("/")[0].lower().removeprefix("www.")
    shared = any(host == known or (known[0] == "." and host.endswith(known)) for known in _shared_hosts())
    return NEUTRAL if rank is None or shared else pagerank_of(rank)


def factor(p_policy: float, pagerank: float) -> float:
    """P(policy) · log10(PageRank), both kept where they have a meaning."""
    probability = min(max(p_policy, 0.0), 1.0)
    return max(probability * math.log10(min(max(pagerank, NEUTRAL), HIGHEST)), LEAST_FACTOR)


def weight(p_policy: float, pagerank: float) -> float:
    """The stored v of a document, such that log2(2 + v) = K · factor."""
    return float(2 ** (_K * factor(p_policy, pagerank)) - 2)


def unweighted(score: float) -> float:
    """The formula's value, from an engine's score times log2(2 + v)."""
    return score / _K


def classic_idf(documents: int, containing: int) -> float:
    n = min(containing, documents)
    return max(math.log((documents - n + 0.5) / (n + 0.5)), IDF_FLOOR)


def engine_idf(documents: int, containing: int) -> float:
    n = min(containing, documents)
    return math.log(1 + (documents - n + 0.5) / (n + 0.5))


def idf_correction(documents: int, containing: int, words: Iterable[int]) -> float:
    """What the engine's score of a term is multiplied by: `containing` documents have it, `words` each of its
    words. The engine takes a phrase's idf to be the sum of its words'; here it is its own."""
    return classic_idf(documents, containing) / sum(engine_idf(documents, n) for n in words)


def tie_breaker(id: str) -> int:
    """The same arbitrary order between equals in every engine, on every machine."""
    return int.from_bytes(hashlib.blake2b(id.encode(), digest_size=_TIE_BITS // 8).digest(), "big")


def order_key(value: int, id: str) -> int:
    """A whole number to sort by, highest first: by value, then by the tie-breaker (lowest first)."""
    return (value << _TIE_BITS) | ((1 << _TIE_BITS) - 1 - tie_breaker(id))


def popularity_key(pagerank: float, id: str) -> int:
    return order_key(round(math.log10(max(pagerank, NEUTRAL)) * 1_000_000), id)


def p_policy_key(p_policy: float, id: str) -> int:
    return order_key(round(min(max(p_policy, 0.0), 1.0) * 1_000_000), id)
