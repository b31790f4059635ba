"""A conversation in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smallprint.cli import render
from smallprint.records import Answer

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy
    from smallprint.assistant import Assistant

HELP = "Ask in your own words. Also: more, why, policies (choose another), help, quit."


def talk(assistant: Assistant, source: str | None, force: bool) -> None:
    opened = assistant.read(source, force=force) if source else choose(assistant)
    if opened is None:
        click.echo("The library is empty: name a SOURCE, or load the samples with --demo.", err=True)
        return
    _introduce(opened)
    last: Answer | None = None
    while (line := _prompt()) is not None:
        match line.lower().strip(" ?!."):
            case "":
                continue
            case "quit" | "exit" | "q" | "bye":
                return
            case "help" | "?":
                click.echo(HELP, err=True)
            case "policies":
                opened, last = choose(assistant) or opened, None
                _introduce(opened)
            case "more" if last:
                render.answer(last, more=True)
            case "why" if last:
                render.answer(last, explain=True)
            case _:
                last = opened.ask(line)
                render.answer(last)


def choose(assistant: Assistant) -> OpenPolicy | None:
    """Let the person pick a stored policy by number or name."""
    entries = assistant.list()
    if not entries:
        return None
    for number, entry in enumerate(entries, 1):
        click.echo(f"{number:>3}  {entry.name}", err=True)
    while (line := _prompt("Which policy? ")) is not None:
        wanted = line.strip()
        if wanted.isdecimal() and 1 <= int(wanted) <= len(entries):
            return assistant.stored(entries[int(wanted) - 1].name)
        named = [entry.name for entry in entries if entry.name.lower().startswith(wanted.lower())]
        if wanted and len(named) == 1:
            return assistant.stored(named[0])
        click.echo(f"A number from 1 to {len(entries)}, or a name from the list.", err=True)
    return None


def _introduce(opened: OpenPolicy) -> None:
    overview = opened.overview()
    click.echo(f"\n{overview.title}: {overview.words:,} words, {overview.minutes} minutes to read.", err=True)
    click.echo(HELP, err=True)


def _prompt(text: str = "\nYour question: ") -> str | None:
    """The next line, or None at the end of input."""
    try:
        return input(text)
    except (EOFError, KeyboardInterrupt):
        click.echo("", err=True)
        return None
