"""How changes look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from smallprint import taxonomy
from smallprint.cli.render import make_console
from smallprint.records import Change, ChangeKind, History, Revision

_STYLES = {
    ChangeKind.ADDED: "yellow",
    ChangeKind.DROPPED: "magenta",
    ChangeKind.WEAKENED: "red",
    ChangeKind.STRENGTHENED: "green",
    ChangeKind.CHANGED: "cyan",
}


def history(history: History, *, since: str, quiet: bool) -> None:
    console = make_console()
    if len(history.versions) < 2:
        console.print(f"There is one version of {history.service}, of {history.versions[0]}: nothing to compare yet.")
        return
    if not history.revisions:
        console.print(
            f"No version of {history.service} is from {since} or later; the newest is of {history.versions[-1]}."
        )
    for found in history.revisions:
        revision(found, quiet=quiet)


def revision(found: Revision, *, quiet: bool) -> None:
    console = make_console()
    if found.after:
        console.print(Text(f"\n{found.before} → {found.after}", style="bold"))
    for change in sorted(found.changes, key=lambda change: -change.severity):
        _change(console, change)
    console.print(Padding(Text(rest(found), style="dim"), (1, 0, 0, 2)))
    if quiet:
        for change in found.quiet:
            line = f"{change.kind}: “{change.old[:100]}” → “{change.new[:100]}”"
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))


def rest(found: Revision) -> str:
    """One line on what changes nothing in practice."""
    kinds = [change.kind for change in found.quiet]
    reworded, tidied = kinds.count(ChangeKind.REWORDED), kinds.count(ChangeKind.HOUSEKEEPING)
    parts = [
        (reworded, "reworded"),
        (tidied, "tidied up (dates, names, contact details, menus)"),
        (found.moved, "moved"),
    ]
    told = ", ".join(f"{number} {what}" for number, what in parts if number)
    if not told:
        return "Nothing else changed." if found.changes else "Nothing changed."
    return f"{'Otherwise' if found.changes else 'Nothing changed in practice'}: {told}."


def first(words: str, days: Sequence[str]) -> None:
    console = make_console()
    if not days:
        console.print(f"“{words}” stands in no version.")
    for number, day in enumerate(days):
        console.print(f"{day}  {'gone' if number % 2 else 'first appeared' if number == 0 else 'back'}")


def _change(console: Console, change: Change) -> None:
    marks = "●" * change.severity + "○" * (3 - change.severity)
    head = Text.assemble(
        (f"{marks} ", _STYLES[change.kind]),
        (str(change.kind).capitalize(), f"bold {_STYLES[change.kind]}"),
        (f"  {taxonomy.category(change.category).plain}", "dim"),
    )
    if change.since:
        head.append(f"  stood since {change.since}", style="dim")
    console.print(Padding(head, (1, 0, 0, 2)))
    for sign, quote in (("-", change.old), ("+", change.new)):
        if quote:
            console.print(Padding(Text(f"{sign} {quote}"), (0, 0, 0, 4)))
