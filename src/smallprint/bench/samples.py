"""`bench samples`: the shipped policies and their 120 questions, through the whole product from the HTML on.

Needs no data folder. Nothing is trained or tuned on them. Measures as in `bench asked`.
"""

from __future__ import annotations

import json
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from smallprint.bench.data import DataDir
from smallprint.bench.questions import Asked, asked_scores
from smallprint.bench.report import Report
from smallprint.bench.systems import SYSTEMS, System, measured
from smallprint.ingest.source import read_source
from smallprint.records import Reading
from smallprint.segment import segment
from smallprint.settings import Settings


def run(data: DataDir, system: str | None = None) -> Report:
    """Takes no data."""
    del data
    readings = sample_readings()
    questions = [_judged(row, readings[row["sample"]]) for row in sample_questions()]
    rows, notes = measured(SYSTEMS, system, lambda maker: asked_scores(_ask(maker, readings, questions)))
    return Report("samples", {}, len(questions), rows, notes=notes)


def sample_questions() -> list[dict[str, Any]]:
    text = files("smallprint.samples").joinpath("questions.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def sample_services() -> dict[str, str]:
    """The name of each sample's service."""
    return {row["sample"]: row["service"] for row in _index()}


def sample_readings() -> dict[str, Reading]:
    readings = {}
    with tempfile.TemporaryDirectory() as home:
        for row in _index():
            with as_file(files("smallprint.samples").joinpath(row["file"])) as path:
                readings[row["sample"]] = segment(read_source(str(path), Settings(home=Path(home))))
    return readings


def _index() -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(files("smallprint.samples").joinpath("index.json").read_text("utf-8"))
    return rows


def _judged(row: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """Quotes as sentence numbers: the sentence that is the quote, or holds it."""
    relevant = [
        [sentence.id, grade]
        for quote, grade in row["quotes"]
        for sentence in reading.sentences
        if quote in sentence.text or sentence.text in quote
    ]
    return {**row, "relevant": relevant}


def _ask(maker: System, readings: dict[str, Reading], questions: list[dict[str, Any]]) -> list[Asked]:
    asking = {name: maker(reading) for name, reading in readings.items()}
    return [Asked(row, asking[row["sample"]](row["question"])) for row in questions]
