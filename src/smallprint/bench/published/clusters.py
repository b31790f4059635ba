"""`bench mapping`: closed question answering (000 §4.1, S1), a question mapped onto one label of OPP-115.

A label is what stands in the spans that people marked for it, as counts of word clusters (300, by k-means over word
vectors) or of words; a question goes to the label with the highest cosine. Spans come from other policies than
those that questions are taken from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smallprint import taxonomy
from smallprint.bench.data import DataDir
from smallprint.bench.published.polisis import Value
from smallprint.bench.published.word_space import tables_of, vectors
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.models.catalogue import shipped
from smallprint.models.reader import Reader
from smallprint.models.vectors import words_of

Mapper = Callable[[str], Value]
COSINE = 10
"""What a cosine weighs against the logarithm of a chance. On a third of PolicyQA's dev wordings 5, 10, 20 and 40 gave
.74, .79, .82 and .81 at the category, .29 to .34 at the value: not chosen for the best, but these were looked at."""
LEVELS = {"category": 1, "attribute": 2, "value": 3}


class Profiles:
    """`counts` [labels, features]; `feature` says which column a word counts in, None for none."""

    def __init__(
        self, labels: tuple[Value, ...], counts: NDArray[np.float32], feature: Callable[[str], int | None]
    ) -> None:
        self._labels = labels
        self._units = counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
        self._feature = feature

    def nearest(self, text: str) -> Value:
        """The label with the highest cosine; the question's own length makes no difference to the order."""
        asked = np.zeros(self._units.shape[1], dtype=np.float32)
        for column, count in Counter(map(self._feature, words_of(text))).items():
            if column is not None:
                asked[column] = count
        return self._labels[int((self._units @ asked).argmax())]


def word_clusters() -> Mapper:
    tables = tables_of("labels")
    return Profiles(_labels(tables), tables["clusters"].astype(np.float32), vectors().cluster).nearest


def words() -> Mapper:
    """Plain words, as they stand."""
    tables = tables_of("labels")
    known = {w: n for n, w in enumerate(bytes(tables["words"].tobytes()).decode("utf-8").split("\n"))}
    counts = np.zeros((len(_labels(tables)), len(known)), dtype=np.float32)
    counts[tables["rows"], tables["columns"]] = tables["counts"]
    return Profiles(_labels(tables), counts, known.get).nearest


def smallprint() -> Mapper:
    """The reader's chance of a label's category, and its cosine between the question and the label's own words."""
    reader = Reader.load()
    known = [(c, a.name, v) for c in taxonomy.categories() for a in c.attributes for v in a.values]
    meanings = reader.vectors([f"{c.plain}: {attribute}: {value}" for c, attribute, value in known])
    parts = [[taxonomy.category(name) == c for name in reader.labels.categories] for c, _, _ in known]

    def nearest(text: str) -> Value:
        read = reader.read([text])
        chances = np.where(parts, read.categories[0], 1e-6).max(axis=1)
        category, attribute, value = known[int((COSINE * (meanings @ read.vectors[0]) + np.log(chances)).argmax())]
        return category.name, attribute, value

    return nearest


MAPPERS: dict[str, Callable[[], Mapper]] = {
    "bag-of-word-clusters": word_clusters,
    "bag-of-words": words,
    "smallprint": smallprint,
}


def run(data: DataDir, system: str | None = None) -> Report:
    """PolicyQA's questions were written for labels; PrivacyQA's were asked by people and have categories only."""
    if system is not None and system not in MAPPERS:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(MAPPERS)}).")
    gold: dict[str, set[Value]] = {}
    for row in data.rows(f"policyqa/{'test' if data.has('policyqa/test.jsonl') else 'dev'}.jsonl"):
        gold.setdefault(row["question"], set()).add(tuple(row["triple"]))
    people = [row for row in data.rows("privacyqa/questions.jsonl") if row["categories"]]
    systems = {
        name: {**_levels(mapper := make(), gold), "category_people": _categories(mapper, people)}
        for name, make in MAPPERS.items()
        if system in (None, name)
    }
    seen = shipped().seen_share([*gold, *(row["question"] for row in people)], "reader", "judge")
    return Report("mapping", data.used, len(gold) + len(people), systems, seen)


def _levels(mapper: Mapper, gold: Mapping[str, set[Value]]) -> dict[str, float]:
    """Of PolicyQA's wordings, each once: a label is right where one of the wording's labels is the same."""
    given = {question: mapper(question) for question in gold}
    return {
        level: fmean([any(given[q][:depth] == label[:depth] for label in labels) for q, labels in gold.items()])
        for level, depth in LEVELS.items()
    }


def _categories(mapper: Mapper, people: list[dict[str, Any]]) -> float:
    hits = [taxonomy.category(mapper(row["question"])[0]).key in row["categories"] for row in people]
    return fmean(hits) if hits else 0.0


def _labels(tables: Mapping[str, NDArray[Any]]) -> tuple[Value, ...]:
    lines = bytes(tables["labels"].tobytes()).decode("utf-8").split("\n")
    return tuple((c, a, v) for c, a, v in (line.split("\t") for line in lines))
