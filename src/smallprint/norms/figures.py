"""The norms: counts over many policies, by sector, as they are kept in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from smallprint.annotate.sector import NAMES, UNKNOWN
from smallprint.errors import NormsError
from smallprint.norms.statistics import Share, share
from smallprint.records import Stance

ALL: Final = "all"
STANCES: Final = (Stance.YES, Stance.NO, Stance.CHOICE, Stance.MIXED)
POINTS: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
# Below this a sector's own shares say little (.05 of 50 is anything from .01 to .15): all policies stand in.
FEW: Final = 50
_FILE: Final = "norms.json"
_SHAPE: Final = 1


@dataclass(frozen=True, slots=True)
class Spread:
    """Of how many policies, and the values below which a tenth, a quarter, half, three quarters, nine tenths lie."""

    policies: int = 0
    points: tuple[float, ...] = (0.0,) * len(POINTS)

    @property
    def median(self) -> float:
        return self.points[POINTS.index(0.5)]


@dataclass(frozen=True, slots=True)
class Group:
    """Policies of one sector, or all. `said`: trait → how many say yes, no, choice, both; `mentions`: facet/key → how
    many; `vague`: category → share of vague sentences where it is described."""

    policies: int
    said: Mapping[str, tuple[int, ...]]
    mentions: Mapping[str, int]
    vagueness: Spread
    grade: Spread
    vague: Mapping[str, Spread]

    def saying(self, trait: str, *stances: Stance) -> Share:
        """How many say this of the trait; with no stance, how many say anything."""
        counts = dict(zip(STANCES, self.said.get(trait, ()), strict=False))
        return share(sum(counts.get(s, 0) for s in stances or STANCES), self.policies)

    def mentioning(self, facet: str, key: str) -> Share:
        return share(self.mentions.get(f"{facet}/{key}", 0), self.policies)


@dataclass(frozen=True, slots=True)
class Kin:
    """The policies that one is measured against. `few` is set where its own sector has too few of them and all
    policies stand in."""

    sector: str
    group: Group
    few: int | None = None

    @property
    def name(self) -> str:
        """As in "4 % of 1,212 finance policies"."""
        return "" if self.sector == ALL else f"{short(self.sector)} "


@dataclass(frozen=True, slots=True)
class Norms:
    """`corpus` is a fingerprint of the policies, `model` of what read them; `own` where they are of this library."""

    corpus: str
    model: str
    groups: Mapping[str, Group]
    own: bool = field(default=False, compare=False)

    @property
    def policies(self) -> int:
        return self.groups[ALL].policies

    def kin(self, sector: str) -> Kin:
        group = self.groups.get(sector)
        if sector in (ALL, UNKNOWN) or group is None or group.policies < FEW:
            few = None if sector in (ALL, UNKNOWN) else group.policies if group else 0
            return Kin(ALL, self.groups[ALL], few)
        return Kin(sector, group)


def short(sector: str) -> str:
    """What a sector is called inside a sentence."""
    return {"it": "IT", "nonprofit": "non-profit"}.get(sector, sector)


def sector_named(text: str) -> str:
    """A sector by its short name or its long one; `NormsError` where there is none."""
    wanted = text.strip().lower()
    known = {ALL: ALL, **{key: key for key in NAMES}, **{name.lower(): key for key, name in NAMES.items()}}
    if wanted not in known:
        raise NormsError(f"There is no sector {text!r} (known: {', '.join([ALL, *NAMES])}).")
    return known[wanted]


@cache
def shipped() -> Norms:
    return from_json(files("smallprint.norms").joinpath(_FILE).read_text("utf-8"))


def current(home: Path) -> Norms:
    """Those made of this library, where there are some; else the shipped ones."""
    try:
        made = from_json((home / _FILE).read_text("utf-8"))
    except FileNotFoundError:
        return shipped()
    except (OSError, UnicodeDecodeError) as error:
        raise NormsError(f"{home / _FILE} can't be read: {error}.") from error
    return Norms(made.corpus, made.model, made.groups, own=True)


def keep(norms: Norms, home: Path) -> Path:
    """Written whole or not at all: a reader sees the old ones or the new."""
    path = home / _FILE
    part = path.with_name(f".{_FILE}.part")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.write_text(to_json(norms), "utf-8")
        part.replace(path)
    except OSError as error:
        raise NormsError(f"{path} can't be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return path


def drop(home: Path) -> bool:
    """Back to the shipped ones; false where there were no others."""
    try:
        (home / _FILE).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NormsError(f"{home / _FILE} can't be removed: {error.strerror or error}.") from error
    return True


def to_json(norms: Norms) -> str:
    """One line for each group: small, and a change shows where it is."""
    lines = [f'"{name}": {json.dumps(asdict(group), separators=(",", ":"))}' for name, group in norms.groups.items()]
    head = json.dumps({"shape": _SHAPE, "corpus": norms.corpus, "model": norms.model}, indent=0)[:-2]
    return head + ',\n"groups": {\n' + ",\n".join(lines) + "\n}\n}\n"


def from_json(text: str) -> Norms:
    try:
        stored: dict[str, Any] = json.loads(text)
        if stored["shape"] != _SHAPE:
            raise NormsError("These norms were made by another Smallprint: run `smallprint norms build` again.")
        groups = {name: _group(row) for name, row in stored["groups"].items()}
        return Norms(stored["corpus"], stored["model"], {ALL: groups[ALL], **groups})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NormsError("The norms are damaged: run `smallprint norms reset`.") from error


def _group(row: dict[str, Any]) -> Group:
    return Group(
        policies=int(row["policies"]),
        said={key: tuple(map(int, counts)) for key, counts in row["said"].items()},
        mentions={key: int(count) for key, count in row["mentions"].items()},
        vagueness=_spread(row["vagueness"]),
        grade=_spread(row["grade"]),
        vague={key: _spread(spread) for key, spread in row["vague"].items()},
    )


def _spread(row: dict[str, Any]) -> Spread:
    return Spread(int(row["policies"]), tuple(map(float, row["points"])))
