"""The commands. Data goes to stdout, talk to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from smallprint import __version__
from smallprint import settings as settings_
from smallprint.cli import across, changes, ingest, library, mcp, search, sources, voice
from smallprint.cli.options import SOURCE_HELP, force_option, json_option, offering_force
from smallprint.cli.printing import print_json, say
from smallprint.cli.sources import open_assistant, summary
from smallprint.errors import SmallprintError
from smallprint.records import plain_fields

if TYPE_CHECKING:
    from smallprint.library import Entry


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="smallprint %(version)s")
def smallprint() -> None:
    """Reads privacy policies so that you don't have to.

    Ask in your own words and get the exact sentences. Everything runs on this machine; nothing is sent anywhere
    but the request for the page you name.
    """


@smallprint.command(epilog=SOURCE_HELP)
@click.argument("source")
@click.argument("question")
@click.option("--more", is_flag=True, help="Show the sentences that are held back at first.")
@click.option("--explain", is_flag=True, help="Show what each stage did.")
@force_option
@json_option
def ask(source: str, question: str, more: bool, explain: bool, force: bool, as_json: bool) -> None:
    """Ask SOURCE a QUESTION in your own words."""
    if not question.strip():
        raise click.UsageError("The question is empty.")
    opened = sources.read(open_assistant(), source, force)
    with _render().working("Reading it with your question in mind"):
        answer = opened.ask(question)
    if as_json:
        print_json({"policy": summary(opened), **plain_fields(answer)})
    else:
        _render().answer(answer, more=more, explain=explain)


@smallprint.command(epilog=SOURCE_HELP)
@click.argument("source")
@force_option
@json_option
def read(source: str, force: bool, as_json: bool) -> None:
    """Show what is in SOURCE: a privacy label in plain words, outline, length, how hard it is to read."""
    opened = sources.read(open_assistant(), source, force)
    with _render().working("Reading what it says is done"):
        overview, label = opened.overview(), opened.label()
    if as_json:
        print_json({**plain_fields(overview), "label": label, "practices": opened.practices()})
    else:
        _render().overview(overview, label)


@smallprint.command(
    epilog="SOURCE is a web address, a file, or the name of a stored policy. A file that is called like a stored "
    "policy is ./NAME."
)
@click.argument("source", required=False)
@click.option("--demo", is_flag=True, help="Load the sample policies first.")
@force_option
def chat(source: str | None, demo: bool, force: bool) -> None:
    """Ask SOURCE one question after another; without SOURCE, choose from the library."""
    from smallprint.cli import talk

    if source == "-":
        raise click.UsageError("A conversation needs standard input for your questions: name a file.")
    assistant = open_assistant()
    if demo:
        with _render().working("Loading the sample policies"):
            assistant.add_samples()
    talk.talk(assistant, source, force)


@smallprint.command(epilog="SOURCE is a web address (a homepage will do), a file, or - for standard input.")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("--name", help="The service's name (only with one SOURCE); else the title or the domain.")
@force_option
@json_option
def add(sources: tuple[str, ...], name: str | None, force: bool, as_json: bool) -> None:
    """Store policies in the library, under their service's name."""
    if name and len(sources) > 1:
        raise click.UsageError("--name goes with one SOURCE.")
    assistant = open_assistant()

    def store(source: str) -> dict[str, Any]:
        with _render().working(f"Reading {source}"), offering_force():
            stored = assistant.add(source, name=name, force=force, stdin=sys.stdin.buffer if source == "-" else None)
        say(f"{'Stored' if stored.new else 'Already there:'} {stored.name} ({stored.words:,} words)")
        return plain_fields(stored)

    _each(sources, store, as_json)


@smallprint.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the stored policies."""
    entries = open_assistant().list()
    if as_json:
        print_json(entries)
    elif entries:
        _render().entries(entries)
    else:
        say("The library is empty. Store a policy with: smallprint add SOURCE")


@smallprint.command()
@click.argument("name")
@click.option("--version", type=int, help="The id of an earlier version (see --versions).")
@click.option("--versions", "history", is_flag=True, help="List the versions instead.")
@json_option
def show(name: str, version: int | None, history: bool, as_json: bool) -> None:
    """Print the text of the stored policy NAME."""
    assistant = open_assistant()
    if history:
        versions = assistant.versions(name)
        print_json(versions) if as_json else _render().versions(versions)
        return
    policy = assistant.stored(name, version).policy
    if as_json:
        print_json({**plain_fields(policy), "digest": policy.digest})
    else:
        click.echo(policy.text)


@smallprint.command()
@click.argument("name", required=False)
@json_option
def refresh(name: str | None, as_json: bool) -> None:
    """Fetch stored policies again (NAME, or all that have an address or a file of their own); a changed text becomes a
    new version."""
    assistant = open_assistant()
    names = [name] if name else _refreshable(assistant.list())

    def again(one: str) -> dict[str, Any]:
        with _render().working(f"Reading {one} again"):
            stored = assistant.refresh(one)
        say(f"{stored.name}: {'changed, new version stored' if stored.new else 'unchanged'}")
        return plain_fields(stored)

    _each(names, again, as_json)


def _refreshable(entries: Iterable[Entry]) -> list[str]:
    """The names of what can be read again. That other texts can't is no failure, or every run would be one."""
    from smallprint.library.names import PASTED, leads_back

    names, lost = [], 0
    for entry in entries:
        if leads_back(entry.source):
            names.append(entry.name)
        elif entry.source == PASTED:
            say(f"{entry.name}: pasted, so passed over")
        else:
            lost += 1
    if lost:  # a collection may have thousands
        say(f"Passed over {lost:,} polic{'y' if lost == 1 else 'ies'} that came from a collection without an address")
    return names


