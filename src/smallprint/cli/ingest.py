"""`smallprint ingest`: a corpus into the library. `smallprint reannotate`: what is there, read again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from smallprint import settings as settings_
from smallprint.cli.options import json_option
from smallprint.cli.printing import print_json, say

if TYPE_CHECKING:
    from smallprint.corpus.reannotate import Reannotated
    from smallprint.corpus.run import Outcome, Progress
    from smallprint.index.follow import Write
    from smallprint.library import Library
    from smallprint.settings import Settings

_EPILOG = (
    "CORPUS is a JSON Lines file (.jsonl, also .gz, .xz, .zst), a folder of HTML, PDF, Markdown or text files, a git "
    "repository such as those of Open Terms Archive, a WARC file, or a text file with one web address a line. "
    "Histories, repositories and dated files become the versions of their services. A run that was stopped "
    "goes on where it was."
)


def _writable(_context: click.Context, _parameter: click.Parameter, report: Path | None) -> Path | None:
    """The report's place, tried: a run of hours must not learn at its end that there is no such folder."""
    if report is not None:
        try:
            part = _part(report)
            part.open("a").close()
            part.unlink()
        except (OSError, ValueError):  # no folder, no permission; no name
            raise click.BadParameter(f"“{report}” can't be written.") from None
    return report


def _part(report: Path) -> Path:
    return report.with_name(report.name + ".part")


