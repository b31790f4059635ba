"""Beyond one policy: `surprise`, `ambiguity`, `compare`, `find`, `check` and `norms`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from smallprint.cli.options import SOURCE_HELP, force_option, json_option
from smallprint.cli.printing import print_json, say
from smallprint.cli.sources import open_assistant, read, summary
from smallprint.errors import NormsError
from smallprint.records import plain_fields

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

MOST_QUESTIONS = 200
CHECKLISTS = ("gdpr", "ccpa", "coppa")
sector_option = click.option(
    "--sector", default="", metavar="NAME", help="Measure against this sector, as finance, or all; else its own."
)


@click.command(epilog=SOURCE_HELP)
@click.argument("source")
@sector_option
@force_option
@json_option
def surprise(source: str, sector: str, force: bool, as_json: bool) -> None:
    """Show what would surprise you in SOURCE: what few of its kind do, what most say and it leaves out.

    The most unusual and weightiest first, each with its sentence and how many of its kind say the same. How much
    things weigh is a table that you can change (the setting `matters`).
    """
    assistant = open_assistant()
    opened = read(assistant, source, force)
    with _render().working("Comparing it with others of its kind"):
        surprised = assistant.across.surprise(opened, sector=sector)
    if as_json:
        print_json({"policy": summary(opened), **_kin(surprised.kin), "surprises": surprised.found})
    else:
        _render().surprised(_called(source, opened), surprised)


@click.command(epilog=SOURCE_HELP)
@click.argument("source")
@sector_option
@force_option
@json_option
def ambiguity(source: str, sector: str, force: bool, as_json: bool) -> None:
    """Show which practices SOURCE describes vaguely, its vague words marked, against others of its kind."""
    assistant = open_assistant()
    opened = read(assistant, source, force)
    with _render().working("Looking for vague words"):
        measured = assistant.across.ambiguity(opened, sector=sector)
    if as_json:
        print_json({"policy": summary(opened), **_kin(measured.kin), **plain_fields(measured.found)})
    else:
        _render().measured(_called(source, opened), measured)


@click.command(epilog=SOURCE_HELP)
@click.argument("sources", metavar="SOURCE SOURCE...", nargs=-1, required=True)
@click.option("--on", default="", metavar="TOPIC", help='Only what is about this, as "location".')
@click.option("--ask", "asked", multiple=True, metavar="QUESTION", help="Put this question to all. Again for more.")
@click.option(
    "--questions", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A file with one question a line."
)
@click.option("--differences", is_flag=True, help="Only rows in which they differ.")
@click.option("--csv", "table", type=click.Path(path_type=Path, dir_okay=False), help="Write the table to this file.")
@force_option
@json_option
def compare(
    sources: tuple[str, ...],
    on: str,
    asked: tuple[str, ...],
    questions: Path | None,
    differences: bool,
    table: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Set policies side by side, practice by practice, each with the sentence that says so."""
    from dataclasses import replace

    if len(sources) < 2:
        raise click.UsageError("Give two policies or more.")
    if sources.count("-") > 1:
        raise click.UsageError("Standard input can be read once.")
    assistant = open_assistant()
    opened = [read(assistant, source, force) for source in sources]
    named = list(zip(_told_apart([_called(*pair) for pair in zip(sources, opened, strict=True)]), opened, strict=True))
    with _render().stages("Reading") as progress:
        wanted = (*asked, *_questions(questions))
        comparison = assistant.across.compare(named, on=on, questions=wanted, progress=progress)
    if differences:
        comparison = replace(comparison, rows=tuple(row for row in comparison.rows if row.differs))
    if table:
        from smallprint.norms.compare import as_csv

        _write(table, as_csv(comparison))
    if as_json:
        print_json({"policies": [summary(one) for one in opened], **plain_fields(comparison)})
    elif not table:
        _render().comparison(comparison)


