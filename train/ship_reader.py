"""Calibrate and measure an exported reader with its word weights on what they have not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from smallprint.models.catalogue import shipped
from smallprint.models.reader import QUESTION_HEADS, SEGMENT_HEADS
from train import opp115, reader_data
from train.calibrate import (
    blend,
    blend_kinds,
    common_thresholds,
    f1,
    platt,
    reliability,
    sigmoid,
    temperature,
    thresholds,
)
from train.exclusions import Exclusions
from train.judge import load_tokenizer
from train.judge_data import read_asked
from train.opp115 import Segment
from train.paths import Paths
from train.raw import RawReader, raw_words
from train.reader_data import Vague
from train.reader_deeper import learned_by, name_of
from train.reader_model import packed_of

Logits = dict[str, tuple[np.ndarray, np.ndarray]]


def blended(logits: Logits, head: str, calibration: dict[str, Any]) -> np.ndarray:
    a, b, shift = calibration[head]
    return a * logits[head][0] + b * logits[head][1] + np.array(shift)


def targets(segments: list[Segment], head: str) -> np.ndarray:
    return np.stack([getattr(s, head) for s in segments]) > 0.5


def unseen_by(paths: Paths, half: int) -> tuple[list[Segment], Logits]:
    """The half of the validation split that the student of this one has not learned from, without texts that are also
    in what it has learned from, and what that student and words fitted with it make of them."""
    data, labels = paths.data, opp115.value_labels(paths.data)
    known = opp115.segments(data, "train", labels, None) + opp115.segments(data, "valid", labels, None, half)
    (other,) = set(opp115.HALVES) - {half}
    held = opp115.segments(data, "valid", labels, Exclusions(s.text for s in known), other)
    student, words = learned_by(paths, half), raw_words(paths.cache / "words" / f"half-{half}.npz")
    texts = [s.text for s in held]
    with torch.no_grad():
        seen = [student.labels(packed_of([read]))[0] for read in load_tokenizer(paths).texts(texts)]
    said = [words.logits(text, SEGMENT_HEADS) for text in texts]
    return held, {
        head: (torch.cat([row[head] for row in seen]).numpy(), np.stack([row[head] for row in said]))
        for head in SEGMENT_HEADS
    }


def unseen(paths: Paths) -> tuple[list[Segment], Logits]:
    """Both halves, each as those see it that have not learned from it."""
    (first, one), (second, other) = (unseen_by(paths, half) for half in opp115.HALVES)
    joined = {
        head: (np.vstack([one[head][0], other[head][0]]), np.vstack([one[head][1], other[head][1]]))
        for head in SEGMENT_HEADS
    }
    return first + second, joined


def calibrate_segments(paths: Paths, reader: RawReader) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Shares, shifts and thresholds of the segment heads, from the validation split. Unless both stages were trained
    here there is nobody who has not learned from it: then those that ship stay."""
    stages = ("reader", *map(name_of, opp115.HALVES))
    if not all((paths.cache / stage / "model.pt").exists() for stage in stages):
        stays = shipped().card("reader").settings
        calibration, limits = ({h: stays[part][h] for h in SEGMENT_HEADS} for part in ("calibration", "thresholds"))
        return calibration, limits, segment_reliability(reader, paths.data, calibration)
    valid, logits = unseen(paths)
    calibration, limits = {}, {}
    for head in SEGMENT_HEADS:
        gold = targets(valid, head)
        calibration[head] = list(blend(*logits[head], gold.astype(float)))
        rule = common_thresholds if head == "values" else thresholds
        limits[head] = rule(sigmoid(blended(logits, head, calibration)), gold)
    return calibration, limits, segment_reliability(reader, paths.data, calibration)


def segment_reliability(reader: RawReader, data: Path, calibration: dict[str, Any]) -> dict[str, Any]:
    """On the test split: do the chances mean what they say?"""
    test = opp115.segments(data, "test", opp115.value_labels(data), None)
    logits = reader.logits([s.text for s in test], SEGMENT_HEADS)
    return {
        head: reliability(
            sigmoid(blended(logits, head, calibration)).ravel(), targets(test, head).ravel().astype(float)
        )
        for head in SEGMENT_HEADS
    }


