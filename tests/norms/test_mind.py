from __future__ import annotations

from collections.abc import Sequence

import pytest

from smallprint.models.reader import Reader, Readings, shipped_reader
from smallprint.norms import mind as mind_
from smallprint.norms.mind import Mind


class Counted(Reader):
    """The shipped reader that notes what it is given to read."""

    def __init__(self) -> None:
        self.__dict__.update(vars(shipped_reader()))
        self.given: list[str] = []

    def read(self, texts: Sequence[str]) -> Readings:
        self.given += texts
        return super().read(texts)


def test_a_text_is_read_once_whatever_is_asked_of_it() -> None:
    reader = Counted()
    mind = Mind(reader)
    mind.meaning(["We sell data.", "We keep data.", "We sell data."])
    mind.chances(["We keep data.", "We sell data."])
    assert reader.given == ["We sell data.", "We keep data."]


def test_a_passage_is_as_strong_as_the_strongest_of_its_sentences_and_not_read_again() -> None:
    reader = Counted()
    mind = Mind(reader)
    kept, sold = mind.chances(["We keep data for a year.", "We sell your data to advertisers."])
    (both,) = mind.chances(["We keep data for a year. We sell your data to advertisers."])
    assert both == {name: max(kept[name], sold[name]) for name in mind.names}
    assert len(reader.given) == 2


def test_words_alone_tell_what_a_text_is_about_without_reading_it() -> None:
    reader = Counted()
    mind = Mind(reader)
    (said,) = mind.chances_by_words(["We may share your information with third parties for marketing."])
    assert mind.category(said) == "third"
    assert not reader.given


def test_what_was_not_asked_for_the_longest_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mind_, "_KEPT", 2)
    reader = Counted()
    mind = Mind(reader)
    for texts in (["a", "b"], ["a"], ["c"], ["a"], ["b"]):
        mind.chances(texts)
    assert reader.given == ["a", "b", "c", "b"], "asked for again, a outlives b"


def test_more_texts_than_are_kept_can_be_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mind_, "_KEPT", 2)
    assert len(Mind(shipped_reader()).chances(["a", "b", "c", "d", "e"])) == 5
