"""Saved web pages, each twice: the policy that the extractor finds, and all the page's visible text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from smallprint.bench import search_data
from smallprint.bench.data import DataDir
from smallprint.index.document import IndexDocument
from smallprint.index.ranking import popularity_of
from smallprint.ingest import detect, html
from smallprint.ingest.assemble import assemble, normalise


def documents(data: DataDir) -> Iterator[IndexDocument]:
    known = search_data.ranks(data)
    for row in search_data.stream(data, "pages/html.jsonl"):
        yield _document(f"pages:{row['policy_id']}", row["service"], row["url"], row["html"], known)
    sites = {row["policy_id"]: row for row in search_data.stream(data, "opp115/policies.jsonl")}
    for row in search_data.stream(data, "opp115/html.jsonl"):
        site = sites.get(row["policy_id"], {})
        name = site.get("site") or row["file"]
        yield _document(f"opp115:{row['policy_id']}", name, site.get("url") or "", row["html"], known)


def _document(id: str, service: str, url: str, markup: str, known: dict[str, int]) -> IndexDocument:
    page = html.extract(markup, url)
    text, _ = assemble(page.pieces)
    host = url.split("//")[-1].split("/")[0].removeprefix("www.")
    return IndexDocument(
        id=id,
        text=text,
        page=whole_text(markup),
        service=service,
        title=page.title or service,
        url=url,
        p_policy=detect.p_policy(page.title, text),
        popularity=popularity_of(url, search_data.rank_of(host, known)),
        words=len(text.split()),
    )


def whole_text(markup: str) -> str:
    """Everything a reader of the page could see, menus and footers too."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root: Any = etree.fromstring(markup.encode("utf-8", "replace"), parser)
    if root is None:
        return ""
    for unseen in root.iter("script", "style", "noscript", "template", etree.Comment):
        tail = unseen.tail
        unseen.clear()
        unseen.tail = tail
    return "\n".join(line for text in root.itertext() if (line := normalise(str(text))))
