"""Let an exported judge score whole policies, once; everything measured or calibrated reads the stored scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from smallprint.models.judge import Judge
from smallprint.models.passage import Passage, lead_in_of, passage
from train.data import Row, rows
from train.judge_data import Asked
from train.raw import RawReader


@dataclass(frozen=True, slots=True)
class Scored:
    """One question over one policy: sentence numbers, best first, with logits; details of the first few."""

    query_id: str
    doc_id: str
    numbers: list[int]
    logits: list[float]
    stances: list[dict[str, float]]
    spans: list[tuple[int, int]]


DETAILS = 10


def score(judge: Judge, query_id: str, doc_id: str, question: str, passages: dict[int, Passage]) -> Scored:
    found = dict(zip(passages, judge.judge(question, list(passages.values())), strict=True))
    order = sorted(found, key=lambda n: -found[n].score)
    return Scored(
        query_id,
        doc_id,
        order,
        [round(found[n].score, 4) for n in order],
        [found[n].stance for n in order[:DETAILS]],
        [found[n].span for n in order[:DETAILS]],
    )


def score_asked(judge: Judge, reader: RawReader | None, asked: Asked, every: int, shortlist: int) -> Iterator[Scored]:
    """Answerable questions over every sentence, one in `every`; others over the reader's short list."""
    for policy in asked.policies.values():
        whole = {n: policy.passage(n) for n in policy.offered}
        questions = [q for q in asked.questions if q["doc_id"] == policy.doc_id][::every]
        sentences = reader.vectors([policy.sentences[n] for n in whole]) if reader else None
        for question in questions:
            chosen = whole
            if question["kind"] != "answerable" and reader is not None and sentences is not None:
                near = sentences @ reader.vectors([question["question"]])[0]
                best = near.argsort()[::-1][:shortlist]
                chosen = {list(whole)[n]: whole[list(whole)[n]] for n in sorted(best)}
            yield score(judge, question["query_id"], policy.doc_id, question["question"], chosen)


def score_privacyqa(judge: Judge, data: Path) -> Iterator[Scored]:
    documents: dict[str, Row] = {row["doc_id"]: row for row in rows(data, "privacyqa/docs")}
    for question in rows(data, "privacyqa/questions"):
        sentences = documents[question["doc_id"]]["sentences"]
        whole = {n: passage(s, lead_in=lead_in_of(sentences, n)) for n, s in enumerate(sentences)}
        yield score(judge, question["query_id"], question["doc_id"], question["question"], whole)


def stored(path: Path, made: Iterator[Scored]) -> list[Scored]:
    """Scores from `path`, or made now and written there as they come."""
    if not path.exists():
        beside = path.with_suffix(".part")
        with beside.open("w") as out:
            for scored in made:
                out.write(json.dumps(asdict(scored)) + "\n")
        beside.rename(path)
    return [Scored(**json.loads(line)) for line in path.read_text().splitlines()]
