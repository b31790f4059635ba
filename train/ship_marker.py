"""Calibrate and measure an exported marker on what it has not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from smallprint.bench.judged import plain, span_f1
from smallprint.models.marker import Mark, Marker
from smallprint.models.passage import Passage
from smallprint.models.said import SAID
from train.calibrate import temperature
from train.data import Row, fold_of, rows
from train.judge_data import Asked
from train.paths import Paths
from train.ship_arbiter import chances_of

EVERY = 4
"""One PolicyQA question in four is enough for the card; `bench policyqa` asks them all."""


def settings_and_scores(marker: Marker, asked: Asked, paths: Paths) -> tuple[dict[str, Any], dict[str, Any]]:
    """The temperature stands on the first sentence that people would quote, of one half of the held-out policies."""
    half = [q for q in asked.questions if q["kind"] == "answerable" and fold_of(f"half {q['doc_id']}", 2) == 0]
    chances = [chances_of(_first(marker, asked, row).said) for row in half]
    heat = temperature(np.log(chances), np.array([SAID.index(row["stance"]) for row in half]))
    scores = {
        "policyqa dev": policyqa(marker, paths.data),
        "asked, held-out fifth, span in quoted sentences": asked_spans(marker, asked),
    }
    return {"stance_temperature": heat, "said": list(SAID)}, scores


def _first(marker: Marker, asked: Asked, row: Row) -> Mark:
    number = next(n for n, grade in row["relevant"] if grade == 2)
    return marker.mark(row["question"], [asked.policies[row["doc_id"]].passage(number)])[0]


def asked_spans(marker: Marker, asked: Asked) -> float:
    """Token F1 in the first quoted sentence that holds the span."""
    found = []
    for row in asked.questions:
        policy = asked.policies[row["doc_id"]]
        for number in (n for n, grade in row["relevant"] if grade == 2):
            if row["span"] and row["span"] in policy.text(number):
                mark = marker.mark(row["question"], [policy.passage(number)])[0]
                found.append(span_f1(policy.text(number)[slice(*mark.span)], row["span"]))
                break
    return float(np.mean(found))


def policyqa(marker: Marker, data: Path, every: int = EVERY) -> dict[str, float]:
    exact, overlap = [], []
    for row in list(rows(data, "policyqa/dev"))[::every]:
        mark = marker.mark(row["question"], [Passage(row["context"], 0)])[0]
        given = row["context"][slice(*mark.span)]
        exact.append(max(plain(given) == plain(answer["text"]) for answer in row["answers"]))
        overlap.append(max(span_f1(given, answer["text"]) for answer in row["answers"]))
    return {"questions": len(exact), "em": float(np.mean(exact)), "f1": float(np.mean(overlap))}
