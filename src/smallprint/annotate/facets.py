"""Everything that a collection is filtered and counted by, of one policy."""

from __future__ import annotations

import hashlib
from functools import cache

from smallprint.annotate import mentions, sector, vagueness
from smallprint.annotate.readability import flesch_kincaid_grade
from smallprint.records import Facets, Reading


def facets_of(reading: Reading, *, name: str = "", domain: str = "") -> Facets:
    """`name` and `domain` are those of the service, where they are known: they tell more of its sector than the
    text does."""
    policy = reading.policy
    sentences = [sentence.text for sentence in reading.sentences]
    found = mentions.mentions(policy.text)
    practices, data_types, third_parties = _practices(reading)
    return Facets(
        sector=sector.shipped().sector(name or policy.title, domain, policy.text),
        grade=round(flesch_kincaid_grade(sentences), 1),
        vagueness=round(vagueness.vague_share(sentences), 4),
        tracking=found["tracking"],
        bodies=found["bodies"],
        regulations=found["regulations"],
        practices=practices,
        data_types=data_types,
        third_parties=third_parties,
    )


@cache
def fingerprint() -> str:
    """Names the exact rules and weights that facets are made with; stored facets carry it."""
    parts = (mentions.source(), vagueness.source(), sector.shipped().fingerprint)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _practices(reading: Reading) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:  # noqa: ARG001
    """Categories of practices, types of data and kinds of third parties. None without a model that reads them."""
    return (), (), ()
