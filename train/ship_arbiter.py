"""Calibrate and measure an exported arbiter on what it has not seen."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np

from smallprint.models.arbiter import TOGETHER, Arbiter
from smallprint.models.said import SAID, SILENT, Said
from train import labelled
from train.calibrate import reliability, temperature
from train.data import Row, fold_of
from train.judge_data import Asked, as_asked
from train.labelled import Labelled, Texts, in_order
from train.marker_data import asked_said
from train.mining import mine
from train.paths import Paths

SEED = 115


def settings_and_scores(arbiter: Arbiter, asked: Asked, paths: Paths) -> tuple[dict[str, Any], dict[str, Any]]:
    """The temperature stands on one half of the held-out policies of `asked`, what is found there on the other."""
    texts = Texts(paths)
    own = as_asked(labelled.whole(texts, held_out=True))
    hard = mine(Asked(asked.policies | own.policies, asked.questions + own.questions), paths.made("ship") / "hard.npz")
    first, second = (put_to(arbiter, replace(_half(asked, half), hard=hard)) for half in (0, 1))
    heat = temperature(np.log(first[0]), first[1])
    scores = {
        "asked, sentences that look like answers": measured(*second, heat),
        "whole policies of our own": measured(*put_to(arbiter, replace(own, hard=hard)), heat),
        "asked, stance of quoted sentences": quoted(arbiter, _half(asked, 1)),
        "pointed questions, held-out fifth": pointed(arbiter, labelled.held_out(texts)),
    }
    return {"temperature": heat, "said": list(SAID)}, scores


def _half(asked: Asked, half: int) -> Asked:
    return Asked(asked.policies, [q for q in asked.questions if fold_of(f"half {q['doc_id']}", 2) == half])


def put_to(arbiter: Arbiter, asked: Asked) -> tuple[np.ndarray, np.ndarray]:
    """Chances [questions, 6] and what is right [questions], as the arbiter learns it."""
    examples = list(asked_said(asked, random.Random(SEED), TOGETHER))
    said = [arbiter.said(one.question, [one.passage]) for one in examples]
    return np.array([chances_of(one) for one in said]), np.array([one.said for one in examples])


def chances_of(said: Said) -> list[float]:
    answered = 1 - said.silent
    return [max(chance, 1e-6) for chance in (*(answered * c for c in said.stance.values()), said.silent)]


def measured(chances: np.ndarray, right: np.ndarray, heat: float) -> dict[str, Any]:
    """The stance of yes-no questions, silent or not, and how far the likeliest outcome can be trusted."""
    soft = chances ** (1 / heat)
    soft /= soft.sum(axis=1, keepdims=True)
    silent, yes_no = right == SAID.index(SILENT), right < SAID.index("na")
    told = soft[:, : SAID.index("na")].argmax(axis=1)
    return {
        "questions": len(right),
        "silent or not": float(np.mean((soft[:, -1] > 0.5) == silent)),
        "stance": float(np.mean(told[yes_no] == right[yes_no])),
        "reliability": reliability(soft.max(axis=1), (soft.argmax(axis=1) == right).astype(float)),
    }


def quoted(arbiter: Arbiter, asked: Asked) -> dict[str, float]:
    """The stance of yes-no questions from the sentences that people would quote, and no others."""
    chosen = [row for row in asked.questions if row["kind"] == "answerable" and row["stance"] != "na"]
    said = [(row, arbiter.said(row["question"], _quoted(asked, row))) for row in chosen]
    return {"questions": len(said), "accuracy": _stance([(row["stance"], one) for row, one in said])}


def _quoted(asked: Asked, row: Row) -> list[Any]:
    policy = asked.policies[row["doc_id"]]
    return [policy.passage(n) for n in sorted([n for n, grade in row["relevant"] if grade == 2][:TOGETHER])]


def pointed(arbiter: Arbiter, held_out: list[Labelled]) -> dict[str, float]:
    """Does it tell an answer from a near miss, and what the answer says?"""
    said = [(one.label, arbiter.said(one.question, in_order(one.sentences, bare=False))) for one in held_out]
    return {
        "questions": len(said),
        "answered or silent": float(np.mean([(one.silent > 0.5) == (label == SILENT) for label, one in said])),
        "stance": _stance([(label, one) for label, one in said if label not in (SILENT, "na")]),
    }


def _stance(said: list[tuple[str, Said]]) -> float:
    """How often the likeliest yes or no is right."""
    names = [name for name in SAID if name not in (SILENT, "na")]
    return float(np.mean([max(names, key=lambda name: one.stance[name]) == label for label, one in said]))
