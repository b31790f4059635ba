"""Which practices a policy describes vaguely, against others of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from smallprint import taxonomy
from smallprint.annotate.vagueness import vague_share, vague_words
from smallprint.norms.build import LEAST_SENTENCES, vague_by_category
from smallprint.norms.figures import FEW, Kin
from smallprint.records import BlockKind, Practice, Reading, Sentence

SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Vague:
    """A sentence, and where its vague words are."""

    sentence: Sentence
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Described:
    """How a practice is described: `vague` of `sentences` have a vague word; `usual` is the median of its kind, None
    where too few describe it; `worst` are the sentences with most of them."""

    category: str
    name: str
    vague: int
    sentences: int
    share: float
    usual: float | None
    of: int
    worst: tuple[Vague, ...]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """`share` of all sentences, against the median of its kind; practices that go furthest beyond theirs first."""

    share: float
    usual: float
    of: int
    practices: tuple[Described, ...]


def ambiguity(reading: Reading, practices: Sequence[Practice], kin: Kin) -> Ambiguity:
    counts = vague_by_category(reading, practices)
    described = [
        _described(category, counts[category.key], reading, practices, kin)
        for category in taxonomy.categories()
        if category.key in counts and category.key != "other"
    ]
    spread = kin.group.vagueness
    share = round(vague_share([sentence.text for sentence in reading.sentences]), 4)
    return Ambiguity(share, spread.median, spread.policies, tuple(sorted(described, key=_excess)))


def _described(
    category: taxonomy.Category, counts: tuple[int, int], reading: Reading, practices: Sequence[Practice], kin: Kin
) -> Described:
    vague, number = counts
    spread = kin.group.vague.get(category.key)
    enough = spread is not None and spread.policies >= FEW
    segments = {practice.segment for practice in practices if practice.category == category.key}
    return Described(
        category=category.key,
        name=category.plain,
        vague=vague,
        sentences=number,
        share=round(vague / number, 4),
        usual=spread.median if spread and enough else None,
        of=spread.policies if spread else 0,
        worst=_worst(reading, segments),
    )


def _worst(reading: Reading, segments: set[int]) -> tuple[Vague, ...]:
    """Those with most vague words; of equals the shorter, where they weigh more."""
    found = [
        Vague(sentence, vague_words(sentence.text))
        for segment in reading.segments
        if segment.id in segments
        for sentence in segment.sentences
        if sentence.kind is not BlockKind.HEADING
    ]
    ordered = sorted((v for v in found if v.words), key=lambda v: (-len(v.words), len(v.sentence.text)))
    return tuple(ordered[:SHOWN])


def _excess(described: Described) -> tuple[bool, float]:
    """What is told in a sentence or two comes last: there chance decides."""
    return described.sentences < LEAST_SENTENCES, (described.usual or 0.0) - described.share
