"""Everything that a collection is filtered and counted by, of one policy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from smallprint import taxonomy
from smallprint.annotate import mentions, sector, vagueness
from smallprint.annotate.label import entries
from smallprint.annotate.readability import flesch_kincaid_grade
from smallprint.records import Facets, Practice, Reading, Stance


def facets_of(reading: Reading, practices: Sequence[Practice] = (), *, name: str = "", domain: str = "") -> Facets:
    """`practices` are what the reader found, none without it. `name` and `domain` are those of the service, where they
    are known: they tell more of its sector than the text does."""
    policy = reading.policy
    sentences = [sentence.text for sentence in reading.sentences]
    found = mentions.mentions(policy.text)
    return Facets(
        sector=sector.shipped().sector(name or policy.title, domain, policy.text),
        grade=round(flesch_kincaid_grade(sentences), 1),
        vagueness=round(vagueness.vague_share(sentences), 4),
        tracking=found["tracking"],
        bodies=found["bodies"],
        regulations=found["regulations"],
        practices=_categories(practices),
        data_types=_values(practices, "Personal Information Type", "first", "third"),
        third_parties=_values(practices, "Third Party Entity", "third"),
    )


@cache
def fingerprint(reader: str = "") -> str:
    """Names the exact rules and weights that facets are made with; stored facets carry it. `reader` is the fingerprint
    of the reader that found the practices, none for facets by rules alone."""
    parts = (mentions.source(), vagueness.source(), sector.shipped().fingerprint, reader)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _categories(practices: Sequence[Practice]) -> tuple[str, ...]:
    """What it speaks of, also where it says that something is not done."""
    found = {practice.category for practice in practices}
    return tuple(c.key for c in taxonomy.categories() if c.key in found and c.key != "other")


def _values(practices: Sequence[Practice], attribute: str, *categories: str) -> tuple[str, ...]:
    """What is collected or shared, or with whom: what every segment denies is left out."""
    found = {e.key for e in entries(practices, attribute, *categories) if e.stance is not Stance.NO}
    return tuple(dict.fromkeys(w.key for w in taxonomy.words(attribute).values() if w.key in found))
