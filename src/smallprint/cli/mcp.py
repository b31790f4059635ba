"""`smallprint mcp`."""

from __future__ import annotations

import click


@click.command()
def mcp() -> None:
    """Serve an assistant that speaks the Model Context Protocol, over standard input and output.

    Its tools read, ask, search, compare and check policies and change nothing; stored policies are resources. The
    assistant that starts it gets the answers: what it does with them, and with the questions, is up to it.
    """
    from smallprint.assistant import Assistant
    from smallprint.mcp import run_stdio

    run_stdio(Assistant())
