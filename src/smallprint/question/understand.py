"""From typed words to a Question: made readable, with its vector, the practices it is about and its kind."""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from smallprint.question.clean import clean
from smallprint.question.spelling import Repair, repaired
from smallprint.records import Question

if TYPE_CHECKING:
    from smallprint.models.reader import Reader
    from smallprint.models.session import Floats


@dataclass(frozen=True, slots=True)
class Understood:
    """vector [384], length one."""

    question: Question
    vector: Floats
    repairs: tuple[Repair, ...]


def understand(asked: str, reader: Reader, own: Container[str] = frozenset()) -> Understood:
    """`own` are words that are right whatever the list of words says: those of the policy."""
    text, repairs = repaired(clean(asked), own)
    return read_as(text, asked, reader, repairs)


def read_as(text: str, asked: str, reader: Reader, repairs: tuple[Repair, ...] = ()) -> Understood:
    """What was `asked`, taken to be this text."""
    reading = reader.question(text)
    limits = dict(zip(reading.categories, reader.thresholds["question_categories"], strict=True))
    categories = tuple(name for name, chance in reading.categories.items() if chance >= limits[name])
    sure = certainty(reading.categories.values())
    return Understood(Question(text, asked, categories, reading.kinds, sure), reading.vector, repairs)


def certainty(chances: Collection[float]) -> float:
    """cer = 1 − H(p) / ln n of the chances of n categories, scaled to sum to one: 0 where all are alike, 1 for one."""
    total = sum(chances)
    if total <= 0:
        return 0.0
    shares = [chance / total for chance in chances if chance > 0]
    return 1 + sum(share * log(share) for share in shares) / log(len(chances))