@click.command(epilog=_EPILOG)
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Keep documents that do not look like a privacy policy, too.")
@click.option("--quick", is_flag=True, help="Leave out the reader: no practices, about ten times as fast.")
@click.option("--workers", type=click.IntRange(0), help="Processes that read; else one for each core. 0: this one.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", help="What reads: else this machine.")
@click.option("--master", help="Spark's master: spark://…, yarn, k8s://…; else local[*], Spark on this machine.")
@click.option("--conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; any number of them.")
@click.option("--parts", help="A folder that all machines of the cluster see; what was read stays there as Parquet.")
@click.option("--limit", type=click.IntRange(1), help="Read only so many new documents; a later run goes on.")
@click.option("--ranks", type=click.Path(path_type=Path), help="Popularity: a file of rank,domain lines.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_writable,
    help="Where to write what could not be read (JSON Lines).",
)
@json_option
def ingest(
    corpus: tuple[str, ...],
    force: bool,
    quick: bool,
    workers: int | None,
    engine: str,
    master: str,
    conf: tuple[str, ...],
    parts: str | None,
    limit: int | None,
    ranks: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Read a whole CORPUS into the library: duplicates folded, practices and facets read, bad documents reported."""
    from smallprint.cli import render_search
    from smallprint.corpus.analyse import Options
    from smallprint.corpus.ranks import read_ranks
    from smallprint.corpus.sources import open_corpus
    from smallprint.index.follow import follow, open_index
    from smallprint.library import Library

    settings = settings_.load()
    opened = open_corpus(corpus, settings)
    popularity = None if ranks is None else read_ranks(ranks)
    with _engine(engine, master, conf, parts, workers) as (read, loader), Library.open(settings) as library:
        with _bar() as progress:
            options = Options(force=force, quick=quick)
            outcome = read(opened, library, settings, options=options, limit=limit, progress=progress)
        ranked = None if popularity is None else library.set_ranks(popularity)
        if report is not None:
            _write(report, library, outcome)
        with render_search.counting("Indexing", "policies") as indexed:
            follow(library, open_index(settings), settings, write=loader(settings), progress=indexed)
    if as_json:
        print_json(_plain(outcome, ranked, report))
    else:
        _tell(outcome, ranked, report)


@contextmanager
def _engine(
    engine: str, master: str | None, conf: tuple[str, ...], parts: str | None, workers: int | None
) -> Iterator[tuple[Callable[..., Outcome], Callable[[Settings], Write | None]]]:
    """What reads a corpus, and what brings it into the index (None: this process)."""
    if engine == "local":
        if master or conf or parts:
            raise click.UsageError("--master, --conf and --parts go with --engine spark.")
        from smallprint.corpus import run

        yield partial(run.ingest, workers=workers), lambda _: None
        return
    if workers is not None:
        raise click.UsageError("--workers goes with --engine local: Spark has executors.")
    if wrong := [one for one in conf if "=" not in one]:
        raise click.UsageError(f"--conf {wrong[0]}: give KEY=VALUE.")
    from smallprint.corpus import spark, spark_index

    with spark.Spark(master or "local[*]", dict(one.split("=", 1) for one in conf)) as cluster:
        yield partial(spark.ingest, spark=cluster, folder=parts), partial(spark_index.loader, cluster)


@click.command()
@json_option
def reannotate(as_json: bool) -> None:
    """Read again what older rules or models read. Stop it anywhere; the next run goes on."""
    from smallprint.assistant import Assistant

    with click.progressbar(length=0, label="Reading again", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def show(so_far: Reannotated) -> None:
            bar.length = so_far.outdated
            bar.update(so_far.done - bar.pos)

        outcome = Assistant().reannotate(progress=show)
    if as_json:
        click.echo(json.dumps(asdict(outcome)))
    else:
        many = f"{outcome.done:,} version{'' if outcome.done == 1 else 's'}"
        say(f"Read {many} again." if outcome.done else "Everything is up to date.")


def _plain(outcome: Outcome, ranked: int | None, report: Path | None) -> dict[str, Any]:
    return {
        **asdict(outcome.taken),
        "before": outcome.before,
        "resumed": outcome.resumed,
        "problems": outcome.problems,
        "seconds": round(outcome.seconds, 2),
        "per_second": round(outcome.rate, 2),
        "reused": outcome.reused,
        "ranked": ranked,
        "report": None if report is None else str(report),
    }


def _tell(outcome: Outcome, ranked: int | None, report: Path | None) -> None:
    from smallprint.cli.render_search import counted

    taken = outcome.taken
    stored = counted(taken.stored, "policy", "policies")
    lines = [f"Stored {stored} in {outcome.seconds:,.0f} seconds ({outcome.rate:,.1f} documents/s)."]
    if outcome.before:
        lines.append(f"Done before: {counted(outcome.before, 'document', 'documents')}.")
    if outcome.reused:
        lines.append(f"Read by the cluster before it was stopped, and not again: {outcome.reused:,}.")
    if taken.unchanged:
        lines.append(f"In the library with the same text: {taken.unchanged:,}.")
    if taken.folded:
        lines.append(f"Nearly the same as another service's policy, folded under the newest: {taken.folded:,}.")
    if ranked is not None:
        lines.append(f"The popularity of {counted(ranked, 'service', 'services')} changed.")
    if taken.refused:
        kinds = sorted(outcome.problems.items(), key=lambda item: -item[1])
        lines.append(f"{taken.refused:,} could not be stored: {', '.join(f'{n:,} {kind}' for kind, n in kinds)}.")
        lines.append(f"Each is in {report}." if report else "Add --report FILE to see each with its place and reason.")
    say("\n".join(lines))


def _write(report: Path, library: Library, outcome: Outcome) -> None:
    """All problems of the run, also those from before it was stopped. Written beside and moved into place."""
    part = _part(report)
    with part.open("w", encoding="utf-8") as file:
        for problem in library.problems(outcome.run):
            row = {"place": problem.place, "kind": problem.kind, "reason": problem.reason}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(report)


@contextmanager
def _bar() -> Iterator[Any]:
    """How far, how fast, how long still; on stderr, and only where someone is looking."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}{task.fields[documents]:>9,} documents"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]:,.1f}/s"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Bar(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("", total=None, documents=0, rate=0.0)

        def show(progress: Progress) -> None:
            rate = (progress.documents - progress.before) / (bar.tasks[0].elapsed or 1)
            bar.update(
                task,
                description=progress.doing,
                total=progress.size,
                completed=progress.position,
                documents=progress.documents,
                rate=rate,
            )

        yield show
