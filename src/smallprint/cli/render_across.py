"""How norms, surprises, comparisons and checklists look in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smallprint.cli.render import make_console, working
from smallprint.index.stance import SentenceStance
from smallprint.norms.checklist import Check, State
from smallprint.norms.compare import AskedOfAll, Cell, Comparison
from smallprint.norms.figures import FEW, Kin, Norms, short
from smallprint.norms.surprise import HEADS, NEARLY_ALL, Kind
from smallprint.norms.table import lines
from smallprint.records import Sentence
from smallprint.words import STANCES, how_sure, word_for

if TYPE_CHECKING:
    from smallprint.across import Measured, Surprised
    from smallprint.norms.find import Finding, Match

__all__ = ["working"]

STATES: Final = {State.FOUND: "✓ found", State.PARTLY: "◐ partly", State.MISSING: "✗ not found"}


@contextmanager
def stages(what: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is being done; nothing where no person watches."""
    console = make_console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(Text(f"{what} …", style="dim")) as status:
        yield lambda stage: status.update(Text(f"{stage} …", style="dim"))


def surprised(name: str, surprised: Surprised) -> None:
    console = make_console()
    _against(console, name, surprised.kin)
    for kind, head in HEADS.items():
        found = [one for one in surprised.found if one.kind is kind]
        if not found:
            continue
        console.print(Text(f"\n{head}", style="bold"))
        for one in found:
            often = "nearly all, " if kind is Kind.SILENT and one.share.low >= NEARLY_ALL else ""
            console.print(Padding(Text.assemble((one.line, ""), (f"  {often}{one.yardstick}", "dim")), (1, 0, 0, 2)))
            if one.sentence:
                _quote(console, one.sentence)
    if not surprised.found:
        console.print("\nNothing in it is unusual for its kind.")


def measured(name: str, measured: Measured) -> None:
    console = make_console()
    _against(console, name, measured.kin)
    found = measured.found
    console.print(
        f"{found.share:.0%} of its sentences have a vague word; half of its kind are below {found.usual:.0%}."
    )
    for practice in found.practices:
        usual = "" if practice.usual is None else f", half of its kind are below {practice.usual:.0%}"
        head = Text(f"\n{practice.name}", style="bold")
        head.append(f"  {practice.vague} of {practice.sentences} sentences ({practice.share:.0%}){usual}", style="dim")
        console.print(head)
        for vague in practice.worst[:3]:
            text = Text(vague.sentence.text)
            for start, end in vague.words:
                text.stylize("bold underline", start, end)
            console.print(Padding(text, (0, 0, 0, 2)))


def comparison(comparison: Comparison) -> None:
    console = make_console()
    for asked in comparison.asked:
        _asked(console, comparison.names, asked)
    title = ""
    for row in comparison.rows:
        if row.title != title:
            title = row.title
            console.print(Text(f"\n{title}", style="bold"))
        console.print(Text(f"  {row.name}"))
        for name, cell in zip(comparison.names, row.cells, strict=True):
            console.print(Padding(_cell(name, cell), (0, 0, 0, 4)))
    if not comparison.rows and comparison.on:
        console.print(Text(f"\nNo practice is called anything like “{comparison.on}”.", style="dim"))


def finding(finding: Finding, *, against: bool) -> None:
    console = make_console()
    if not finding.searched:
        console.print("There is no policy to look through. Store one with: smallprint add SOURCE")
        return
    wanted = "don't" if finding.wants is SentenceStance.DOES_NOT else "do"
    _matches(console, f"These say they {wanted}: {finding.practice}", finding.matches)
    _matches(console, "These say both", finding.both)
    if against:
        _matches(console, "These say the contrary", finding.against)
    if not finding.matches:
        console.print(Text("No policy was found that says so.", style="bold"))
    if finding.against and not against:
        console.print(Text(f"\n{len(finding.against)} say the contrary: --against", style="dim"))
    line = (
        f"{finding.searched:,} looked through. Those not listed say nothing on it that was found: that is no promise."
    )
    console.print(Text(f"\n{line}", style="dim"))


