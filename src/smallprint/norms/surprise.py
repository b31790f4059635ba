"""What would surprise someone who knows other policies of its kind: what this one does that few do, promises that few
make, and what most say that it leaves out."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import log2
from pathlib import Path
from typing import Any, Final

from smallprint.errors import NormsError
from smallprint.norms.figures import Kin
from smallprint.norms.statistics import Share
from smallprint.norms.traits import Said, Trait, said_in, traits
from smallprint.records import Answer, Sentence, Stance

# Few are at most a quarter, most at least six in ten, by the end of the interval that speaks against it.
FEW: Final = 0.25
MOST: Final = 0.6
NEARLY_ALL: Final = 0.9
# What is rare is often a misreading: below this chance, by the judge, that the sentence answers the question whether
# it is done, nothing is told. From this confidence on, an answer found says that the policy is not silent after all.
CONFIRMED: Final = 0.25
ANSWERED: Final = 0.35
# Sentences that the judge looks at for one trait.
LOOKED_AT: Final = 4
# Questions are dear: so many of the heaviest silences are checked.
MOST_CHECKED: Final = 8

Relevance = Callable[[str, Sequence[Sentence]], Sequence[float]]
Ask = Callable[[str], Answer]
Denied = Callable[[str, Sentence], bool]


class Kind(StrEnum):
    DOES = "does"
    DENIES = "denies"
    SILENT = "silent"


HEADS: Final = {
    Kind.DOES: "Few of its kind do this",
    Kind.DENIES: "Few of its kind promise this",
    Kind.SILENT: "Most of its kind say something about this, it doesn't",
}


@dataclass(frozen=True, slots=True)
class Surprise:
    """`line` says what, `share` how many of its kind say the same (of a silence: say something); `sentence` is None
    where the policy says nothing. `weight` orders: how unusual, in bits, times how much it matters."""

    kind: Kind
    trait: str
    line: str
    share: Share
    yardstick: str
    matters: float
    weight: float
    sentence: Sentence | None = None


Matters = Mapping[Kind, Mapping[str, float]]


@cache
def matters(own: str = "") -> Matters:
    """The table of weights; lines of the file `own` go before the shipped ones."""
    shipped = _table(files("smallprint.norms").joinpath("matters.toml").read_text("utf-8"), "matters.toml")
    if not own:
        return shipped
    try:
        mine = _table(Path(own).expanduser().read_text("utf-8"), own)
    except (OSError, UnicodeDecodeError) as error:
        raise NormsError(f"{own} can't be read as weights: {error}.") from error
    return {kind: {**shipped[kind], **mine.get(kind, {})} for kind in Kind}


def surprises(
    said: Sequence[Said],
    sentences: Mapping[int, Sentence],
    kin: Kin,
    weights: Matters,
    *,
    relevance: Relevance,
    denied: Denied,
    ask: Ask,
) -> tuple[Surprise, ...]:
    """The weightiest first. What few do must be borne out by its sentence, a promise also by `denied`: "cookies which
    are not removed" promises nothing. What seems left out is asked for."""
    spoken = [s for one in said if (s := _spoken(one, sentences, kin, weights, relevance, denied))]
    left_out = sorted(_left_out(said, kin, weights), key=lambda s: -s.weight)[:MOST_CHECKED]
    silent = [s for s in left_out if not _is_answered(ask(traits()[s.trait].asks))]
    return tuple(sorted((*_once(spoken), *_once(silent)), key=lambda s: -s.weight))


def weight_of(trait: Trait, kind: Kind, weights: Matters) -> float:
    table = weights[kind]
    return table.get(trait.key, table.get(trait.group, 0.0))


def _spoken(
    one: Said, sentences: Mapping[int, Sentence], kin: Kin, weights: Matters, relevance: Relevance, denied: Denied
) -> Surprise | None:
    kind = Kind.DENIES if one.stance is Stance.NO else Kind.DOES
    own = weight_of(one.trait, kind, weights)
    stances = (Stance.NO,) if kind is Kind.DENIES else (Stance.YES, Stance.CHOICE, Stance.MIXED)
    share = kin.group.saying(one.trait.key, *stances)
    if not own or share.high > FEW:
        return None
    fitting = [sentences[n] for n in one.sentences if (said_in(sentences[n]) is Stance.NO) == (kind is Kind.DENIES)]
    shown = [s for s in fitting[:LOOKED_AT] if kind is Kind.DOES or denied(one.trait.asks, s)]
    chances = relevance(one.trait.asks, shown)
    if not shown or max(chances) < CONFIRMED:
        return None
    best = shown[max(range(len(shown)), key=lambda n: chances[n])]
    line = f"It says it {one.trait.says(said_in(best))}"
    return Surprise(kind, one.trait.key, line, share, _yardstick(share, kin), own, _weight(own, share), best)


def _left_out(said: Sequence[Said], kin: Kin, weights: Matters) -> Iterator[Surprise]:
    present = {one.trait.key for one in said}
    for key, trait in traits().items():
        own = weight_of(trait, Kind.SILENT, weights)
        share = kin.group.saying(key)
        if own and key not in present and share.low >= MOST:
            line = f"It doesn't say: {trait.name}"
            mirrored = replace(share, count=share.total - share.count)
            yield Surprise(Kind.SILENT, key, line, share, _yardstick(share, kin), own, _weight(own, mirrored))


def _once(found: Sequence[Surprise]) -> Iterator[Surprise]:
    """A sentence, or a question left open, surprises once: for its weightiest trait."""
    taken: set[object] = set()
    for one in sorted(found, key=lambda s: -s.weight):
        about = one.sentence.id if one.sentence else traits()[one.trait].asks
        if about not in taken:
            taken.add(about)
            yield one


def _is_answered(answer: Answer) -> bool:
    return answer.verdict.is_answer and answer.confidence >= ANSWERED


def _weight(own: float, share: Share) -> float:
    """Bits of surprise; one policy more on either side keeps the first of its kind from being infinitely odd."""
    return round(own * log2((share.total + 2) / (share.count + 1)), 3)


def _yardstick(share: Share, kin: Kin) -> str:
    part = "under 1 %" if 0 < share.share < 0.005 else f"{share.share:.0%}".replace("%", " %")
    if not share.count:
        part = "none"
    return f"{part} of {share.total:,} {kin.name}policies say this"


def _table(text: str, where: str) -> Matters:
    try:
        stored: dict[str, Any] = tomllib.loads(text)
        table = {Kind(kind): {str(key): float(value) for key, value in rows.items()} for kind, rows in stored.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise NormsError(f"{where} is no table of weights: {error}.") from error
    groups = {trait.group for trait in traits().values()}
    for rows in table.values():
        for key, value in rows.items():
            if key not in traits() and key not in groups:
                raise NormsError(f"{where}: there is no trait {key!r}.")
            if not 0 <= value <= 10:
                raise NormsError(f"{where}: {key} must be between 0 and 10.")
    return table
