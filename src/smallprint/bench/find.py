"""`bench find`: twenty needs, and ten more that were held back, put to the first 3,000 policies of `corpus/policies`.

A hit is right if its sentence says what the need wants, read as a person would who needs it; judgements are in
find_judgements.jsonl, by a hash of the sentence. `wrong_way`: listed as saying so although the sentence says the
contrary. A row for the needs that were looked at while finding was made, one for those held back.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from statistics import fmean, median
from typing import Any, Final

from smallprint.asking import encoders
from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.bench.search_data import stream
from smallprint.bench.search_speed import temporary
from smallprint.errors import DataMissing, SmallprintError
from smallprint.index.document import IndexDocument, sentences_of
from smallprint.index.embedded import EmbeddedIndex
from smallprint.ingest.source import read_bytes
from smallprint.norms.find import find
from smallprint.records import Policy
from smallprint.segment import segment

POLICIES: Final = 3_000
DEPTH: Final = 5
ROWS: Final = {"smallprint": False, "smallprint, needs held back": True}
RIGHT, WRONG, CONTRARY = "right", "wrong", "contrary"
Listed = list[tuple[str, str]]  # (document, sentence)


def run(data: DataDir, system: str | None = None) -> Report:
    if system not in (None, *ROWS):
        raise DataMissing(f"There is no row {system!r} here (known: {', '.join(ROWS)}).")
    with temporary() as folder:
        index = EmbeddedIndex(folder)
        texts: dict[str, Policy] = {}
        index.rebuild(_documents(data, texts))
        rows = {
            name: measured([(need, *_timed(need, index, texts)) for need in needs(held=held)])
            for name, held in ROWS.items()
            if system in (None, name)
        }
    note = "Judged by a language model that read each sentence; unjudged hits count as wrong. Seconds are wall clock."
    return Report("find", data.used, len(needs()), rows, notes=(note,))


def measured(listed: list[tuple[str, Listed, float]]) -> dict[str, float]:
    """P@5 over what is listed, at most five a need: a need that few policies meet has no fifth."""
    verdicts = judgements()
    given = [[verdicts.get((need, key(text)), "") for _, text in found[:DEPTH]] for need, found, _ in listed]
    some = [one for one in given if one]
    every = [verdict for one in given for verdict in one]
    return {
        "P@5": fmean(one.count(RIGHT) / len(one) for one in some) if some else 0.0,
        "wrong_way": every.count(CONTRARY) / max(1, len(every)),
        "listed": fmean(min(DEPTH, len(found)) for _, found, _ in listed) / DEPTH,
        "needs_met": len(some) / max(1, len(given)),
        "unjudged": every.count("") / max(1, len(every)),
        "seconds_median": median(seconds for _, _, seconds in listed),
    }


@cache
def needs(*, held: bool = False) -> tuple[str, ...]:
    """Twenty that were looked at while finding was made; ten that were `held` back until it was."""
    return tuple(row["need"] for row in _rows("find_needs.jsonl") if row.get("held", False) == held)


@cache
def judgements() -> dict[tuple[str, str], str]:
    """(need, hash of the sentence) → right, wrong or contrary."""
    return {(row["need"], row["sentence"]): row["verdict"] for row in _rows("find_judgements.jsonl")}


def key(sentence: str) -> str:
    """The data may not be copied; its sentences are known by this."""
    return hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest()[:16]


def _rows(name: str) -> list[dict[str, Any]]:
    text = files("smallprint.bench").joinpath(name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def _timed(need: str, index: EmbeddedIndex, texts: dict[str, Policy]) -> tuple[Listed, float]:
    since = time.perf_counter()
    finding = find(need, index, encoders().judge, encoders().marker, texts.get)
    return [(match.id, match.sentence) for match in finding.matches], time.perf_counter() - since


def _documents(data: DataDir, texts: dict[str, Policy]) -> Iterator[IndexDocument]:
    for row in islice(stream(data, "corpus/policies.jsonl"), POLICIES):
        try:
            policy = read_bytes(row["text"].encode(), row["id"], charset="utf-8", force=True).policy
        except SmallprintError:  # not English, or nothing left to read
            continue
        texts[row["id"]] = policy
        yield IndexDocument(
            id=row["id"],
            text=policy.text,
            service=row.get("service") or "",
            title=row.get("service") or "",
            sentences=sentences_of(segment(policy)),
        )
