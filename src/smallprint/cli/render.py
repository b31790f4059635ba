"""How records look in a terminal. Rich honours NO_COLOR and plain pipes by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smallprint.ingest.assemble import normalise
from smallprint.records import (
    Answer,
    Conflict,
    Evidence,
    Label,
    LabelEntry,
    Overview,
    Stance,
    Turn,
)
from smallprint.words import held_back, how_sure, led, minutes, schooling, word_for

if TYPE_CHECKING:
    from smallprint.bench.report import Comparison, Report
    from smallprint.library import Entry, Version

WIDEST = 100
SYSTEMS_ABREAST = 6


def make_console(stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False)
    console.width = min(console.width, WIDEST)
    return console


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner on stderr while something takes its time; nothing where no person watches."""
    console = make_console(stderr=True)
    if console.is_terminal:
        with console.status(Text(f"{what} …", style="dim")):
            yield
    else:
        yield


def answer(
    answer: Answer,
    *,
    more: bool = False,
    explain: bool = False,
    say_for_more: str = "--more",
) -> None:
    console = make_console()
    console.print()
    head = Text.assemble((f" {word_for(answer)} ", "reverse bold"))
    if answer.verdict.is_answer:
        head.append(f"  {how_sure(answer)}", style="dim")
    console.print(head)
    if not answer.verdict.is_answer or (answer.stance is not Stance.NA and not answer.conflicts):
        console.print(Padding(Text(answer.summary, style="bold"), (1, 0, 0, 0)))
    shown = [*answer.evidence, *(answer.more if more else ())]
    _quotes(console, shown)
    for conflict in answer.conflicts:
        console.print(Padding(_contradiction(conflict), (1, 0, 0, 0)))
    console.print()
    for step in answer.next:
        console.print(Text.assemble(("→ ", "dim"), step))
    if answer.more and not more:
        console.print(Text(f"{held_back(answer)}: {say_for_more}", style="dim"))
    if explain:
        trace(answer)


def turn(turn: Turn) -> None:
    """One exchange of a conversation: what was understood, the answer or the line, and what to choose from."""
    console = make_console()
    if turn.answer:
        if turn.asked.rstrip("?") != turn.said.rstrip("?"):
            console.print(Text(f"\n{turn.asked}", style="dim italic"))
        answer(turn.answer, say_for_more="say more")
        if turn.choices:
            console.print(Text("\nDo you mean:"))
    else:
        console.print(Text(f"\n{turn.line}"))
        _quotes(console, turn.shown)
    numbered([choice.label for choice in turn.choices])


def numbered(labels: Iterable[str]) -> None:
    for number, label in enumerate(labels, 1):
        make_console().print(Text(f"{number:>3}  {label}"))


def _quotes(console: Console, shown: Iterable[Evidence]) -> None:
    for evidence, lead_in in led(shown):
        console.print(Padding(_quote(evidence, lead_in), (1, 0, 0, 2)))


def _quote(evidence: Evidence, lead_in: str) -> Group:
    sentence = evidence.sentence
    start, end = evidence.span
    text = Text(sentence.text)
    text.stylize("bold", start, end)
    parts: list[Text] = []
    if lead_in:
        parts.append(Text(lead_in, style="dim italic"))
        text = Text("• ") + text
    parts.append(text)
    if sentence.headings:
        parts.append(Text(" › ".join(sentence.headings), style="cyan"))
    return Group(*parts)


def _contradiction(conflict: Conflict) -> Group:
    sides = [Text(f"  {mark} “{e.sentence.text}”") for mark, e in (("✗", conflict.first), ("✓", conflict.second))]
    return Group(Text("These contradict each other:", style="yellow"), *sides, Text(conflict.reason, style="yellow"))


