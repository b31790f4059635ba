"""Practices as the shipped reader finds them, and how a segment is put before it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from smallprint import taxonomy
from smallprint.annotate.practices import WINDOW, practices_of
from smallprint.ingest.assemble import assemble
from smallprint.models.reader import Reader, ReaderLabels
from smallprint.records import BlockKind, Piece, Policy, Practice, Reading
from smallprint.segment import segment


def reading(*pieces: Piece) -> Reading:
    text, blocks = assemble(list(pieces))
    return segment(Policy("-", "", text, blocks, "text/plain"))


def paragraph(text: str) -> Piece:
    return Piece(BlockKind.PARAGRAPH, text)


class WordReader:
    """Finds a label where the text has its word."""

    labels = ReaderLabels(
        categories=("Data Security", "Introductory/Generic", "Privacy contact information"),
        values=(("Data Security", "Security Measure", "Generic"), ("Other", "Other Type", "Introductory/Generic")),
        stances=("does", "does_not", "choice"),
        question_categories=(),
        question_kinds=(),
    )
    thresholds = {name: np.full(3, 0.5) for name in ("categories", "stance")} | {"values": np.full(2, 0.5)}

    def __init__(self) -> None:
        self.seen: list[str] = []

    def read(self, texts: list[str]) -> Any:
        self.seen = texts
        return SimpleNamespace(
            categories=chances(texts, "lock", "welcome", "write"),
            values=self.by_words(texts, "values"),
            stance=chances(texts, "we lock", "never", "choose"),
        )

    def by_words(self, texts: list[str], head: str) -> Any:
        assert head == "values"
        return chances(texts, "lock", "welcome")


def chances(texts: list[str], *words: str) -> Any:
    return np.array([[0.9 if w in t else 0.1 for w in words] for t in texts]).reshape(len(texts), len(words))


def found(policy: Reading, reader: WordReader) -> tuple[Practice, ...]:
    return practices_of(policy, cast(Reader, reader))


def test_a_practice_has_its_values_and_its_stance() -> None:
    assert found(reading(paragraph("Here we lock the door.")), WordReader()) == (
        Practice(0, "datasecurity", 0.9, (("Security Measure", "Generic"),), ("does",), (0,)),
    )


def test_a_value_stands_on_the_sentence_that_shows_it() -> None:
    policy = reading(paragraph("This is about security. It is safe. Every door has a lock. That is all."))
    assert [p.sentences for p in found(policy, WordReader())] == [(2,)]


def test_what_is_only_denied_is_told_apart() -> None:
    first, second = found(
        reading(paragraph("The lock is never used."), paragraph("But we lock it, never fear.")), WordReader()
    )
    assert first.stance == ("does_not",)
    assert first.denied
    assert not second.denied


def test_the_parts_of_other_are_one_practice() -> None:
    (one,) = found(reading(paragraph("Be welcome and write to us.")), WordReader())
    assert (one.category, one.values) == ("other", (("Other Type", "Introductory/Generic"),))


def test_a_long_segment_is_read_in_parts_and_says_what_any_part_says() -> None:
    filler = "Nothing much is said in this sentence here. "
    reader = WordReader()
    policy = reading(paragraph("Be welcome. " + filler * 60 + "We have a lock."))
    assert {p.category for p in found(policy, reader)} == {"other", "datasecurity"}
    assert len(reader.seen) > 2
    assert max(map(len, reader.seen)) <= WINDOW + len(filler)
    assert sum(text.count("Nothing much") for text in reader.seen) == 60


def test_the_rest_of_a_long_list_is_read_with_its_lead_in() -> None:
    items = [Piece(BlockKind.ITEM, f"kind number {n} of the data that somebody may have", 1) for n in range(60)]
    reader = WordReader()
    found(reading(paragraph("We lock up:"), *items), reader)
    assert len(reader.seen) > 1
    assert all(text.startswith("We lock up:") for text in reader.seen)


def test_a_segment_is_read_under_its_heading() -> None:
    reader = WordReader()
    found(reading(Piece(BlockKind.HEADING, "Safety", 1), paragraph("Doors are shut.")), reader)
    assert reader.seen == ["Safety: Doors are shut."]


def test_an_empty_policy_has_no_practices() -> None:
    assert found(Reading(Policy("-", "", "", (), "text/plain"), ()), WordReader()) == ()


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("We encrypt your data and keep it behind firewalls.", "datasecurity"),
        ("We share your information with advertising partners.", "third"),
        ("We collect your name and e-mail address when you register.", "first"),
    ],
)
def test_the_shipped_reader_finds_plain_practices(text: str, category: str) -> None:
    practices = practices_of(reading(paragraph(text)), Reader.load())
    assert practices[0].category == category
    names = {(c.key, a.name, v) for c in taxonomy.categories() for a in c.attributes for v in a.values}
    assert {(p.category, *value) for p in practices for value in p.values} <= names
