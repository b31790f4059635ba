"""The corpus as documents of an index, read as a stream: no more than one policy is in memory."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from smallprint.bench.data import ENDINGS, DataDir
from smallprint.errors import DataMissing
from smallprint.index.document import IndexDocument
from smallprint.index.ranking import popularity_of
from smallprint.records import Facets

CORPUS: Final = ("corpus/policies.jsonl", "corpus/websites.jsonl")
RANKS: Final = "corpus/domain_ranks.tsv"
_LAST: Final = 1_000_000  # a domain that is only known to be among the first million

# Facets to count while speed is measured: what they say does not matter, how often they say it does. Shares are
# about those that PrivaSeer reports for its 1.4 million policies.
_SECTORS: Final = ("finance", "it", "consumer", "engineering", "medical", "media", "education", "travel", "unknown")
_MENTIONED: Final = {
    "tracking": (("cookies", 0.8), ("logs", 0.3), ("web_beacon", 0.3), ("fingerprinting", 0.02), ("ad_id", 0.1)),
    "bodies": (("NAI", 0.1), ("DAA", 0.1), ("TrustArc", 0.05)),
    "regulations": (("GDPR", 0.4), ("CCPA", 0.2), ("COPPA", 0.15), ("HIPAA", 0.05), ("privacy_shield", 0.1)),
}


def stream(data: DataDir, name: str) -> Iterator[dict[str, Any]]:
    """Rows one by one; the file's sha256 is noted as for any bench."""
    with _open(noted(data, name)) as file:
        try:
            yield from (json.loads(line) for line in file if line.strip())
        except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
            raise DataMissing(f"{name} is damaged: {error}") from error


def noted(data: DataDir, name: str) -> Path:
    """Where the file is; that it was used is noted."""
    found = [data.root / (name + ending) for ending in ENDINGS if (data.root / (name + ending)).is_file()]
    if not found:
        raise DataMissing(f"{data.root} has no {name} (plain, .gz or .xz).")
    with found[0].open("rb") as file:
        data.used[found[0].relative_to(data.root).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return found[0]


def _open(path: Path) -> IO[str]:
    openers: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    return cast(IO[str], openers.get(path.suffix, open)(path, "rt", encoding="utf-8"))


def ranks(data: DataDir) -> dict[str, int]:
    """Domain → rank, the best that any list gives."""
    known: dict[str, int] = {}
    with _open(noted(data, RANKS)) as file:
        for row in csv.DictReader(file, delimiter="\t"):
            given = [int(row[c]) for c in ("cc_pagerank_pos", "rank2023", "cloudflare_bucket") if row.get(c)]
            known[row["domain"]] = min(given, default=_LAST)
    return known


def rank_of(domain: str, known: dict[str, int]) -> int | None:
    while "." in domain:
        if domain in known:
            return known[domain]
        domain = domain.split(".", 1)[1]
    return None


def documents(data: DataDir) -> Iterator[IndexDocument]:
    """The whole corpus as it is, without annotation."""
    known = ranks(data)
    for name in CORPUS:
        for row in stream(data, name):
            yield _document(row, known)


def _document(row: dict[str, Any], known: dict[str, int]) -> IndexDocument:
    url = row.get("url") or ""
    p_policy = row.get("p_policy")
    return IndexDocument(
        id=row["id"],
        text=row["text"],
        service=row.get("service") or "",
        title=row.get("service") or "",
        url=url,
        date=str(row.get("date") or ""),
        p_policy=1.0 if p_policy is None else p_policy,
        popularity=popularity_of(url, rank_of(row.get("domain") or "", known)),
        words=row.get("words") or 0,
        facets=some_facets(row["id"]),
    )


def some_facets(id: str) -> Facets:
    dice = random.Random(id)
    mentioned = {
        facet: tuple(value for value, share in values if dice.random() < share) for facet, values in _MENTIONED.items()
    }
    return Facets(
        sector=dice.choice(_SECTORS),
        grade=round(dice.gauss(13, 2.5), 1),
        vagueness=round(min(1, max(0, dice.gauss(0.3, 0.1))), 2),
        tracking=mentioned["tracking"],
        bodies=mentioned["bodies"],
        regulations=mentioned["regulations"],
    )


def synthetic(data: DataDir, number: int, *, words: int = 2_000) -> Iterator[IndexDocument]:
    """As many policies as wanted, each of real paragraphs drawn from the corpus, about `words` long."""
    dice = random.Random(number)
    pool: list[str] = []
    for count, row in enumerate(stream(data, CORPUS[0])):
        pool.extend(line for line in row["text"].split("\n") if line.strip())
        if count == 3_000:
            break
    for place in range(number):
        parts: list[str] = []
        length = 0
        while length < words:
            parts.append(dice.choice(pool))
            length += parts[-1].count(" ") + 1
        id = f"synthetic:{place}"
        yield IndexDocument(
            id=id,
            text="\n".join(parts),
            service=f"service {place}",
            title=f"service {place}",
            url=f"https://service{place}.example/privacy",
            date=str(dice.randint(2010, 2024)),
            p_policy=round(dice.uniform(0.5, 1), 3),
            popularity=popularity_of("", dice.randint(1, 1_000_000)),
            words=length,
            facets=some_facets(id),
        )
