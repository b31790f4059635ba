"""From typed words to a Question: made readable, with its vector, the practices it is about and its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smallprint.question.clean import clean
from smallprint.records import Question

if TYPE_CHECKING:
    from smallprint.models.reader import Reader
    from smallprint.models.session import Floats


@dataclass(frozen=True, slots=True)
class Understood:
    """vector [384], length one."""

    question: Question
    vector: Floats


def understand(asked: str, reader: Reader) -> Understood:
    text = clean(asked)
    reading = reader.question(text)
    limits = dict(zip(reading.categories, reader.thresholds["question_categories"], strict=True))
    categories = tuple(name for name, chance in reading.categories.items() if chance >= limits[name])
    return Understood(Question(text, asked, categories, reading.kinds), reading.vector)
