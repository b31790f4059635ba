"""The label at the top of a policy: short facts, each with links into the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from smallprint.records import Label, LabelEntry, Stance
from smallprint.web import words
from smallprint.web.layout import LegendLine

SHOWN: Final = 4
# Half of 468 policies, drawn from a collection of 9,022, lie below these, by the measures of the label.
USUAL_VAGUENESS: Final = 0.28
USUAL_GRADE: Final = 13.3
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


def facts(label: Label, legend: Sequence[LegendLine]) -> tuple[Fact, ...]:
    places = {line.hue: line.first for line in legend}
    return (
        _fact("Collects", "first", label.collected, places),
        _fact("Shares with", "third", label.shared_with, places),
        _fact("Keeps it", "dataretention", label.kept, places),
        _fact("You can", "user_access", (*label.access, *label.choices), places),
        _vague(label),
        _hard(label),
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


def _vague(label: Label) -> Fact:
    line = f"{words.percent(label.vagueness)} of sentences"
    yardstick = f"half of all policies are below {words.percent(USUAL_VAGUENESS)}"
    first = f"s{label.vague[0]}" if label.vague else ""
    return Fact("Vague wording", (Piece(line, first), Piece(yardstick)), share=label.vagueness, usual=USUAL_VAGUENESS)


def _hard(label: Label) -> Fact:
    line = f"grade {label.grade:.0f} ({words.schooling(label.grade)})"
    yardstick = f"half of all policies are below {USUAL_GRADE:.0f}"
    hardest = f"s{label.hard[0]}" if label.hard else ""
    share, usual = (min(1.0, max(0.0, grade / HARDEST_GRADE)) for grade in (label.grade, USUAL_GRADE))
    return Fact("Hard to read", (Piece(line, hardest), Piece(yardstick)), share=share, usual=usual)
