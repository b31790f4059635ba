"""Calibrate and measure an exported marker on what it has not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from smallprint.answer.judging import TOGETHER
from smallprint.bench.judged import plain, span_f1
from smallprint.models.marker import SAID, SILENT, Marker
from smallprint.models.passage import Passage
from train import labelled
from train.calibrate import reliability, temperature
from train.data import Row, fold_of, rows
from train.judge_data import Asked
from train.labelled import Labelled, Texts, in_order
from train.paths import Paths

EVERY = 4
"""One PolicyQA question in four is enough for the card; `bench policyqa` asks them all."""


def settings_and_scores(marker: Marker, asked: Asked, paths: Paths) -> tuple[dict[str, Any], dict[str, Any]]:
    """The temperature stands on one half of the held-out policies, the stance figures on the other."""
    said = [(row, stances(marker, asked, row)) for row in asked.questions if row["kind"] == "answerable"]
    first = [(row, chances) for row, chances in said if fold_of(f"half {row['doc_id']}", 2) == 0]
    second = [(row, chances) for row, chances in said if fold_of(f"half {row['doc_id']}", 2) == 1]
    heat = temperature(np.log([chances for _, chances in first]), np.array([_number(row) for row, _ in first]))
    scores = {
        "policyqa dev": policyqa(marker, paths.data),
        "asked, held-out fifth, span in quoted sentences": asked_spans(marker, asked),
        "asked, stance of quoted sentences": stance_scores(second, heat),
        "pointed questions, held-out fifth": pointed(marker, labelled.held_out(Texts(paths))),
    }
    return {"stance_temperature": heat, "said": list(SAID)}, scores


def _number(row: Row) -> int:
    return SAID.index(row["stance"])


def stances(marker: Marker, asked: Asked, row: Row) -> np.ndarray:
    """Chances of what the quoted sentences say, read together, [6]."""
    policy = asked.policies[row["doc_id"]]
    quoted = sorted([n for n, grade in row["relevant"] if grade == 2][:TOGETHER])
    said = marker.said(row["question"], [policy.passage(n) for n in quoted])
    chances = [*(chance * (1 - said.silent) for chance in said.stance.values()), said.silent]
    return np.maximum(chances, 1e-6)


def softened(chances: np.ndarray, heat: float) -> np.ndarray:
    raised = chances ** (1 / heat)
    softer: np.ndarray = raised / raised.sum()
    return softer


def stance_scores(said: list[tuple[Row, np.ndarray]], heat: float) -> dict[str, Any]:
    """Accuracy where people's stance is none of `na`, and how far the likeliest one can be trusted."""
    soft = [(row, softened(chances, heat)) for row, chances in said]
    yes_no = [(row, chances[: SAID.index("na")]) for row, chances in soft if row["stance"] != "na"]
    likeliest = np.array([chances.max() for _, chances in soft])
    right = np.array([chances.argmax() == _number(row) for row, chances in soft], dtype=float)
    return {
        "questions": len(yes_no),
        "accuracy": float(np.mean([c.argmax() == _number(row) for row, c in yes_no])),
        "reliability": reliability(likeliest, right),
    }


def pointed(marker: Marker, held_out: list[Labelled]) -> dict[str, float]:
    """Does it tell an answer from a near miss, and what the answer says?"""
    said = [(one, marker.said(one.question, in_order(one.sentences, bare=False))) for one in held_out]
    answered = [(one, s.stance) for one, s in said if one.label not in (SILENT, "na")]
    return {
        "questions": len(said),
        "answered or silent": float(np.mean([(s.silent > 0.5) == (one.label == SILENT) for one, s in said])),
        "stance": float(np.mean([_likeliest(stance) == one.label for one, stance in answered])),
    }


def _likeliest(stance: dict[str, float]) -> str:
    """As a yes or no."""
    return max((name for name in stance if name != "na"), key=lambda name: stance[name])


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
