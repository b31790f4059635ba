"""The label at the top of a policy: short facts, each with links into the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from smallprint.norms.figures import Kin
from smallprint.records import Label, LabelEntry, Stance
from smallprint.web.layout import LegendLine
from smallprint.words import percent, schooling

SHOWN: Final = 4
HARDEST_GRADE: Final = 20.0  # where the bar ends
_HEDGES: Final = {Stance.NO: ("not ", ""), Stance.CHOICE: ("", " (your choice)"), Stance.MIXED: ("", " (not always)")}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words, and the id of the place they lead to."""

    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """`rest` is shown on demand; `share` is drawn as a bar, `usual` as a tick on it."""

    name: str
    pieces: tuple[Piece, ...]
    rest: tuple[Piece, ...] = ()
    hue: str = ""
    share: float | None = None
    usual: float | None = None


def facts(label: Label, legend: Sequence[LegendLine], kin: Kin) -> tuple[Fact, ...]:
    """`kin` are the policies whose medians are its yardsticks."""
    places = {line.hue: line.first for line in legend}
    return (
        _fact("Collects", "first", label.collected, places),
        _fact("Shares with", "third", label.shared_with, places),
        _fact("Keeps it", "dataretention", label.kept, places),
        _fact("In your hands", "user_access", (*label.access, *label.choices), places),
        _vague(label, kin),
        _hard(label, kin),
    )


def _fact(name: str, hue: str, entries: tuple[LabelEntry, ...], places: Mapping[str, str]) -> Fact:
    pieces = tuple(_piece(entry) for entry in entries)
    if not pieces:  # that none was found is no proof that there is none
        pieces = (Piece("see what it says", places[hue]) if hue in places else Piece("nothing found"),)
    return Fact(name, pieces[:SHOWN], pieces[SHOWN:], hue)


def _piece(entry: LabelEntry) -> Piece:
    """What the policy denies is said to be denied: a label that lists it bare would say the contrary."""
    before, after = _HEDGES.get(entry.stance, ("", ""))
    return Piece(
        f"{before}{entry.name}{after}", f"s{entry.sentences[0]}" if entry.sentences else f"g{entry.segments[0]}"
    )


def _vague(label: Label, kin: Kin) -> Fact:
    usual = kin.group.vagueness.median
    line = f"{percent(label.vagueness)} of sentences"
    yardstick = f"{_half_of(kin)} are below {percent(usual)}"
    first = f"s{label.vague[0]}" if label.vague else ""
    return Fact("Vague wording", (Piece(line, first), Piece(yardstick)), share=label.vagueness, usual=usual)


def _hard(label: Label, kin: Kin) -> Fact:
    usual = kin.group.grade.median
    line = f"grade {label.grade:.0f} ({schooling(label.grade)})"
    yardstick = f"{_half_of(kin)} are below {usual:.0f}"
    hardest = f"s{label.hard[0]}" if label.hard else ""
    share, tick = (min(1.0, max(0.0, grade / HARDEST_GRADE)) for grade in (label.grade, usual))
    return Fact("Hard to read", (Piece(line, hardest), Piece(yardstick)), share=share, usual=tick)


def _half_of(kin: Kin) -> str:
    """Whom it is measured against: "half of 1,212 finance policies"."""
    return f"half of {kin.group.policies:,} {kin.name}policies"
