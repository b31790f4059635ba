"""`smallprint search` and `smallprint index rebuild`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from smallprint.cli.options import json_option
from smallprint.cli.printing import print_json, say
from smallprint.cli.sources import open_assistant

if TYPE_CHECKING:
    from smallprint.assistant import Assistant
    from smallprint.index.protocol import Filters, Request

SORTS = ("custom", "relevance", "popularity", "p_policy", "date")
PLACES = ("text", "url", "title", "page")
STANCES = ("does", "does-not", "choice")
MOST_PER_PAGE = 1_000
QUERY_HELP = (
    'QUERY: words (all must occur), "a phrase", AND OR NOT, ( ), title: url: site:, encrypt*, sell NEAR/5 data.'
    " Without QUERY, or with *, every policy. Ranges: 0..0.3, ..12, 500.."
)


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def _many(flag: str, name: str, help: str) -> Decorator:
    return click.option(flag, name, multiple=True, help=f"{help} Again for alternatives.")


@click.command(epilog=QUERY_HELP)
@click.argument("query", required=False, default="*")
@_many("--sector", "sector", "Only this sector, as medical.")
@_many("--regulation", "regulation", "Only policies that name it, as GDPR.")
@_many("--tracking", "tracking", "Only policies that name this technology.")
@_many("--body", "body", "Only policies that name this self-regulatory body.")
@_many("--practice", "practice", "Only policies with this practice.")
@_many("--data-type", "data_type", "Only policies about this kind of data.")
@_many("--third-party", "third_party", "Only policies that name this kind of third party.")
@_many("--language", "language", "Only this language, as en.")
@click.option("--vagueness", metavar="RANGE", help="Share of vague sentences, as 0..0.3.")
@click.option("--grade", metavar="RANGE", help="Years of schooling needed to read it, as ..12.")
@click.option("--words", metavar="RANGE", help="Length, as 500..2000.")
@click.option("--since", metavar="DATE", help="Not before 2021, 2021-05 or 2021-05-17.")
@click.option("--until", metavar="DATE", help="Not after that.")
@click.option("--in", "within", type=click.Choice(PLACES), default="text", help="Where words are looked for.")
@click.option("--sort", type=click.Choice(SORTS), default="custom", help="The order; custom unless given.")
@click.option("--sentences", is_flag=True, help="Find sentences instead of policies.")
@click.option("--stance", type=click.Choice(STANCES), multiple=True, help="What the sentences say of the practice.")
@click.option("--concordance", is_flag=True, help="Sentences with the words lined up.")
@click.option("--every-version", is_flag=True, help="Also versions that have a later one.")
@click.option("--page", type=click.IntRange(min=1), default=1, help="Which page.")
@click.option("--limit", type=click.IntRange(1, MOST_PER_PAGE), default=10, help="Hits on a page; 10 unless given.")
@click.option("--cursor", help="Go on where the last page ended (`next` in its JSON).")
@click.option(
    "--export", type=click.Path(path_type=Path, dir_okay=False), help="Write all hits to .jsonl, .csv, .parquet."
)
@json_option
def search(query: str, **options: Any) -> None:
    """Search the stored policies, or their sentences."""
    from smallprint.cli import render_search

    request = _request(query, options)
    assistant = open_assistant()
    if options["export"]:
        _export(assistant, request, options["export"])
        return
    with render_search.counting("Searching", "policies indexed first") as progress:
        found = assistant.search(request, options["cursor"], progress=progress)
    if options["as_json"]:
        from smallprint.index.searching import as_json

        print_json(as_json(found))
    else:
        render_search.found(found, concordance=options["concordance"])


@click.group()
def index() -> None:
    """The search index: made from the library, and made anew at any time."""


@index.command()
def rebuild() -> None:
    """Make the search index anew from the library; searches go on meanwhile."""
    from smallprint.cli import render_search

    assistant = open_assistant()
    with render_search.counting("Indexing", "policies") as progress:
        number = assistant.index_rebuild(progress=progress)
    say(f"The index holds {number:,} version{'' if number == 1 else 's'}.")


def _request(query: str, options: dict[str, Any]) -> Request:
    from smallprint.index.protocol import Sort, Unit
    from smallprint.index.searching import parsed

    sentences = options["sentences"] or options["concordance"] or bool(options["stance"])
    return parsed(
        query,
        within=options["within"],
        filters=_filters(options),
        sort=Sort(options["sort"]),
        unit=Unit.SENTENCE if sentences else Unit.POLICY,
        offset=(options["page"] - 1) * options["limit"],
        limit=options["limit"],
        every_version=options["every_version"],
    )


def _filters(options: dict[str, Any]) -> Filters:
    from smallprint.index.protocol import VALUE_FACETS
    from smallprint.index.searching import filters_of

    since, until = options["since"] or "", options["until"] or ""
    ranges = {name: options[name] for name in ("vagueness", "grade", "words")}
    ranges["date"] = f"{since}..{until}" if since or until else None
    return filters_of({name: options[name] for name in (*VALUE_FACETS, "stance")}, ranges)


def _export(assistant: Assistant, request: Request, path: Path) -> None:
    from dataclasses import replace

    from smallprint.index import export
    from smallprint.index.searching import describe

    with _working("Exporting"):
        page = assistant.search(replace(request, offset=0, limit=1, facets=(), snippets=False)).page
        about = {**describe(request), "total": page.total, "fingerprint": page.fingerprint}
        number = export.write(path, assistant.search_all(request), about)
    say(f"Wrote {number:,} hit{'' if number == 1 else 's'} to {path}.")


def _working(what: str) -> Any:
    from smallprint.cli import render

    return render.working(what)