@click.command()
@click.argument("need")
@click.option("--sector", default="", metavar="NAME", help="Only policies of this sector.")
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="How many to list; 10 unless given.")
@click.option("--against", is_flag=True, help="Also list those that say the contrary.")
@json_option
def find(need: str, sector: str, limit: int, against: bool, as_json: bool) -> None:
    """Find stored policies that say they do, or don't do, what you NEED, as "doesn't sell my data".

    Each is listed with the sentence that says so. A policy that says nothing is not listed: silence is no promise.
    """
    from smallprint.cli import render_search

    with render_search.counting("Reading what bears on it", "policies indexed first") as progress:
        finding = open_assistant().across.find(need, sector=sector, limit=limit, progress=progress)
    if as_json:
        print_json(finding)
    else:
        _render().finding(finding, against=against)


@click.command(epilog=SOURCE_HELP)
@click.argument("source")
@click.option("--against", type=click.Choice(CHECKLISTS), required=True, help="The law.")
@force_option
@json_option
def check(source: str, against: str, force: bool, as_json: bool) -> None:
    """Check SOURCE against what a law wants it to tell. This is no legal advice."""
    assistant = open_assistant()
    opened = read(assistant, source, force)
    with _render().stages("Checking") as progress:
        made = assistant.across.check(opened, against, progress=progress)
    if as_json:
        print_json({"policy": summary(opened), **plain_fields(made)})
    else:
        _render().checked(_called(source, opened), made)


@click.group()
def norms() -> None:
    """How usual practices are: the figures that `surprise` and `ambiguity` measure against."""


@norms.command("show")
@click.option("--sector", default="", metavar="NAME", help="Of this sector, as finance; else of all.")
@json_option
def show(sector: str, as_json: bool) -> None:
    """Show how many policies say what, of a sector or of all."""
    from smallprint.norms.figures import ALL, sector_named

    made = open_assistant().across.norms()
    name = sector_named(sector) if sector else ALL
    if name not in made.groups:
        raise NormsError(f"There is no policy of the sector {name} among these {made.policies:,}.")
    if as_json:
        from smallprint.norms.table import as_json as document

        print_json(document(made, name))
    else:
        _render().norms(made, name)
        if not open_assistant().across.counted_now(made):
            say("Another edition of the reader counted these: what it finds now may differ a little.")


@norms.command("build")
@json_option
def build(as_json: bool) -> None:
    """Replace the shipped norms by those of your own library. `norms reset` brings them back."""
    with click.progressbar(length=0, label="Counting", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def tell(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        made = open_assistant().across.build_norms(progress=tell)
    sectors = {name: group.policies for name, group in made.groups.items()}
    if as_json:
        print_json({"corpus": made.corpus, "model": made.model, "policies": sectors})
    else:
        many = f"{made.policies:,} polic{'y' if made.policies == 1 else 'ies'}"
        say(f"The norms are now those of {many} of your library. Undo it with: smallprint norms reset")


@norms.command("reset")
def reset() -> None:
    """Go back to the norms that came with Smallprint."""
    was = open_assistant().across.reset_norms()
    say("The shipped norms are back." if was else "The shipped norms are in use already.")


COMMANDS = (surprise, ambiguity, compare, find, check, norms)


def _called(source: str, opened: OpenPolicy) -> str:
    """The service's name, as far as it is known."""
    from smallprint.library import ShelfKeeper, names

    if isinstance(opened.keeper, ShelfKeeper):
        return source
    policy = opened.policy
    return names.from_title(policy.title, names.domain(policy)) or policy.title or source


def _told_apart(called: list[str]) -> list[str]:
    return [
        f"{name} ({called[:n].count(name) + 1})" if called.count(name) > 1 else name for n, name in enumerate(called)
    ]


def _questions(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        lines = tuple(line.strip() for line in path.read_text("utf-8").splitlines() if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        raise NormsError(f"{path} can't be read as questions: {error}.") from error
    if len(lines) > MOST_QUESTIONS:
        raise NormsError(f"{path} has {len(lines):,} questions; {MOST_QUESTIONS} are the most at once.")
    return lines


def _write(path: Path, lines: Iterator[str]) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        part.replace(path)
    except OSError as error:
        raise NormsError(f"{path} can't be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    say(f"Wrote {path}.")


def _kin(kin: Any) -> dict[str, Any]:
    return {"measured_against": {"sector": kin.sector, "policies": kin.group.policies, "too_few_of_its_own": kin.few}}


def _render() -> Any:
    from smallprint.cli import render_across

    return render_across
