"""Every question-answering system as a row: the same two questions put to each."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from smallprint.answer.judging import SHORT_LIST
from smallprint.asking import OpenPolicy
from smallprint.errors import DataMissing
from smallprint.records import Answer, BlockKind, Reading, Sentence, Stance, Verdict
from smallprint.retrieve.lexical import terms

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """`ranking` orders all sentences, best first; `shown` are those the system would put before a person, `more`
    those it would add when asked for more."""

    ranking: tuple[int, ...]
    shown: tuple[int, ...]
    verdict: Verdict = Verdict.ANSWERED
    confidence: float = 1.0
    stance: Stance = Stance.NA
    stance_confidence: float | None = None
    span: str = ""
    more: tuple[int, ...] = ()


class System(Protocol):
    """Made once a document, then asked all its questions."""

    def __call__(self, reading: Reading) -> Callable[[str], Outcome]: ...


def rankable(reading: Reading) -> list[Sentence]:
    return [s for s in reading.sentences if s.kind is not BlockKind.HEADING]


def by_scores(sentences: Sequence[Sentence], scores: Sequence[float], shown: int = SHOWN) -> Outcome:
    """Best score first, document order between equals; only what scores at all is shown."""
    order = sorted(range(len(sentences)), key=lambda i: -scores[i])
    ranking = tuple(sentences[i].id for i in order)
    first = tuple(sentences[i].id for i in order[:shown] if scores[i] > 0)
    return Outcome(ranking, first, Verdict.ANSWERED if first else Verdict.SILENT)


def random_order(reading: Reading) -> Callable[[str], Outcome]:
    sentences = rankable(reading)

    def ask(question: str) -> Outcome:
        dice = random.Random(f"{reading.policy.source}\n{question}")
        return by_scores(sentences, [dice.random() for _ in sentences])

    return ask


def word_count(reading: Reading, shown: int = SHOWN) -> Callable[[str], Outcome]:
    """002's baseline: how many words of the question stand in the sentence."""
    sentences = rankable(reading)
    words = [set(terms(s.text)) for s in sentences]
    return lambda question: by_scores(sentences, [len(w & set(terms(question))) for w in words], shown)


def smallprint(reading: Reading, short_list: int = SHORT_LIST) -> Callable[[str], Outcome]:
    policy = OpenPolicy(reading, short_list=short_list)

    def ask(question: str) -> Outcome:
        ranked = policy.rank(question)
        return outcome_of(policy.answer(ranked), ranked.sentences)

    return ask


def outcome_of(answer: Answer, ranking: Sequence[Sentence]) -> Outcome:
    first = answer.evidence[0] if answer.evidence else None
    return Outcome(
        ranking=tuple(sentence.id for sentence in ranking),
        shown=tuple(e.sentence.id for e in answer.evidence),
        verdict=answer.verdict,
        confidence=answer.confidence,
        stance=answer.stance,
        stance_confidence=answer.stance_confidence,
        span=first.sentence.text[slice(*first.span)] if first else "",
    )


# row → module:function, imported when it is run: a row may have weights of its own, or need what the product does not.
SYSTEMS = {
    "random": "smallprint.bench.systems:random_order",
    "no-answer": "smallprint.bench.published.baselines:no_answer",
    "word-count": "smallprint.bench.systems:word_count",
    "word-count-2": "smallprint.bench.published.baselines:word_count_2",
    "word-count-3": "smallprint.bench.systems:word_count",
    "word-count-5": "smallprint.bench.published.baselines:word_count_5",
    "bm25": "smallprint.bench.published.retrieval:bm25",
    "bm25+expansion": "smallprint.bench.published.retrieval:bm25_expanded",
    "bm25-corpus": "smallprint.bench.published.retrieval:bm25_corpus",
    "bilstm": "smallprint.bench.published.bilstm:bilstm",
    "pribot": "smallprint.bench.published.pribot:pribot",
    "semvec": "smallprint.bench.published.pribot:semvec",
    "summary": "smallprint.bench.published.summary:summary",
    "summary-expansion": "smallprint.bench.published.summary:without_expansion",
    "summary-expansion-detector": "smallprint.bench.published.summary:without_expansion_and_detector",
    "minilm": "smallprint.bench.published.minilm:minilm",
    "smallprint": "smallprint.bench.systems:smallprint",
}


def names(rows: Mapping[str, str], name: str | None) -> list[str]:
    """That row alone, or all of them."""
    if name is not None and name not in rows:
        raise DataMissing(f"There is no system {name!r} here (known: {', '.join(rows)}).")
    return list(rows) if name is None else [name]


def imported(place: str) -> Any:
    module, function = place.split(":")
    return getattr(import_module(module), function)


def measured(
    rows: Mapping[str, str], name: str | None, score: Callable[[Any], dict[str, float]]
) -> tuple[dict[str, dict[str, float]], tuple[str, ...]]:
    """What `score` makes of each row, and a note for each row whose package is not installed."""
    scores: dict[str, dict[str, float]] = {}
    notes: list[str] = []
    for row in names(rows, name):
        try:
            scores[row] = score(imported(rows[row]))
        except ModuleNotFoundError as missing:
            notes.append(left_out(row, name, missing))
    return scores, tuple(notes)


def left_out(row: str, name: str | None, missing: ModuleNotFoundError) -> str:
    """The note on a row whose package is not installed. Where it was asked for by `name` there is nothing else to
    tell, so it is an error."""
    note = f"{missing.name} is not installed: no row {row}."
    if name is not None:
        raise DataMissing(note) from missing
    return note
