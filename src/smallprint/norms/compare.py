"""Policies side by side: practice by practice, and one question put to all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from smallprint.index.export import safe_cell
from smallprint.norms.traits import Said, said_in, traits, traits_of
from smallprint.records import Answer, Practice, Reading, Sentence, Stance
from smallprint.retrieve.lexical import terms

MOST_POLICIES: Final = 20
SILENT: Final = "says nothing"


class Readable(Protocol):
    """A policy that was read and can be asked."""

    reading: Reading

    def practices(self) -> tuple[Practice, ...]: ...

    def ask(self, text: str) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Cell:
    """What one policy says of a row: `stance` None is silence, which is neither a yes nor a no."""

    stance: Stance | None = None
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """`title` is that of its group ("Collects"), `name` the trait's; `differs` where the policies do not agree."""

    trait: str
    category: str
    title: str
    name: str
    differs: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class AskedOfAll:
    """One question, and each policy's answer in their order."""

    question: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    asked: tuple[AskedOfAll, ...] = ()
    on: str = ""


def compare(
    policies: Sequence[tuple[str, Readable]],
    *,
    on: str = "",
    questions: Sequence[str] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """`on` keeps the rows about a topic, and asks every policy what it says about it."""
    names = tuple(name for name, _ in policies)
    columns = []
    for name, policy in policies:
        progress(f"Reading {name}")
        columns.append((policy.reading, traits_of(policy.reading, policy.practices())))
    wanted = [f"What do you do about {on}?"] if on else []
    asked = []
    for question in (*wanted, *questions):
        progress(f"Asking: {question}")
        asked.append(AskedOfAll(question, tuple(policy.ask(question) for _, policy in policies)))
    return Comparison(names, tuple(_about(on, rows(columns))), tuple(asked), on)


def rows(columns: Sequence[tuple[Reading, Sequence[Said]]]) -> Iterator[Row]:
    """One for each trait that any of them has, in the order of traits."""
    sentences = [{s.id: s for s in reading.sentences} for reading, _ in columns]
    said = [{one.trait.key: one for one in column} for _, column in columns]
    for key, trait in traits().items():
        cells = tuple(_cell(column.get(key), known) for column, known in zip(said, sentences, strict=True))
        if any(cell.stance for cell in cells) and trait.group != "speaks":
            differs = len({cell.stance for cell in cells}) > 1
            yield Row(key, trait.category, trait.title, trait.name, differs, cells)


def _cell(said: Said | None, sentences: dict[int, Sentence]) -> Cell:
    if said is None:
        return Cell()
    shown = [sentences[n] for n in said.sentences]
    fitting = [s for s in shown if said.stance in (Stance.MIXED, said_in(s))]
    return Cell(said.stance, (fitting or shown)[0])


def _about(topic: str, found: Iterable[Row]) -> Iterator[Row]:
    """Rows whose words, or those of a sentence in them, are the topic's."""
    wanted = set(terms(topic))
    for row in found:
        if not wanted or wanted & set(terms(f"{row.title} {row.name} {row.trait.replace('_', ' ')}")):
            yield row


def as_csv(comparison: Comparison) -> Iterator[str]:
    """Questions and practices down, policies across; a cell has what is said and the words that say it."""
    yield _line(["question or practice", *comparison.names])
    for asked in comparison.asked:
        yield _line([asked.question, *map(_answer, asked.answers)])
    for row in comparison.rows:
        yield _line([f"{row.title}: {row.name}", *map(_words, row.cells)])


def _answer(answer: Answer) -> str:
    if not answer.verdict.is_answer:
        return f"({answer.verdict}) {answer.summary}"
    quoted = " … ".join(evidence.sentence.text for evidence in answer.evidence)
    return f"({answer.verdict}, {answer.stance}, {answer.confidence:.2f}) {quoted}"


def _words(cell: Cell) -> str:
    return f"({cell.stance}) {cell.sentence.text}" if cell.stance and cell.sentence else SILENT


def _line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([safe_cell(" ".join(cell.split())) for cell in cells])
    return line.getvalue()
