"""`bench changes`: two versions of a policy; what changed in practice, item by item?

Words are compared by their places: a quote is found in its version's row of words, and two quotes share the words
that stand at the same places. So two sentences that merely use the same words do not meet. Only a wanted quote that
its version does not have to the letter is compared by its words alone. `--system histories` compares all versions of
all services of the corpus instead; it takes minutes and runs only when asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from smallprint.bench import histories
from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.models.reader import shipped_reader
from smallprint.norms.changes import revision, shipped
from smallprint.norms.mind import Mind
from smallprint.norms.wording import Wording, sentences_of
from smallprint.records import Change, ChangeKind

Row = dict[str, Any]
HISTORIES = "histories"
_NOTE = (
    "Items were written by a language model. A report meets an item when they share half of the words, at their "
    "places, of the shorter quote of one version. `false_alarm` is the share of unimportant items that any report "
    "meets, `false_alarm_alone` that of those met by a report that meets nothing that matters. Pairs that count as "
    "seen were fitted on; five-fold figures are in docs/models/changes.md."
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Item:
    """A reported or wanted change: for each version the words of its quote and the places they may stand at."""

    kind: ChangeKind
    severity: int
    words: tuple[tuple[str, ...], tuple[str, ...]]
    places: tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]

    def meets(self, wanted: Item) -> bool:
        return any(self._meets_in(version, wanted) for version in (0, 1))

    def _meets_in(self, version: int, wanted: Item) -> bool:
        words, sought = self.words[version], wanted.words[version]
        if sought and not wanted.places[version]:
            return _is_half((Counter(words) & Counter(sought)).total(), len(words), len(sought))
        return any(
            _is_half(len(ours & theirs), len(ours), len(theirs))
            for ours in self.places[version]
            for theirs in wanted.places[version]
        )


def _is_half(shared: int, first: int, second: int) -> bool:
    return shared > 0 and 2 * shared >= min(first, second)


@dataclass(frozen=True, slots=True)
class Compared:
    """What was reported and what is wanted of one pair of versions."""

    reported: tuple[Item, ...]
    wanted: tuple[Item, ...]


def run(data: DataDir, system: str | None = None) -> Report:
    if system == HISTORIES:
        counted = histories.scores(data)
        return Report("changes", data.used, int(counted["services"]), {HISTORIES: counted})
    if system is not None and system not in SYSTEMS:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join((*SYSTEMS, HISTORIES))}).")
    rows = data.gold("changes/pairs.jsonl")
    systems = {
        name: scores([compared(row, changes) for row, changes in zip(rows, tell(rows), strict=True)])
        for name, tell in SYSTEMS.items()
        if system in (None, name)
    }
    seen = round(shipped().seen_share([(row["old"], row["new"]) for row in rows]), 4)
    return Report("changes", data.used, len(rows), systems, seen, (_NOTE,))


def scores(pairs: Sequence[Compared]) -> dict[str, float]:
    reported = met = right = 0
    found = wanted = alarms = alone = calm = 0
    for pair in pairs:
        real = [item for item in pair.wanted if item.kind.matters]
        others = [item for item in pair.wanted if not item.kind.matters]
        meetings = [(report, [item for item in real if report.meets(item)]) for report in pair.reported]
        reported += len(meetings)
        met += sum(bool(items) for _, items in meetings)
        right += sum(any(item.kind is report.kind for item in items) for report, items in meetings)
        asked_for = [item for item in real if item.severity >= 1]
        wanted += len(asked_for)
        found += sum(any(item in items for _, items in meetings) for item in asked_for)
        wrong = [report for report, items in meetings if not items]
        calm += len(others)
        alarms += sum(any(report.meets(item) for report in pair.reported) for item in others)
        alone += sum(any(report.meets(item) for report in wrong) for item in others)
    return {
        "precision": met / max(1, reported),
        "recall": found / max(1, wanted),
        "type_accuracy": right / max(1, met),
        "false_alarm": alarms / max(1, calm),
        "false_alarm_alone": alone / max(1, calm),
        "reported": reported / max(1, len(pairs)),
    }


def compared(row: Row, changes: Sequence[Change]) -> Compared:
    versions = tuple(f" {' '.join(_words(' '.join(row[side])))} " for side in ("old", "new"))
    wanted = tuple(
        _item(ChangeKind(item["type"]), item.get("severity") or 0, _quotes(item), versions)
        for item in row.get("items") or ()
    )
    reported = tuple(
        _item(change.kind, change.severity, (change.old, change.new), versions)
        for change in changes
        if change.kind.matters
    )
    return Compared(reported, wanted)


def _quotes(item: Row) -> tuple[str, str]:
    return item.get("old") or "", item.get("new") or ""


def _item(kind: ChangeKind, severity: int, quotes: tuple[str, str], versions: tuple[str, ...]) -> Item:
    before, after = (tuple(_words(quote)) for quote in quotes)
    old, new = (tuple(_places(*pair)) for pair in zip((before, after), versions, strict=True))
    return Item(kind, severity, (before, after), (old, new))


def _places(words: Sequence[str], version: str) -> Iterator[frozenset[int]]:
    sought = f" {' '.join(words)} "
    at = version.find(sought) if words else -1
    while at >= 0:
        first = version.count(" ", 0, at)
        yield frozenset(range(first, first + len(words)))
        at = version.find(sought, at + 1)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def smallprint(rows: Sequence[Row]) -> list[tuple[Change, ...]]:
    mind = Mind(shipped_reader())
    return [revision(Wording(row["old"]), Wording(row["new"]), mind, shipped()).changes for row in rows]


def text_diff(rows: Sequence[Row]) -> list[tuple[Change, ...]]:
    """Every sentence that the other version does not have, to the letter."""
    return [tuple(_changed_sentences(row["old"], row["new"])) for row in rows]


def _changed_sentences(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    before, after = (dict.fromkeys(s for paragraph in side for s in sentences_of(paragraph)) for side in (old, new))
    for sentence in before:
        if sentence not in after:
            yield Change(ChangeKind.DROPPED, "other", "", sentence, "", 1, 1.0)
    for sentence in after:
        if sentence not in before:
            yield Change(ChangeKind.ADDED, "other", "", "", sentence, 1, 1.0)


SYSTEMS: dict[str, Callable[[Sequence[Row]], list[tuple[Change, ...]]]] = {
    "text-diff": text_diff,
    "smallprint": smallprint,
}
