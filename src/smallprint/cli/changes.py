"""`smallprint changes`: what changed in a policy, version by version, or between two."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from smallprint.cli.options import force_option, json_option
from smallprint.cli.printing import print_json
from smallprint.cli.sources import open_assistant, read
from smallprint.errors import QueryError

if TYPE_CHECKING:
    from smallprint.assistant import Assistant

_EPILOG = (
    "With one SERVICE, a stored policy, the timeline of its versions. With two, OLD and NEW are web addresses, files, "
    "- for standard input, or names of stored policies. Versions come into the library with `add`, `refresh` and "
    "`ingest` (histories, Open Terms Archive repositories, folders of dated files)."
)
_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@click.command(epilog=_EPILOG)
@click.argument("old", metavar="SERVICE|OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--since", default="", metavar="DAY", help="Only what changed from then on: 2024, 2024-03 or 2024-03-01.")
@click.option("--first", metavar="WORDS", help="When these words first stood in the policy of SERVICE, and until when.")
@click.option("--quiet", is_flag=True, help="List also what was only reworded or tidied up.")
@force_option
@json_option
def changes(old: str, new: str | None, since: str, first: str | None, quiet: bool, force: bool, as_json: bool) -> None:
    """What changed in practice: added, dropped, weakened, strengthened; moved and reflowed text is no change."""
    from smallprint.cli import render, render_changes

    if new and (since or first is not None):
        raise click.UsageError("--since and --first go with one SERVICE.")
    if since and not _DAY.fullmatch(since):
        raise QueryError(f"“{since}” is no day: give a year, a month or a day such as 2024, 2024-03 or 2024-03-01.")
    assistant = open_assistant()
    if first is not None:
        _first(assistant, old, first, as_json)
    elif new:
        both = [read(assistant, source, force) for source in (old, new)]
        with render.working("Reading what differs"):
            revision = assistant.changes_of(*both)
        print_json(revision) if as_json else render_changes.revision(revision, quiet=quiet)
    else:
        with _bar() as progress:
            history = assistant.changes(old, since, progress=progress)
        print_json(history) if as_json else render_changes.history(history, since=since, quiet=quiet)


def _first(assistant: Assistant, name: str, words: str, as_json: bool) -> None:
    from smallprint.cli import render_changes

    days = assistant.first_seen(name, words)
    print_json({"words": words, "days": list(days)}) if as_json else render_changes.first(words, days)


@contextmanager
def _bar() -> Iterator[Any]:
    """How many versions are compared; on stderr, and only where someone is looking."""
    with click.progressbar(
        length=0, label="Comparing versions", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