def checked(name: str, check: Check) -> None:
    console = make_console()
    console.print(Text(f"{name} against {check.title}", style="bold"))
    counts = ", ".join(f"{check.count(state)} {state}" for state in State)
    console.print(Text(counts, style="dim"))
    for item in check.items:
        head = Text.assemble(f"\n{STATES[item.state]}  ", (item.title, "bold"), (f"  {item.law}", "dim"))
        console.print(head)
        for part in item.parts:
            label = f"{STATES[part.state][0]} {part.name}: " if len(item.parts) > 1 else ""
            words = Text(label, style="dim").append(part.sentence.text if part.sentence else "–", style="not dim")
            if part.sentence or label:
                console.print(Padding(words, (0, 0, 0, 4)))
    console.print(Text(f"\n{check.warning}", style="yellow"))


def norms(norms: Norms, sector: str) -> None:
    console = make_console()
    group = norms.groups[sector]
    origin = "your library" if norms.own else "the corpus that came with Smallprint"
    kind = "" if sector == "all" else f"{short(sector)} "
    console.print(
        f"{group.policies:,} {kind}policies of {origin}; read by models, so shares are those of what they find"
    )
    if group.policies < FEW:
        console.print(Text("These are few: the ranges in brackets say how little that tells.", style="yellow"))
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("", "says anything", "yes", "no", "choice", "both"):
        table.add_column(column, justify="right" if column else "left")
    title = ""
    for line in lines(group):
        if line.title != title:
            title = line.title
            table.add_row(Text(title, style="bold"))
        said = f"{line.said.share:.1%} ({line.said.low:.0%}–{line.said.high:.0%})"
        table.add_row(f"  {line.name}", said, *(f"{count:,}" for count in line.counts))
    console.print(table)
    sectors = ", ".join(f"{short(name)} {other.policies:,}" for name, other in norms.groups.items() if name != "all")
    console.print(Text(f"Sectors: {sectors}", style="dim"))


def _against(console: Console, name: str, kin: Kin) -> None:
    console.print(Text(name, style="bold"))
    console.print(Text(f"measured against {kin.group.policies:,} {kin.name}policies", style="dim"))
    if kin.few is not None:
        console.print(Text(f"Of its own sector there are only {kin.few}: too few to go by.", style="yellow"))


def _quote(console: Console, sentence: Sentence) -> None:
    lead = Text(f"{sentence.lead_in} ", style="dim italic") if sentence.lead_in else Text()
    console.print(Padding(lead + Text(f"“{sentence.text}”", style="italic"), (0, 0, 0, 4)))


def _asked(console: Console, names: Sequence[str], asked: AskedOfAll) -> None:
    console.print(Text(f"\n{asked.question}", style="bold"))
    for name, answer in zip(names, asked.answers, strict=True):
        sure = f" ({how_sure(answer)})" if answer.verdict.is_answer else ""
        line = Text.assemble((name, "cyan"), ": ", (word_for(answer), "bold"), (sure, "dim"))
        console.print(Padding(line, (0, 0, 0, 2)))
        for evidence in answer.evidence[:1]:
            console.print(Padding(Text(f"“{evidence.sentence.text}”", style="italic"), (0, 0, 0, 4)))


def _cell(name: str, cell: Cell) -> Text:
    line = Text.assemble((name, "cyan"), ": ")
    if cell.stance is None or cell.sentence is None:
        return line.append("says nothing", style="dim")
    return line.append(f"{STANCES[cell.stance].lower()} ", style="bold").append(
        f"“{cell.sentence.text}”", style="italic"
    )


def _matches(console: Console, head: str, matches: Sequence[Match]) -> None:
    if not matches:
        return
    console.print(Text(f"\n{head}", style="bold"))
    for number, match in enumerate(matches, 1):
        console.print(
            Text.assemble(f"{number:>3}  ", (match.service or match.title, "bold"), (f"  {match.url}", "dim"))
        )
        console.print(Padding(Text(f"“{match.sentence}”", style="italic"), (0, 0, 0, 5)))
        if match.limited:
            console.print(Padding(Text("with limits: read on there", style="yellow"), (0, 0, 0, 5)))
        if match.but:
            console.print(Padding(Text(f"but also: “{match.but}”", style="yellow"), (0, 0, 0, 5)))
