"""`smallprint voice say` and `smallprint voice model`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from smallprint.cli.printing import print_json
from smallprint.cli.sources import open_assistant

if TYPE_CHECKING:
    from smallprint.assistant import Assistant


@click.group()
def voice() -> None:
    """Ask stored policies by voice, with an Alexa skill of your own."""


@voice.command()
@click.argument("said", nargs=-1)
@click.option("--demo", is_flag=True, help="Load the sample policies first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: every response as the vendor gets it.")
def say(said: tuple[str, ...], demo: bool, as_json: bool) -> None:
    """Talk to the skill in the terminal: SAID one after the other, or whatever is typed.

    It goes the same way as speech, but for the vendor: nothing leaves this machine.
    """
    from smallprint.voice.simulate import Dialogue
    from smallprint.voice.skill import Skill

    assistant = _assistant(demo)
    dialogue = Dialogue(Skill(assistant), [entry.name for entry in assistant.list()])
    responses = [dialogue.launch()]
    if not as_json:
        _show(responses[-1])
    for words in said or _typed():
        if dialogue.over:
            break
        responses.append(dialogue.say(words))
        if not as_json:
            _show(responses[-1], words if said else None)
    if not dialogue.over:
        dialogue.hang_up()
    if as_json:
        print_json(responses)


@voice.command()
def model() -> None:
    """Print the skill's interaction model, for the vendor's editor. It holds the names of your stored policies."""
    from smallprint.voice.model import interaction_model

    names = [entry.name for entry in _assistant().list()]
    print_json(interaction_model(names))


def _show(response: dict[str, Any], words: str | None = None) -> None:
    from smallprint.voice.speech import plain

    if words is not None:
        click.echo(f"\n> {words}")
    body = response["response"]
    click.echo(plain(body["outputSpeech"]["ssml"]))
    if "card" in body:
        click.echo(click.style(f"\n[{body['card']['title']}]\n{body['card']['content']}", dim=True))


def _typed() -> Iterator[str]:
    try:
        while True:
            yield input("\nYou: ")
    except (EOFError, KeyboardInterrupt):
        click.echo("", err=True)


def _assistant(demo: bool = False) -> Assistant:
    assistant = open_assistant()
    if demo:
        assistant.add_samples()
    return assistant
