"""A SOURCE of the command line, read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from smallprint.cli.printing import say

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy
    from smallprint.assistant import Assistant


def open_assistant() -> Assistant:
    from smallprint.assistant import Assistant

    return Assistant()


def read(assistant: Assistant, source: str, force: bool) -> OpenPolicy:
    """What is to be known of the way there, as a link that was followed, is talk and goes to stderr."""
    from smallprint.cli import render

    pasted = source == "-"
    with render.working(f"Reading {'standard input' if pasted else source}"):
        opened = assistant.read(source, force=force, stdin=sys.stdin.buffer if pasted else None)
    for note in opened.policy.notes:
        say(note)
    return opened


def summary(opened: OpenPolicy) -> dict[str, Any]:
    """What JSON tells of a policy that was read."""
    policy = opened.policy
    return {
        "title": policy.title,
        "source": policy.source,
        "url": policy.url,
        "digest": policy.digest,
        "notes": list(policy.notes),
    }
