"""Norms from a library: what each policy says, counted by sector."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smallprint.annotate.sector import NAMES, UNKNOWN
from smallprint.annotate.vagueness import is_vague
from smallprint.errors import NormsError
from smallprint.norms.figures import ALL, POINTS, STANCES, Group, Norms, Spread
from smallprint.norms.statistics import quantiles
from smallprint.norms.traits import traits_of
from smallprint.records import BlockKind, Facets, Practice, Reading, Stance
from smallprint.segment import segment

if TYPE_CHECKING:
    from smallprint.library import Library

# A practice told in fewer sentences is vague or not by chance.
LEAST_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Seen:
    """What one policy adds to the norms; `vague`: category → share of vague sentences where it is described."""

    digest: str
    facets: Facets
    said: tuple[tuple[str, Stance], ...]
    vague: dict[str, float]


Progress = Callable[[int, int], None]


def build(library: Library, model: str, *, progress: Progress | None = None) -> Norms:
    """Of the newest version of every service that this model has read; near-duplicates count once. `progress` is told
    how many of how many services are done."""
    norms = counted(_seen(library, model, progress or (lambda *_: None)), model)
    if not norms.policies:
        raise NormsError("No stored policy has been read yet: `smallprint add`, `ingest` or `reannotate` first.")
    return norms


def seen(reading: Reading, practices: tuple[Practice, ...], facets: Facets) -> Seen:
    said = tuple((said.trait.key, said.stance) for said in traits_of(reading, practices))
    shares = {key: vague / number for key, (vague, number) in vague_by_category(reading, practices).items()}
    enough = {key for key, (_, number) in vague_by_category(reading, practices).items() if number >= LEAST_SENTENCES}
    return Seen(reading.policy.digest, facets, said, {key: shares[key] for key in enough})


def vague_by_category(reading: Reading, practices: Iterable[Practice]) -> dict[str, tuple[int, int]]:
    """Category → how many vague sentences of how many describe it."""
    segments = {s.id: [x for x in s.sentences if x.kind is not BlockKind.HEADING] for s in reading.segments}
    found: dict[str, tuple[int, int]] = {}
    for category, segment_id in dict.fromkeys((p.category, p.segment) for p in practices):
        sentences = segments.get(segment_id, [])
        vague, number = found.get(category, (0, 0))
        found[category] = vague + sum(is_vague(s.text) for s in sentences), number + len(sentences)
    return {key: pair for key, pair in found.items() if pair[1]}


def counted(policies: Iterable[Seen], model: str) -> Norms:
    of_sector: dict[str, list[Seen]] = {}
    for one in policies:
        of_sector.setdefault(one.facets.sector, []).append(one)
    everyone = [one for some in of_sector.values() for one in some]
    named = {name: of_sector[name] for name in NAMES if name != UNKNOWN and name in of_sector}
    groups = {name: _group(some) for name, some in {ALL: everyone, **named}.items()}
    return Norms(_fingerprint(everyone), model, groups)


def _group(policies: list[Seen]) -> Group:
    said = Counter(pair for one in policies for pair in one.said)
    mentions = Counter(
        f"{facet}/{key}"
        for one in policies
        for facet in ("tracking", "bodies", "regulations")
        for key in getattr(one.facets, facet)
    )
    categories = sorted({key for one in policies for key in one.vague})
    return Group(
        policies=len(policies),
        said={key: tuple(said[key, stance] for stance in STANCES) for key in sorted({key for key, _ in said})},
        mentions=dict(sorted(mentions.items())),
        vagueness=_spread([one.facets.vagueness for one in policies]),
        grade=_spread([one.facets.grade for one in policies]),
        vague={key: _spread([one.vague[key] for one in policies if key in one.vague]) for key in categories},
    )


def _spread(values: list[float]) -> Spread:
    return Spread(len(values), quantiles(values, POINTS))


def _fingerprint(policies: list[Seen]) -> str:
    return hashlib.sha256("\n".join(sorted(one.digest for one in policies)).encode()).hexdigest()[:16]


def _seen(library: Library, model: str, progress: Progress) -> Iterator[Seen]:
    entries = library.list()
    for number, entry in enumerate(entries, 1):
        newest = [version.id for version in library.versions(entry.name)][-1:]
        for shelved in library.shelved(newest):
            found = library.findings(shelved.version)
            annotation = shelved.annotation
            if annotation and annotation.model == model and found and found.practices is not None:
                yield seen(segment(shelved.policy), found.practices, annotation.facets)
        progress(number, len(entries))
