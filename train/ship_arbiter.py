"""Calibrate and measure an exported arbiter on what it has not seen."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from smallprint.models.arbiter import TOGETHER, Arbiter, Heard
from smallprint.models.said import SAID, SILENT, Said
from train import labelled, near_misses
from train.calibrate import reliability, temperature
from train.data import Row, fold_of
from train.exclusions import for_judge
from train.judge_data import Asked, as_asked
from train.labelled import Labelled, Texts, in_order
from train.marker_data import Example, asked_said
from train.mining import mine
from train.near_misses import Found
from train.paths import Paths

SEED = 115
BY_RULE = 800


def settings_and_scores(arbiter: Arbiter, asked: Asked, paths: Paths) -> tuple[dict[str, Any], dict[str, Any]]:
    """The temperature stands on one half of the held-out policies of `asked`, what is found there on the other."""
    texts = Texts(paths)
    own = as_asked(labelled.whole(texts, held_out=True))
    hard = mine(Asked(asked.policies | own.policies, asked.questions + own.questions), paths.made("ship") / "hard.npz")
    first, second = (put_to(arbiter, replace(_half(asked, half), hard=hard)) for half in (0, 1))
    heat = temperature(np.log(chances_of(first)), right_of(first))
    scores = {
        "asked, sentences that look like answers": measured(second, heat),
        "whole policies of our own": measured(put_to(arbiter, replace(own, hard=hard)), heat),
        "asked, stance of quoted sentences": quoted(arbiter, _half(asked, 1)),
        "pointed questions, held-out fifth": pointed(arbiter, labelled.held_out(texts)),
        "near misses by rule, held-out fifth": by_rule(
            arbiter, near_misses.read(texts, for_judge(paths.data), held_out=True)
        ),
    }
    return {"temperature": heat, "said": list(SAID)}, scores


def _half(asked: Asked, half: int) -> Asked:
    return Asked(asked.policies, [q for q in asked.questions if fold_of(f"half {q['doc_id']}", 2) == half])


def put_to(arbiter: Arbiter, asked: Asked) -> list[tuple[Example, Heard]]:
    """As the arbiter learns it."""
    examples = asked_said(asked, random.Random(SEED), TOGETHER)
    return [(one, arbiter.hear(one.question, one.passages)) for one in examples]


def right_of(put: list[tuple[Example, Heard]]) -> np.ndarray:
    """[questions], numbers of `SAID`."""
    return np.array([one.said for one, _ in put])


def chances_of(put: list[tuple[Example, Heard]]) -> np.ndarray:
    """[questions, 6]"""
    all_said = [heard.said for _, heard in put]
    rows = [[*((1 - said.silent) * c for c in said.stance.values()), said.silent] for said in all_said]
    return np.array(rows).clip(min=1e-6)


def measured(put: list[tuple[Example, Heard]], heat: float) -> dict[str, Any]:
    """The stance of yes-no questions, silent or not, how far the likeliest outcome can be trusted, and whether the
    sentence that is worth most would be quoted."""
    soft, right = chances_of(put) ** (1 / heat), right_of(put)
    soft /= soft.sum(axis=1, keepdims=True)
    silent, yes_no = right == SAID.index(SILENT), right < SAID.index("na")
    told = soft[:, : SAID.index("na")].argmax(axis=1)
    return {
        "questions": len(right),
        "silent or not": float(np.mean((soft[:, -1] > 0.5) == silent)),
        "silent or not, AUC": float(roc_auc_score(silent, soft[:, -1])),
        "stance": float(np.mean(told[yes_no] == right[yes_no])),
        "first is quoted": float(
            np.mean([first_grade(*one) == 2 for one, hit in zip(put, ~silent, strict=True) if hit])
        ),
        "reliability": reliability(soft.max(axis=1), (soft.argmax(axis=1) == right).astype(float)),
    }


def first_grade(example: Example, heard: Heard) -> int:
    """Of the sentence that is worth most."""
    worth = [one.quoted if one else -np.inf for one in heard.worth]
    return example.grades[int(np.argmax(worth))]


def quoted(arbiter: Arbiter, asked: Asked) -> dict[str, float]:
    """The stance of yes-no questions from the sentences that people would quote, and no others."""
    chosen = [row for row in asked.questions if row["kind"] == "answerable" and row["stance"] != "na"]
    said = [(row, arbiter.hear(row["question"], _quoted(asked, row)).said) for row in chosen]
    return {"questions": len(said), "accuracy": _stance([(row["stance"], one) for row, one in said])}


def _quoted(asked: Asked, row: Row) -> list[Any]:
    policy = asked.policies[row["doc_id"]]
    return [policy.passage(n) for n in sorted([n for n, grade in row["relevant"] if grade == 2][:TOGETHER])]


def pointed(arbiter: Arbiter, held_out: list[Labelled]) -> dict[str, float]:
    """Does it tell an answer from a near miss, and what the answer says?"""
    said = [(one.label, arbiter.hear(one.question, in_order(one.sentences, bare=False)).said) for one in held_out]
    return {
        "questions": len(said),
        "answered or silent": float(np.mean([(one.silent > 0.5) == (label == SILENT) for label, one in said])),
        "stance": _stance([(label, one) for label, one in said if label not in (SILENT, "na")]),
    }


def by_rule(arbiter: Arbiter, found: list[Found]) -> dict[str, float]:
    """Does it tell an answer from what only says something else of the kind?"""
    drawn = list(islice(near_misses.examples(found, random.Random(SEED)), BY_RULE))
    told = [(one.said == SAID.index(SILENT), arbiter.hear(one.question, one.passages).said.silent) for one in drawn]
    return {
        "questions": len(told),
        "answers told": float(np.mean([silent <= 0.5 for miss, silent in told if not miss])),
        "misses told": float(np.mean([silent > 0.5 for miss, silent in told if miss])),
    }


def _stance(said: list[tuple[str, Said]]) -> float:
    """How often the likeliest yes or no is right."""
    names = [name for name in SAID if name not in (SILENT, "na")]
    return float(np.mean([max(names, key=lambda name: one.stance[name]) == label for label, one in said]))
