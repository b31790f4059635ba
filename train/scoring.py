"""Let exported models score whole policies, once; everything measured or calibrated reads the stored scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from smallprint.models.judge import Judge
from smallprint.models.passage import Passage, lead_in_of, passage
from train.data import Row, rows
from train.judge_data import Asked
from train.raw import RawReader

SHORT_LIST = 30


@dataclass(frozen=True, slots=True)
class Scored:
    """One question over one policy: sentence numbers and cosines, nearest first; what the judge says of the first."""

    query_id: str
    doc_id: str
    numbers: list[int]
    cosines: list[float]
    logits: list[float]

    def reranked(self, judge_share: float, cosine_share: float) -> list[int]:
        """Places of all sentences: the short list by the sum of both signals, then the others by cosine."""
        judged = len(self.logits)
        total = judge_share * np.array(self.logits) + cosine_share * np.array(self.cosines[:judged])
        return [*np.argsort(-total, kind="stable").tolist(), *range(judged, len(self.numbers))]


def score(judge: Judge, row: Row, question: np.ndarray, vectors: np.ndarray, passages: dict[int, Passage]) -> Scored:
    """`vectors` [sentences, 384] belong to `passages` in their order."""
    cosines = vectors @ question
    order = np.argsort(-cosines, kind="stable")
    numbers = [list(passages)[n] for n in order]
    found = judge.judge(row["question"], [passages[n] for n in numbers[:SHORT_LIST]])
    return Scored(
        row["query_id"],
        row["doc_id"],
        numbers,
        [round(float(cosines[n]), 4) for n in order],
        [round(judged.score, 4) for judged in found],
    )


def score_asked(judge: Judge, reader: RawReader, asked: Asked, every: int) -> Iterator[Scored]:
    """Answerable and silent questions of the held-out policies, one in `every`."""
    for policy in asked.policies.values():
        passages = {n: policy.passage(n) for n in policy.offered}
        vectors = reader.vectors([policy.text(n) for n in passages])
        questions = [q for q in asked.questions if q["doc_id"] == policy.doc_id]
        for row in [q for q in questions if q["kind"] in ("answerable", "silent")][::every]:
            yield score(judge, row, reader.vectors([row["question"]])[0], vectors, passages)


def score_privacyqa(judge: Judge, reader: RawReader, data: Path) -> Iterator[Scored]:
    questions = list(rows(data, "privacyqa/questions"))
    for document in rows(data, "privacyqa/docs"):
        sentences = document["sentences"]
        passages = {n: passage(s, lead_in=lead_in_of(sentences, n)) for n, s in enumerate(sentences)}
        vectors = reader.vectors(sentences)
        for row in questions:
            if row["doc_id"] == document["doc_id"]:
                yield score(judge, row, reader.vectors([row["question"]])[0], vectors, passages)


def stored(path: Path, made: Iterator[Scored]) -> list[Scored]:
    """Scores from `path`, or made now and written there when all are made."""
    if not path.exists():
        beside = path.with_suffix(".part")
        with beside.open("w") as out:
            for scored in made:
                out.write(json.dumps(asdict(scored)) + "\n")
        beside.rename(path)
    return [Scored(**json.loads(line)) for line in path.read_text().splitlines()]
