"""How search results look in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from smallprint.cli.render import make_console
from smallprint.index.concordance import lines
from smallprint.index.labels import label
from smallprint.index.protocol import RANGE_FACETS, STANCE, FacetValue, Hit, Snippet, Unit
from smallprint.index.searching import Found, Hint

BAR: Final = 12
MOST_VALUES: Final = 6
NAMES: Final = {
    "sector": "Sector",
    "language": "Language",
    "tracking": "Tracking",
    "body": "Self-regulation",
    "regulation": "Regulation",
    "practice": "Practice",
    "data_type": "Data",
    "third_party": "Third parties",
    "grade": "School grade",
    "vagueness": "Vagueness",
    "words": "Words",
    "year": "Year",
    "stance": "Says it",
    "date": "date",
}
FLAGS: Final = {"date": "--since and --until", "data_type": "--data-type", "third_party": "--third-party"}


@contextmanager
def counting(what: str, unit: str) -> Iterator[Callable[[int], None] | None]:
    """A running count on stderr; nothing where no person watches."""
    console = make_console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(f"{what} …", total=None)
        yield lambda number: bar.update(task, description=f"{what}: {number:,} {unit}")


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def found(found: Found, *, concordance: bool = False) -> None:
    console = make_console()
    page, request = found.page, found.request
    if not page.total:
        _nothing(console, found)
        return
    one, many = ("sentence", "sentences") if request.unit is Unit.SENTENCE else ("policy", "policies")
    total = counted(page.total, one, many)
    if not page.hits:
        console.print(f"There is no page {request.offset // request.limit + 1}: found {total}.")
        return
    first = request.offset + 1
    head = Text(f"{first:,}–{request.offset + len(page.hits):,} of {total}", style="dim")
    console.print(head)
    if concordance:
        _lined_up(console, page.hits)
    else:
        for number, hit in enumerate(page.hits, first):
            console.print(Padding(_hit(number, hit), (1, 0, 0, 0)))
    _facets(console, page.facets)
    if found.next:
        console.print(Text(f"\nNext page: --page {(first - 1) // request.limit + 2}", style="dim"))


def _nothing(console: Console, found: Found) -> None:
    console.print("Nothing matches.")
    for hint in found.hints:
        console.print(Text.assemble(("→ ", "dim"), _advice(hint)))
    if not found.page.searched:
        console.print("The library is empty. Store a policy with: smallprint add SOURCE")


def _advice(hint: Hint) -> str:
    if hint.kind == "words":
        return f"Without {hint.name}: {hint.total:,}"
    flag = "all filters" if hint.name == "all" else FLAGS.get(hint.name, f"--{hint.name}")
    return f"Drop {flag}: {hint.total:,}"


def _hit(number: int, hit: Hit) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim", width=4)
    table.add_column(overflow="fold")
    table.add_row(f"{number}", Text(hit.title or hit.service, style="bold"))
    place = Text(hit.url or hit.service, style="cyan")
    place.append(f"  {hit.date}", style="dim")
    table.add_row("", place)
    if hit.stance is not None and hit.sentence:
        table.add_row("", _marked(hit.sentence))
        table.add_row("", Text(str(hit.stance).replace("-", " "), style="dim"))
        return table
    if hit.sentence:
        table.add_row("", Text("“") + _marked(hit.sentence) + Text("”"))
    shown = hit.sentence.text if hit.sentence else ""
    for snippet in hit.snippets:
        if snippet.text.strip() and snippet.text.strip() not in shown:
            table.add_row("", Text("… ", style="dim") + _marked(snippet, "dim") + Text(" …", style="dim"))
    table.add_row("", Text(_facts(hit), style="dim"))
    return table


def _marked(snippet: Snippet, style: str = "") -> Text:
    text = Text(snippet.text.replace("\n", " "), style=style)
    for start, end in snippet.marks:
        text.stylize("bold yellow not dim", start, end)
    return text


def _facts(hit: Hit) -> str:
    facets = hit.facets
    facts = [facets.sector if facets.sector != "unknown" else "", f"{hit.words:,} words"]
    facts += [f"grade {facets.grade:.0f}" if facets.grade else ""]
    facts += [label("regulation", value) for value in facets.regulations[:3]]
    facts += [label("tracking", value) for value in facets.tracking[:3]]
    facts += [f"{facets.vagueness:.0%} vague" if facets.vagueness else ""]
    facts += [f"says the same: {', '.join(hit.others[:3])}" if hit.others else ""]
    return " · ".join(fact for fact in facts if fact)


def _lined_up(console: Console, hits: Sequence[Hit]) -> None:
    width = max(15, (console.width - 40) // 2)
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
    for justify in ("right", "left", "left", "left"):
        table.add_column(justify=justify, no_wrap=True, overflow="ellipsis")
    for line in lines(hits, width):
        service = Text(f"{line.service} {line.date[:4]}", style="dim")
        table.add_row(Text(line.left), Text(line.key, style="bold yellow"), Text(line.right), service)
    console.print(table)


def _facets(console: Console, facets: Mapping[str, tuple[FacetValue, ...]]) -> None:
    """Small bars: as long as the facet's largest count; the percentage is the share of all that have the value."""
    shown = {name: _worth_showing(name, values) for name, values in facets.items()}
    for name, values in shown.items():
        if not values:
            continue
        table = Table.grid(padding=(0, 1))
        table.add_column(width=24, no_wrap=True, overflow="ellipsis")
        table.add_column(width=BAR)
        table.add_column(justify="right", width=8)
        table.add_column(justify="right", width=5, style="dim")
        most = max(value.count for value in values) or 1
        for value in values:
            mark = "■" if value.selected else " "
            called = Text(f"{mark} {label(name, value.value)}", style="bold" if value.selected else "")
            table.add_row(called, _bar(value.count / most), f"{value.count:,}", f"{value.share:.0%}")
        console.print()
        console.print(Text(NAMES.get(name, name), style="bold"))
        console.print(table)


def _worth_showing(name: str, values: tuple[FacetValue, ...]) -> list[FacetValue]:
    """A facet with one value tells nothing, nor do empty bars."""
    present = [value for value in values if value.count or value.selected]
    if len(present) < 2 and not any(value.selected for value in present):
        return []
    ordered = name in RANGE_FACETS or name in ("year", STANCE)
    return list(values) if name in RANGE_FACETS else present if ordered else present[:MOST_VALUES]


def _bar(share: float) -> Text:
    """Eighths of a character, so that small counts still show."""
    eighths = round(share * BAR * 8)
    full, rest = divmod(max(eighths, 1 if share else 0), 8)
    return Text("█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else ""), style="cyan")