def calibrate_questions(reader: RawReader, data: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Categories on the policies held out of PrivacyQA's train questions, kinds on questions that were held out."""
    held = reader_data.category_questions(data, None, held_out=True)
    logits = reader.logits([q.text for q in held], QUESTION_HEADS)
    gold = np.stack([q.categories for q in held]) > 0.5
    calibration: dict[str, Any] = {
        "question_categories": list(blend(*logits["question_categories"], gold.astype(float)))
    }
    chances = sigmoid(blended(logits, "question_categories", calibration))
    limits = {"question_categories": thresholds(chances, gold)}
    calibration["kind"], scores = calibrate_kinds(reader, data)
    return calibration, limits, scores


def calibrate_kinds(reader: RawReader, data: Path) -> tuple[list[Any], dict[str, Any]]:
    """Every second question that was held out for the shares, the others for the figures."""
    held = {
        "kinds, asked": reader_data.kind_questions(read_asked(data, held_out=True)),
        "kinds, plain speech": reader_data.plain_questions(held_out=True),
    }
    halves = [[q for questions in held.values() for q in questions[first::2]] for first in (0, 1)]
    logits = [reader.logits([q.text for q in half], ("kind",)) for half in halves]
    share = list(blend_kinds(*logits[0]["kind"], np.array([q.kind for q in halves[0]])))
    found = blended(logits[1], "kind", {"kind": share})
    cut = len(held["kinds, asked"][1::2])
    own = slice(cut), slice(cut, None)
    gold = np.array([q.kind for q in halves[1]])
    return share, {name: kind_scores(found[part], gold[part]) for name, part in zip(held, own, strict=True)}


def kind_scores(found: np.ndarray, gold: np.ndarray) -> dict[str, Any]:
    """[questions, kinds] logits, [questions] numbers."""
    given = found.argmax(axis=1)
    raised = np.exp(found - found.max(axis=1, keepdims=True))
    surest = (raised / raised.sum(axis=1, keepdims=True)).max(axis=1)
    each = {name: f1(gold == n, given == n) for n, name in enumerate(reader_data.KINDS)}
    return {
        "accuracy": float((given == gold).mean()),
        "macro_f1": float(np.mean(list(each.values()))),
        "reliability": reliability(surest, (given == gold).astype(float)),
        "each": {name: round(value, 3) for name, value in each.items()},
    }


def word_rows(reader: RawReader, sentences: list[Vague]) -> tuple[np.ndarray, np.ndarray]:
    """Logits of all words and whether people marked them; a word's logit is that of its highest piece."""
    logits, gold = [], []
    for sentence in sentences:
        for start, end, logit in reader.word_logits(sentence.text):
            logits.append(logit)
            gold.append(any(start < b and end > a for a, b in sentence.spans))
    return np.array(logits), np.array(gold)


def calibrate_vagueness(
    reader: RawReader, data: Path
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Scale, shift and threshold of vague words; temperature of the four classes; figures on the test split."""
    train = reader_data.read_vague(data, "train", None)[::3]
    test = reader_data.read_vague(data, "test", None)
    logits, gold = word_rows(reader, train)
    scale, shift = platt(logits, gold)
    grid = np.arange(0.1, 0.9, 0.02)
    limit = float(max(grid, key=lambda t: f1(gold, sigmoid(scale * logits + shift) >= t)))
    classes = reader.head_logits([s.text for s in train], "vague_score")[:, :4]
    heat = temperature(classes, np.array([vague_class(s) for s in train]))
    logits, gold = word_rows(reader, test)
    chances = sigmoid(scale * logits + shift)
    found = reader.head_logits([s.text for s in test], "vague_score")[:, :4].argmax(axis=1)
    scores = {
        "sentences": len(test),
        "word_f1": f1(gold, chances >= limit),
        "sentence_accuracy": float((found == np.array([vague_class(s) for s in test])).mean()),
        "reliability": reliability(chances, gold.astype(float)),
    }
    return {"vague_words": [scale, shift]}, {"vague_words": [limit]}, {"vague_score": heat}, scores


def vague_class(sentence: Vague) -> int:
    return min(4, max(1, int(sentence.score))) - 1
