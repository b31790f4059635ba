"""`smallprint library`: the whole library as a Parquet snapshot, and a snapshot into the library."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from smallprint import settings as settings_
from smallprint.cli.options import json_option
from smallprint.cli.printing import say

_PLACE = (
    "PATH that ends in .parquet is one file, any other a folder of files that can be read side by side; also an "
    "address that pyarrow can open (hdfs://, s3://, gs://). Needs: pip install 'smallprint[parquet]'."
)


@click.group()
def library() -> None:
    """Carry the library from one machine to another, or to other tools."""


@library.command(epilog=_PLACE)
@click.argument("path")
@json_option
def export(path: str, as_json: bool) -> None:
    """Write all policies, versions and what was read from them to PATH."""
    from smallprint.cli import render_search
    from smallprint.library import Library

    with (
        Library.open(settings_.load()) as opened,
        render_search.counting("Writing", "versions") as counted,
    ):
        written = opened.export(path, progress=counted or (lambda _: None))
    if as_json:
        click.echo(json.dumps({"path": path, "versions": written}, ensure_ascii=False))
    else:
        say(f"Wrote {written:,} version{'' if written == 1 else 's'} to {path}.")


@library.command("import", epilog=_PLACE)
@click.argument("path")
@json_option
def import_(path: str, as_json: bool) -> None:
    """Store what the snapshot at PATH holds; what is there already stays. Stopped, it goes on where it was."""
    from smallprint.assistant import Assistant
    from smallprint.cli import render_search
    from smallprint.library import Library

    settings = settings_.load()
    with Library.open(settings) as opened, render_search.counting("Storing", "versions") as counted:
        taken = opened.take_in(path, progress=counted or (lambda _: None))
    with render_search.counting("Indexing", "policies") as indexed:
        Assistant(settings).index_follow(progress=indexed)
    if as_json:
        click.echo(json.dumps(asdict(taken)))
        return
    there = taken.unchanged + taken.before
    known = f" {there:,} were there already." if there else ""
    say(f"Stored {taken.stored:,} version{'' if taken.stored == 1 else 's'}.{known}")
