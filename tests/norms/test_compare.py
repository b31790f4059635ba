from __future__ import annotations

import csv
from dataclasses import dataclass, field

from made import answered, collects, reading, silent

from smallprint.norms.compare import SILENT, as_csv, compare
from smallprint.records import Answer, Practice, Reading, Stance


@dataclass
class Made:
    """A policy with practices given by hand."""

    reading: Reading
    found: tuple[Practice, ...]
    asked: list[str] = field(default_factory=list)

    def practices(self) -> tuple[Practice, ...]:
        return self.found

    def ask(self, text: str) -> Answer:
        self.asked.append(text)
        return answered(text, self.reading, 0, 0.8) if self.found else silent(text)


ONE = Made(
    reading("We collect your location.", "We collect your email address."),
    (collects(0, "Location"), collects(1, "Contact")),
)
TWO = Made(reading("We never collect your location."), (collects(0, "Location"),))
NONE = Made(reading("=1+1 is what we say."), ())
POLICIES = (("One", ONE), ("Two", TWO), ("=cmd()", NONE))


def test_practice_by_practice_with_the_sentence_or_silence() -> None:
    made = compare(POLICIES)
    rows = {row.trait: row for row in made.rows}
    where = rows["collects/location"]
    assert [cell.stance for cell in where.cells] == [Stance.YES, Stance.NO, None]
    assert where.cells[1].sentence == TWO.reading.sentences[0]
    assert where.cells[2].sentence is None
    assert where.differs
    assert (where.title, where.name) == ("Collects", "where you are")
    assert [cell.stance for cell in rows["collects/contact"].cells] == [Stance.YES, None, None]


def test_the_same_is_no_difference() -> None:
    assert not any(row.differs for row in compare((("a", ONE), ("b", ONE))).rows)


def test_a_topic_keeps_its_rows_and_is_asked_for() -> None:
    made = compare(POLICIES, on="email contact", questions=("Why?",))
    assert [row.trait for row in made.rows] == ["collects/contact"]
    assert [one.question for one in made.asked] == ["What do you do about email contact?", "Why?"]
    assert TWO.asked[-2:] == ["What do you do about email contact?", "Why?"]


def test_the_table_is_safe_in_a_spreadsheet() -> None:
    table = list(csv.reader(as_csv(compare(POLICIES, questions=("-2 or what?",)))))
    assert table[0] == ["question or practice", "One", "Two", "'=cmd()"]
    assert table[1][0] == "'-2 or what?"
    assert table[1][1] == "(answered, yes, 0.80) We collect your location."
    assert table[1][3].startswith("(silent)")
    where = next(row for row in table if row[0] == "Collects: where you are")
    assert where[2:] == ["(no) We never collect your location.", SILENT]
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in table for cell in row)
