"""Train word vectors on policies only: skip-gram with subwords, cut down to what ships. `python -m train.vectors`.

Plain skip-gram is trained beside it on the same lines, to show what subwords change; it does not ship.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gensim.models import FastText, Word2Vec
from sklearn.cluster import MiniBatchKMeans

from smallprint.models.vectors import WordVectors, words_of
from train.data import rows
from train.judge_model import misspelt
from train.paths import parser, paths_of, start_log

WORDS = 10_000_000
"""With two million the letters still weighed more than the meaning. The corpus has six times as many."""
LEAST_CHARACTERS = 400
LEAST_COUNT = 5
SIZE, BUCKETS, KEPT, CLUSTERS = 100, 20_000, 16_000, 300
ENGLISH = frozenset(
    ("the", "and", "of", "to", "we", "you", "your", "our", "or", "in", "for", "that", "is", "this", "with", "not")
)  # fmt: skip
LEAST_ENGLISH = 0.2
SHOWN = ("cookies", "sell", "location", "children", "retention", "encryption", "advertisers", "delete")


def is_clean(text: str, words: list[str]) -> bool:
    """Long enough, English, and no markup left in it."""
    english = sum(word in ENGLISH for word in words) / max(1, len(words))
    return len(text) >= LEAST_CHARACTERS and english >= LEAST_ENGLISH and text.count("<") < 10


def lines(data: Path) -> Iterator[list[str]]:
    """Paragraphs of clean policies as lists of words, one policy in three, until there are enough words."""
    left = WORDS
    for number, row in enumerate(rows(data, "corpus/policies")):
        if number % 3 or not is_clean(row["text"], words_of(row["text"][:4000])):
            continue
        for paragraph in row["text"].split("\n"):
            words = words_of(paragraph)
            if len(words) > 3:
                left -= len(words)
                yield words
        if left <= 0:
            return


def small(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = np.abs(table).max(axis=1, keepdims=True) / 127 + 1e-12
    return np.rint(table / scale).astype(np.int8), scale.astype(np.float16)


def tables(model: FastText, seed: int) -> dict[str, np.ndarray]:
    """The shipped form: the most frequent words, the buckets of letter runs, and a cluster for each word."""
    kept = [w for w in model.wv.index_to_key if w.isascii()][:KEPT]
    own = np.stack([model.wv[w] for w in kept])
    unit = own / np.linalg.norm(own, axis=1, keepdims=True)
    clusters = MiniBatchKMeans(CLUSTERS, random_state=seed, n_init=3, batch_size=4096).fit_predict(unit)
    vectors, vector_scales = small(own)
    buckets, bucket_scales = small(model.wv.vectors_ngrams)
    return {
        "words": np.frombuffer("\n".join(kept).encode(), dtype=np.uint8),
        "vectors": vectors,
        "vector_scales": vector_scales,
        "buckets": buckets,
        "bucket_scales": bucket_scales,
        "clusters": clusters.astype(np.int16),
    }


def misspelt_found(vectors: WordVectors, seed: int, count: int = 400) -> dict[str, float]:
    """How often one slip of the finger still leads to the word: among the first one and five neighbours."""
    draw = random.Random(seed)
    words = [w for w in vectors.words[200:4000] if len(w) > 5]
    tried = [(w, misspelt(w, draw)) for w in draw.sample(words, count)]
    unknown = [(w, slip) for w, slip in tried if not vectors.knows(slip)]
    found = [[n.word for n in vectors.nearest(slip, 5)] for _, slip in unknown]
    return {
        "tried": len(unknown),
        "first": float(np.mean([w == f[0] for (w, _), f in zip(unknown, found, strict=True)])),
        "among_five": float(np.mean([w in f for (w, _), f in zip(unknown, found, strict=True)])),
    }


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    folder, log = paths.made("vectors"), start_log(paths, "vectors")
    text = folder / "lines.txt"
    if not text.exists():
        text.write_text("\n".join(" ".join(words) for words in lines(paths.data)), encoding="utf-8")
    common = {
        "sg": 1, "vector_size": SIZE, "window": 5, "min_count": LEAST_COUNT, "negative": 5, "epochs": 2,
        "workers": options.threads, "seed": options.seed, "sample": 1e-4,
    }  # fmt: skip
    model = FastText(**common, bucket=BUCKETS)
    model.build_vocab(corpus_file=str(text))
    log.info("%d words known, %d read", len(model.wv), model.corpus_total_words)
    model.train(corpus_file=str(text), total_words=model.corpus_total_words, epochs=model.epochs)
    made = tables(model, options.seed)
    np.savez_compressed(folder / "vectors.npz", **made)
    vectors = WordVectors(made)
    plain = Word2Vec(corpus_file=str(text), **common)
    report = {
        "words": len(vectors.words),
        "read": int(model.corpus_total_words),
        "nearest": {w: [n.word for n in vectors.nearest(w, 6)] for w in SHOWN},
        "nearest_without_subwords": {w: [n for n, _ in plain.wv.most_similar(w, topn=6)] for w in SHOWN},
        "misspelt": misspelt_found(vectors, options.seed),
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    log.info("%s", json.dumps(report))


if __name__ == "__main__":
    main()
