"""Count the words of each OPP-115 label's spans, for the rows of `bench mapping`: `python -m train.published_labels`.

Spans are those of PolicyQA's train part, contexts that are measured left out. Wordings of questions are not used.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from smallprint.bench.published.word_space import mark
from smallprint.models.vectors import WordVectors, words_of
from train.data import rows
from train.exclusions import for_judge
from train.paths import REPOSITORY, parser, paths_of, start_log

WEIGHTS = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights" / "labels.npz"
MOST = np.iinfo(np.uint16).max


def lines(texts: list[str]) -> np.ndarray:
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log, excluded, vectors = start_log(paths, "published_labels"), for_judge(paths.data), WordVectors.load()
    spans: dict[tuple[str, ...], Counter[str]] = {}
    covered: dict[str, bool] = {}
    for row in rows(paths.data, "policyqa/train"):
        if row["context"] not in covered:
            covered[row["context"]] = excluded.covers(row["context"])
        if not covered[row["context"]]:
            found = spans.setdefault(tuple(row["triple"]), Counter())
            found.update(word for answer in row["answers"] for word in words_of(answer["text"]))
    labels = sorted(label for label, found in spans.items() if found)
    words = sorted({word for label in labels for word in spans[label]})
    column = {word: n for n, word in enumerate(words)}
    clusters = np.zeros((len(labels), vectors.cluster_count), dtype=np.uint32)
    cells = [(n, column[w], c) for n, label in enumerate(labels) for w, c in spans[label].items()]
    of_word = np.array([vectors.cluster(word) for word in words])
    for n, place, count in cells:
        clusters[n, of_word[place]] += count
    tables = {
        "labels": lines(["\t".join(label) for label in labels]),
        "words": lines(words),
        "clusters": clusters,
        "rows": np.array([r for r, _, _ in cells], dtype=np.uint16),
        "columns": np.array([c for _, c, _ in cells], dtype=np.uint16),
        "counts": np.array([min(n, MOST) for _, _, n in cells], dtype=np.uint16),
    }
    np.savez_compressed(WEIGHTS, **tables, **mark())
    size, left_out = WEIGHTS.stat().st_size, sum(covered.values())
    log.info("%d labels, %d words, %d contexts left out, %d bytes", len(labels), len(words), left_out, size)


if __name__ == "__main__":
    main()
