"""Hard negatives: the sentences of a policy that look most like an answer to what finds them at run time.

The product's own retrieval, with the shipped reader: what a judge or a marker will be shown is what it learns from.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from smallprint.models.reader import Reader
from smallprint.records import BlockKind, Sentence
from smallprint.retrieve.shortlist import Retriever
from train.judge_data import Asked, Policy
from train.labelled import Shown
from train.paths import Paths


def sentence_of(shown: Shown) -> Sentence:
    """As the product keeps it."""
    headings = tuple(filter(None, shown.heading.split(" > ")))
    return Sentence(shown.place, 0, BlockKind.PARAGRAPH, 0, 0, shown.text, headings, shown.lead_in)


def retriever_of(policy: Policy, reader: Reader) -> Retriever:
    sentences = [sentence_of(policy.sentences[n]) for n in policy.offered]
    return Retriever(sentences, reader.vectors([s.text for s in sentences]).__getitem__)


def mined(paths: Paths, asked: Asked) -> Asked:
    """With its hard negatives. All recipes keep them in one place: who mines a question spares the others it."""
    return replace(asked, hard=mine(asked, paths.made("judge") / "hard.npz"))


def mine(asked: Asked, cache: Path, keep: int = 30) -> dict[str, list[int]]:
    """For each query_id the `keep` likeliest sentences, best first; kept in `cache` for the next run."""
    found = {name: numbers.tolist() for name, numbers in np.load(cache).items()} if cache.exists() else {}
    new: dict[str, list[tuple[str, str]]] = {}
    for row in asked.questions:
        if row["query_id"] not in found:
            new.setdefault(row["doc_id"], []).append((row["query_id"], row["question"]))
    reader = Reader.load()
    for doc_id, questions in new.items():
        retriever = retriever_of(asked.policies[doc_id], reader)
        for query_id, question in questions:
            ranked = retriever.rank(question, reader.vectors([question])[0])
            found[query_id] = [candidate.sentence.id for candidate in ranked[:keep]]
    if new:
        arrays: dict[str, Any] = {name: np.array(numbers) for name, numbers in found.items()}
        np.savez(cache, **arrays)
    return found
