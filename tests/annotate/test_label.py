"""The label: what entries say, in which order, and what they stand on."""

from __future__ import annotations

from smallprint.annotate.label import label_of
from smallprint.ingest.assemble import assemble
from smallprint.records import BlockKind, Piece, Policy, Practice, Reading, Stance
from smallprint.segment import segment

TYPE = "Personal Information Type"


def reading(*paragraphs: str) -> Reading:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, text) for text in paragraphs])
    return segment(Policy("-", "", text, blocks, "text/plain"))


def collects(number: int, value: str, *stance: str, category: str = "first") -> Practice:
    return Practice(number, category, 0.5 + number / 10, ((TYPE, value),), stance, (number,))


EMPTY = reading()


def test_what_most_segments_speak_of_comes_first_with_its_grounds() -> None:
    label = label_of(EMPTY, [collects(0, "Contact", "does"), collects(1, "Location"), collects(2, "Location")])
    first, second = label.collected
    assert (first.key, first.segments, first.sentences, first.chance) == ("location", (1, 2), (1, 2), 0.7)
    assert (second.name, second.stance) == ("contact details", Stance.YES)


def test_collected_and_shared_are_two_things() -> None:
    label = label_of(EMPTY, [collects(0, "Contact"), collects(1, "Health", category="third")])
    assert [e.key for e in label.collected] == ["contact"]
    assert [e.key for e in label.shared] == ["health"]
    assert label.shared_with == ()


def test_stances_of_an_entry() -> None:
    def stance(*practices: Practice) -> Stance:
        return label_of(EMPTY, practices).collected[0].stance

    denied, done = collects(0, "Health", "does_not"), collects(1, "Health", "does")
    chosen = collects(2, "Health", "does", "choice")
    assert stance(denied) is Stance.NO
    assert stance(denied, done) is Stance.MIXED
    assert stance(chosen) is Stance.CHOICE
    assert stance(chosen, done) is Stance.YES


def test_values_that_say_nothing_are_left_out_but_an_open_end_is_told() -> None:
    def kept(*values: str) -> list[str]:
        practice = Practice(
            0, "dataretention", 0.9, tuple(("Retention Period", v) for v in values), (), (0,) * len(values)
        )
        return [e.key for e in label_of(EMPTY, [practice]).kept]

    assert label_of(EMPTY, [collects(0, "Unspecified")]).collected == ()
    assert kept("Unspecified") == ["unspecified"]
    assert kept("Unspecified", "Limited") == ["limited"]
    assert kept("Other") == []


def test_vague_and_hard_sentences_are_named() -> None:
    label = label_of(reading("We may share certain data.", "We keep it.", "It is short."), [])
    assert label.vague == (0,)
    assert label.vagueness == 0.3333
    assert len(label.hard) == 3
    assert label_of(EMPTY, []).vagueness == 0.0
