"""What no recipe may learn from: the texts and questions that are measured on.

The same OPP-115 texts turn up as benchmark segments, as PolicyQA contexts and as PI-Extract sentences. So a text
is left out when it *is* a measured text (after taking case, spacing and punctuation away) or when half of its
runs of eight words are found in measured texts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from train.data import HELD_OUT_FOLD, fold_of, rows

RUN = 8
"""Eight words in a row: shorter runs are common to many policies, longer ones miss cut sentences."""
SHARE = 0.5

_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """The normal form of a text: its letters and digits in small letters."""
    return _WORD.findall(text.lower())


def key_of(words: Iterable[str]) -> bytes:
    return hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()


def runs_of(words: list[str]) -> Iterator[bytes]:
    for start in range(len(words) - RUN + 1):
        yield key_of(words[start : start + RUN])


class Exclusions:
    """A set of measured texts that can tell whether another text is one of them or cut out of one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._whole: set[bytes] = set()
        self._runs: set[bytes] = set()
        for text in texts:
            words = words_of(text)
            self._whole.add(key_of(words))
            self._runs.update(runs_of(words))

    def covers(self, text: str) -> bool:
        words = words_of(text)
        if key_of(words) in self._whole:
            return True
        runs = list(runs_of(words))
        return bool(runs) and sum(run in self._runs for run in runs) >= SHARE * len(runs)


def opp115_test(data: Path) -> Iterator[str]:
    return (row["text"] for row in rows(data, "opp115/segments") if row["split"] == "test")


def policyqa_dev(data: Path) -> Iterator[str]:
    return (row["context"] for row in rows(data, "policyqa/dev"))


def privacyqa_texts(data: Path) -> Iterator[str]:
    for row in rows(data, "privacyqa/docs"):
        yield from row["sentences"]
    for row in rows(data, "privacyqa/questions"):
        yield row["question"]


def vagueness_test(data: Path) -> Iterator[str]:
    return (row["text"] for row in rows(data, "vagueness/sentences") if row["split"] == "test")


def is_held_out(doc_id: str) -> bool:
    """Whether a policy of `asked`, or of our own questions, belongs to the fifth that is only measured on."""
    return fold_of(doc_id) == HELD_OUT_FOLD


def for_judge(data: Path) -> Exclusions:
    """The judge is scored on PrivacyQA, PolicyQA's dev part and the held-out fifth of `asked`."""
    return Exclusions([*opp115_test(data), *policyqa_dev(data), *privacyqa_texts(data)])


def for_reader(data: Path) -> Exclusions:
    """The reader is scored on OPP-115's test split, PrivacyQA and the vagueness test split."""
    return Exclusions([*opp115_test(data), *privacyqa_texts(data), *vagueness_test(data)])
