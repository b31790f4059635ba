"""What a command prints: one JSON document to stdout, or talk to stderr."""

from __future__ import annotations

import json

import click

from smallprint.records import plain


def print_json(value: object) -> None:
    """Records among it become plain."""
    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=2))


def say(text: str) -> None:
    click.echo(text, err=True)
