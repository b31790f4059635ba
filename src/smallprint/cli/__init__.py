"""The command line: parse, call `Assistant`, render."""

from __future__ import annotations

import os
import sys

from smallprint.errors import SmallprintError


def main() -> None:
    """Exit 0 done, 1 failed, 2 misuse. A failure is one line on stderr, never a traceback."""
    from smallprint.cli.commands import smallprint

    try:
        smallprint(prog_name="smallprint")
    except SmallprintError as error:
        print(f"smallprint: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output went away (`| head`); keep the interpreter from flushing into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
