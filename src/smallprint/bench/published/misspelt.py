"""`bench misspelt`: what letter runs are worth (003 §8.3, figure 10) where people slip on the keys.

The same questions as they are and with slips, put to rows whose vectors know subwords and to rows whose vectors
don't: there an unknown word is no word.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of
from smallprint.bench.measures import ranking_scores
from smallprint.bench.published.polisis import polisis
from smallprint.bench.published.pribot import pribot, semvec
from smallprint.bench.published.retrieval import bm25
from smallprint.bench.report import Report
from smallprint.bench.systems import System, smallprint
from smallprint.errors import DataMissing

LEAST_LETTERS = 4
SLIPS = 0.5
"""The share of the longer words that get one slip."""
MEASURES = ("F@1", "F@5", "MRR", "MAP")

ROWS: dict[str, Callable[[], System]] = {
    "bm25": lambda: bm25,
    "pribot": lambda: partial(pribot, classifier=polisis(subwords=True)),
    "pribot-subwords": lambda: partial(pribot, classifier=polisis(subwords=False)),
    "semvec": lambda: partial(semvec, classifier=polisis(subwords=True)),
    "semvec-subwords": lambda: partial(semvec, classifier=polisis(subwords=False)),
    "smallprint": lambda: smallprint,
}


def run(data: DataDir, system: str | None = None) -> Report:
    if system is not None and system not in ROWS:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(ROWS)}).")
    readings = [reading_of(row) for row in data.rows("privacyqa/docs.jsonl")]
    questions = [row for row in data.rows("privacyqa/questions.jsonl") if row["any_relevant"]]
    rows: dict[str, dict[str, float]] = {}
    for name in (row for row in ROWS if system in (None, row)):
        asking = {reading.policy.source: ROWS[name]()(reading) for reading in readings}
        rows[name] = {}
        for suffix, spelt in (("", str), ("_misspelt", misspelt)):
            runs = []
            for row in questions:
                ranking = asking[row["doc_id"]](spelt(row["question"])).ranking
                runs.append(([n for n in ranking if n not in row["unknown"]], set(row["any_relevant"])))
            rows[name] |= {m + suffix: v for m, v in ranking_scores(runs).items() if m in MEASURES}
    return Report("misspelt", data.used, len(questions), rows)


def misspelt(text: str) -> str:
    """Half of the words of four letters and more with one slip: two letters swapped, one lost or one doubled. The
    same text always gets the same slips."""
    dice = random.Random(text)

    def slip(match: re.Match[str]) -> str:
        word = match[0]
        if dice.random() >= SLIPS:
            return word
        at = dice.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return dice.choice([swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]])

    return re.sub(rf"[A-Za-z]{{{LEAST_LETTERS},}}", slip, text)
