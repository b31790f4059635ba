"""Count in how many paragraphs of policies each stem stands: `python -m train.published_idf`. A few minutes."""

from __future__ import annotations

import gzip
from collections import Counter

from smallprint.retrieve.lexical import terms
from train.data import rows
from train.paths import REPOSITORY, parser, paths_of, start_log

TABLE = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights" / "paragraphs.tsv.gz"
ONE_IN = 3
"""One policy in three: three thousand policies; more would only move rare words."""
LEAST_TERMS, LEAST_PARAGRAPHS = 4, 8


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "published_idf")
    containing: Counter[str] = Counter()
    paragraphs = 0
    for number, row in enumerate(rows(paths.data, "corpus/policies")):
        if number % ONE_IN:
            continue
        for paragraph in row["text"].split("\n"):
            found = set(terms(paragraph))
            if len(found) >= LEAST_TERMS:
                paragraphs += 1
                containing.update(found)
    kept = sorted((term, count) for term, count in containing.items() if count >= LEAST_PARAGRAPHS and term.isascii())
    lines = [f"{paragraphs}", *(f"{term}\t{count}" for term, count in kept)]
    TABLE.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    log.info("%d paragraphs, %d stems kept, %d bytes", paragraphs, len(kept), TABLE.stat().st_size)


if __name__ == "__main__":
    main()
