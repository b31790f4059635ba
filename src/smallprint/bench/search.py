"""`bench search`: S9 on the corpus: precision of its rankings, speed of indexing and of result pages, size.

Rows: `custom`, `relevance` and `popularity` are rankings (P@5 and P@10 by theme); `smallprint`, `tantivy-bare` and
`sqlite-fts5` are measured for speed. `--system rankings`, `--system speed` and `--system furniture` run one part;
`--system 300k` measures pages over 300,000 synthetic policies: twelve minutes of a processor, 9 GB, only when asked.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from statistics import fmean

from smallprint.bench import search_data, search_furniture, search_speed
from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.bench.search_queries import QUERIES, judgements
from smallprint.errors import DataMissing
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.language import parse
from smallprint.index.protocol import Index, Request, Sort

RANKINGS = (Sort.CUSTOM, Sort.RELEVANCE, Sort.POPULARITY)
Rows = dict[str, dict[str, float]]


def run(data: DataDir, system: str | None = None) -> Report:
    if system is not None and system not in PARTS:
        raise DataMissing(f"There is no part {system!r} here (known: {', '.join(PARTS)}).")
    chosen = [system] if system else ["rankings", "furniture", "speed"]
    rows: Rows = {}
    for part in chosen:
        for name, measures in PARTS[part](data).items():
            rows.setdefault(name, {}).update(measures)
    notes = (
        "A hit is relevant if the policy treats the practice, not where it only has the words; judged by a language "
        "model that read title and best passages, in search_judgements.jsonl. unjudged: share of the hits without "
        "a judgement, counted as not relevant.",
    )
    return Report("search", data.used, sum(map(len, QUERIES.values())), rows, notes=notes)


def rankings(data: DataDir) -> Rows:
    """The whole corpus, without annotation."""
    with search_speed.temporary() as folder:
        index = EmbeddedIndex(folder)
        index.rebuild(search_data.documents(data))
        return {str(sort): precision(index, sort) for sort in RANKINGS}


def precision(index: Index, sort: Sort, within: str = "text") -> dict[str, float]:
    """P@5 and P@10 by theme, as means over its queries."""
    verdicts = judgements()
    measures: dict[str, float] = {}
    unjudged: list[bool] = []
    for theme, queries in QUERIES.items():
        runs = []
        for query in queries:
            request = Request(parse(query), within=within, sort=sort, facets=(), snippets=False)
            keys = [(query, hit.id) for hit in index.search(request).hits]
            unjudged += [key not in verdicts for key in keys]
            runs.append([verdicts.get(key, False) for key in keys])
        for depth in (5, 10):
            measures[f"P@{depth} {theme}"] = fmean(sum(run[:depth]) / depth for run in runs)
    return measures | {"unjudged": fmean(unjudged)}


def furniture(data: DataDir) -> Rows:
    """Saved web pages: the policy alone, and the page with its menus and footers."""
    with search_speed.temporary() as folder:
        index = EmbeddedIndex(folder)
        index.rebuild(search_furniture.documents(data))
        return {
            f"{sort}, {label}": precision(index, sort, within)
            for sort in RANKINGS
            for label, within in (("pages without furniture", "text"), ("pages with furniture", "page"))
        }


def speed(data: DataDir) -> Rows:
    rows = search_speed.rates(data)
    for name, size in search_speed.SIZES.items():
        for system, measures in search_speed.pages(islice(search_data.documents(data), size), name).items():
            rows.setdefault(system, {}).update(measures)
    return rows


def speed_300k(data: DataDir) -> Rows:
    return search_speed.pages(search_data.synthetic(data, 300_000), "300k")


PARTS: dict[str, Callable[[DataDir], Rows]] = {
    "rankings": rankings,
    "furniture": furniture,
    "speed": speed,
    "300k": speed_300k,
}
