"""A conversation in the terminal. A word with a slash before it means the same as without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from smallprint.cli import render
from smallprint.cli.printing import say
from smallprint.dialogue.intent import intent
from smallprint.errors import UnknownSession
from smallprint.records import Answer, Session, Turn
from smallprint.words import minutes

if TYPE_CHECKING:
    from smallprint.assistant import Assistant

HELP = "Ask in your own words. Also: more, why, policies, now NAME, start over, help, /trace, quit."


def talk(assistant: Assistant, source: str | None, force: bool) -> None:
    source = source or choose(assistant)
    if source is None:
        say("The library is empty: name a SOURCE, or load the samples with --demo.")
        return
    session = assistant.open_session(source, force=force)
    _introduce(assistant, source, session, force)
    last: Answer | None = None
    while (line := _prompt()) is not None:
        match line.strip().lower().strip("/?!. "):
            case "":
                continue
            case "quit" | "exit" | "q" | "bye":
                return
            case "trace":
                _trace(last)
                continue
        try:
            turn = _say(assistant, session, line)
        except UnknownSession:  # it was forgotten, or nothing was said for too long
            session, last = assistant.open_session(source, force=force), None
            say(f"\nA new conversation about {session.policy}.")
            turn = _say(assistant, session, line)
        last = None if intent(turn.said) in ("start over", "forget") else turn.answer or last
        render.turn(turn)


def _trace(last: Answer | None) -> None:
    if last:
        render.trace(last)
    else:
        say("Nothing was asked yet.")


def _say(assistant: Assistant, session: Session, line: str) -> Turn:
    with render.working("Reading it with your question in mind"):
        return assistant.say(session.id, line.strip().removeprefix("/"))


def choose(assistant: Assistant) -> str | None:
    """Let the person pick a stored policy by number or name."""
    names = [entry.name for entry in assistant.list()]
    if not names:
        return None
    render.numbered(names)
    while (line := _prompt("Which policy? ")) is not None:
        wanted = line.strip()
        if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
            return names[int(wanted) - 1]
        named = _named(wanted, names)
        if named:
            return named
        say(f"A number from 1 to {len(names)}, or a name from the list.")
    return None


def _named(wanted: str, names: Sequence[str]) -> str | None:
    """The name that it is, else the only one that begins with it; None where it can't be told."""
    key = wanted.casefold()
    same = [name for name in names if name.casefold() == key]
    fitting = same or [name for name in names if key and name.casefold().startswith(key)]
    return fitting[0] if len(fitting) == 1 else None


def _introduce(assistant: Assistant, source: str, session: Session, force: bool) -> None:
    overview = assistant.read(source, force=force).overview()
    for note in overview.notes:
        say(note)
    say(f"\n{session.policy}: {overview.words:,} words, {minutes(overview.minutes)} to read.")
    say(HELP)


def _prompt(text: str = "\nYour question: ") -> str | None:
    """The next line, or None at the end of input."""
    try:
        return input(text)
    except (EOFError, KeyboardInterrupt):
        say("")
        return None