def trace(answer: Answer) -> None:
    """What each stage did, and all sentences with their scores."""
    console = make_console()
    table = Table(title="What each stage did", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("stage", "ms", "did"):
        table.add_column(column, style="dim", justify="right" if column == "ms" else "left")
    for step in answer.trace:
        table.add_row(step.stage, f"{step.ms:.1f}", Text(step.did))
    console.print()
    console.print(table)
    for rank, evidence in enumerate((*answer.evidence, *answer.more), 1):
        console.print(Text(f"{rank:>3}  {evidence.score:7.3f}  {evidence.sentence.text}", style="dim"), no_wrap=True)


LABEL = {
    "collected": "Collects",
    "purposes": "Uses it for",
    "shared_with": "Shares with",
    "shared": "Shares",
    "kept": "Keeps it",
    "choices": "Your choices",
    "access": "You can ask for",
    "security": "Protects it by",
}
SAID = {Stance.NO: "says it does not", Stance.MIXED: "says both", Stance.CHOICE: "if you choose"}


def overview(overview: Overview, label: Label) -> None:
    console = make_console()
    console.print(Text(overview.title or overview.source, style="bold"))
    console.print(
        f"{overview.words:,} words, {overview.sentences:,} sentences, {minutes(overview.minutes)} to read, "
        f"grade {overview.grade:.0f} ({schooling(overview.grade)})"
    )
    console.print(f"{label.vagueness:.0%} of its sentences have a vague word")
    console.print()
    console.print(_label(label))
    console.print()
    top = min((heading.level for heading in overview.outline), default=1)
    for heading in overview.outline:
        line = Text("  " * (heading.level - top) + heading.text)
        line.append(f"  {heading.words:,}", style="dim")
        console.print(line)
    if not overview.outline:
        console.print(Text("It has no headings.", style="dim"))


def _label(label: Label) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for field, title in LABEL.items():
        entries: tuple[LabelEntry, ...] = getattr(label, field)
        line = Text("; ").join(map(_entry, entries)) if entries else Text("nothing found", style="dim")
        table.add_row(Text(title, style="bold"), line)
    return table


def _entry(entry: LabelEntry) -> Text:
    said = SAID.get(entry.stance)
    return Text(entry.name).append(f" ({said})" if said else "", style="dim")


def entries(entries: Iterable[Entry]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("name", "words", "versions", "last seen", "from"):
        table.add_column(column, justify="right" if column in ("words", "versions") else "left", overflow="fold")
    for entry in entries:
        table.add_row(
            Text(entry.name, style="bold"),
            f"{entry.words:,}",
            str(entry.versions),
            entry.last_seen[:10],
            Text(entry.domain or normalise(entry.source), style="dim"),
        )
    make_console().print(table)


def versions(versions: Iterable[Version]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("version", "seen", "words", "sha256"):
        table.add_column(column)
    for version in versions:
        table.add_row(str(version.id), version.seen, f"{version.words:,}", version.digest[:12])
    make_console().print(table)


def report(report: Report) -> None:
    """Tables with a row for each measure and a column for each system, a few systems at a time: there are many
    measures, and a terminal is not wide."""
    seen = "" if report.seen is None else f", {report.seen:.0%} of them seen in training"
    console = make_console()
    console.print(Text(f"{report.name}: {report.n:,} rows{seen}", style="italic"))
    for comparison in report.tables:
        _comparison(console, comparison)
    names = [] if report.tables else list(report.systems)
    for start in range(0, len(names), SYSTEMS_ABREAST):
        _systems(console, {name: report.systems[name] for name in names[start : start + SYSTEMS_ABREAST]})
    for note in report.notes:
        console.print(Text(note, style="dim"))


def _systems(console: Console, systems: Mapping[str, Mapping[str, float]]) -> None:
    table = Table(box=None)
    table.add_column("")
    for system in systems:
        table.add_column(system, justify="right")
    for measure in dict.fromkeys(m for row in systems.values() for m in row):
        table.add_row(measure, *(_figure(row.get(measure)) for row in systems.values()))
    console.print(table)


def _comparison(console: Console, comparison: Comparison) -> None:
    """A published table: under each measure what the paper has, then what runs here."""
    console.print(Text(f"\n{comparison.title}", style="bold"))
    table = Table(box=None)
    table.add_column("published | here")
    for measure in comparison.measures:
        table.add_column(measure, justify="right")
    for line in comparison.lines:
        pairs = zip(line.published, line.ours, strict=True)
        table.add_row(
            line.name, *(f"{_figure(theirs) or '-':>5} | {_figure(ours) or '-':>5}" for theirs, ours in pairs)
        )
    console.print(table)
    console.print(Text(comparison.note, style="dim"))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
