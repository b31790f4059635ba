"""What the published tables print beside ranking measures: policies by length, a filter, how much there is to read."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from smallprint.bench.measures import ranking_scores
from smallprint.bench.systems import Outcome
from smallprint.records import Reading

ACCEPTED = 0.6
"""003 takes an answer from this confidence on."""


@dataclass(frozen=True, slots=True)
class Run:
    """One question: `ranking` and `relevant` hold only sentences that were judged."""

    doc_id: str
    outcome: Outcome
    ranking: tuple[int, ...]
    relevant: frozenset[int]


def table_measures(runs: Sequence[Run], readings: Mapping[str, Reading]) -> dict[str, float]:
    """`MAP_short`, `_medium`, `_long`: policies cut at the 33rd and 66th percentile of their number of sentences.
    `accepted` is the share of questions answered with a confidence of .6, `F@1_accepted` their rate of a relevant
    first sentence. `sentences_returned` and `words_returned` (means a question, no fractions) are what is shown and
    what would follow on "more"; `length_reduction` is the share of those words that is held back."""
    taken = [run for run in runs if run.outcome.confidence >= ACCEPTED]
    return {
        **_by_length(runs, readings),
        "accepted": len(taken) / max(1, len(runs)),
        "F@1_accepted": ranking_scores([(run.ranking, run.relevant) for run in taken])["F@1"],
        **_reading_load(runs, readings),
    }


def _by_length(runs: Sequence[Run], readings: Mapping[str, Reading]) -> dict[str, float]:
    lengths = {name: len(reading.sentences) for name, reading in readings.items()}
    low, high = (percentile(lengths.values(), share) for share in (0.33, 0.66))
    parts = {"short": (0, low), "medium": (low, high), "long": (high, math.inf)}
    return {
        f"MAP_{part}": ranking_scores([(r.ranking, r.relevant) for r in runs if least < lengths[r.doc_id] <= most])[
            "MAP"
        ]
        for part, (least, most) in parts.items()
    }


def percentile(values: Collection[int], share: float) -> int:
    """The smallest value that this share of them does not exceed; 0 of none."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else 0


def _reading_load(runs: Sequence[Run], readings: Mapping[str, Reading]) -> dict[str, float]:
    words = {name: {s.id: len(s.text.split()) for s in r.sentences} for name, r in readings.items()}
    shown = [sum(words[run.doc_id][n] for n in run.outcome.shown) for run in runs]
    more = [sum(words[run.doc_id][n] for n in run.outcome.more) for run in runs]
    sentences = [len(run.outcome.shown) + len(run.outcome.more) for run in runs]
    returned = sum(shown) + sum(more)
    return {
        "sentences_returned": sum(sentences) / max(1, len(runs)),
        "words_returned": returned / max(1, len(runs)),
        "length_reduction": sum(more) / max(1, returned),
    }
