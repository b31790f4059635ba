"""Options that several commands have, and the words that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from smallprint.errors import NotAPolicy

SOURCE_HELP: Final = (
    "SOURCE is a web address, a file, - for standard input, or the name of a stored policy. A file that is called like "
    "a stored policy is ./NAME."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@contextmanager
def offering_force() -> Iterator[None]:
    """Tell of `--force` where it would have helped."""
    try:
        yield
    except NotAPolicy as error:
        raise NotAPolicy(f"{error} To go on anyway, add --force.") from error


def force_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--force`, and the hint at it."""
    flag = click.option("--force", is_flag=True, help="Go on even if it does not look like a privacy policy.")
    return flag(offering_force()(command))