@smallprint.command()
@click.argument("name", required=False)
@click.option("--undo", is_flag=True, help="Bring back the policy that was removed last.")
def remove(name: str | None, undo: bool) -> None:
    """Take the policy NAME out of the library. `remove --undo` brings it back."""
    if undo == bool(name):
        raise click.UsageError("Give a NAME, or --undo.")
    if name:
        say(f"Removed {open_assistant().remove(name)}. Bring it back with: smallprint remove --undo")
    else:
        say(f"{open_assistant().restore()} is back.")


@smallprint.command()
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="Forget all policies and conversations, index and cache.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def forget(name: str | None, everything: bool, yes: bool) -> None:
    """Erase the policy NAME, or everything, for good."""
    if everything == bool(name):
        raise click.UsageError("Give a NAME, or --all.")
    what = f"“{name}” and all its versions" if name else "every stored policy"
    if not yes:
        click.confirm(f"Erase {what} for good?", abort=True, err=True)
    if name:
        open_assistant().forget(name)
    else:
        open_assistant().forget_all()
    say(f"Forgot {what}.")


@smallprint.command()
@click.option("--host", help="Listen on this address, else 127.0.0.1; beyond this machine SMALLPRINT_TOKEN is wanted.")
@click.option("--port", type=click.IntRange(0, 65535), help="Listen on this port, else 8765; 0 finds a free one.")
@click.option("--demo", is_flag=True, help="Load the sample policies first.")
@click.option("--open", "browse", is_flag=True, help="Open it in the browser.")
def serve(host: str | None, port: int | None, demo: bool, browse: bool) -> None:
    """Serve the web app and the HTTP API, on this machine only unless told otherwise."""
    from smallprint import server
    from smallprint.assistant import Assistant

    flags: dict[str, Any] = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = settings_.load(**flags)
    server.check(settings)
    if demo:
        with _render().working("Loading the sample policies"):
            Assistant(settings).add_samples()

    def ready(address: str) -> None:
        say(f"Smallprint is at {address}. Stop it with Ctrl+C.")
        if browse and _has_screen():
            click.launch(address)

    server.serve(settings, ready=ready)


def _has_screen() -> bool:
    """Without one, `xdg-open` tries every browser it has heard of and complains of each."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


@smallprint.command()
@click.argument("name")
@click.option("--data", type=click.Path(path_type=Path), help="The data folder (else SMALLPRINT_DATA).")
@click.option("--system", help="Run only this row.")
@json_option
def bench(name: str, data: Path | None, system: str | None, as_json: bool) -> None:
    """Measure: run the bench NAME and print its figures. A NAME that is none lists them all."""
    from smallprint.bench import registry

    folder = registry.folder_for(name, data)
    with _render().working(f"Measuring {name}"):
        report = registry.run(name, folder, system)
    if as_json:
        print_json(report.as_json())
    else:
        _render().report(report)


smallprint.add_command(changes.changes)
smallprint.add_command(ingest.ingest)
smallprint.add_command(ingest.reannotate)
smallprint.add_command(library.library)
smallprint.add_command(mcp.mcp)
smallprint.add_command(search.search)
smallprint.add_command(search.index)
smallprint.add_command(voice.voice)
for command in across.COMMANDS:
    smallprint.add_command(command)


def _each(items: list[str] | tuple[str, ...], do: Callable[[str], dict[str, Any]], as_json: bool) -> None:
    """One failure does not stop the others; the exit code tells that there was one."""
    done, failed = [], False
    for item in items:
        try:
            done.append(do(item))
        except SmallprintError as error:
            failed = True
            print(f"smallprint: {item}: {error}", file=sys.stderr)
    if as_json:
        print_json(done)
    if failed:
        sys.exit(1)


def _render() -> Any:
    from smallprint.cli import render

    return render
