from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallprint.norms.wording import RUN, Statement, Wording, adjoin, joined, sentences_of, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4. **We** share data.", "We share data"),
        ("(a) We e-mail you", "• We email you"),
        ("Ads & partners’ sites", "ads and partners sites"),
        ("See [our page](https://acme.example/x)", "See our page"),
        ("We (i) collect and (ii) sell data", "We collect and sell data"),
        ("Write to [email protected] or call", "Write to or call"),
    ],
)
def test_marks_numbering_and_case_are_no_words(one: str, other: str) -> None:
    assert words_of(one).bare == words_of(other).bare


def test_every_bare_word_has_its_place() -> None:
    text = "2. We *never* sell Acme's data."
    words = words_of(text)
    assert words.bare == ("we", "never", "sell", "acme", "data")
    assert [text[a:b] for a, b in words.spans] == ["We", "never", "sell", "Acme's", "data"]


def test_a_lone_letter_is_a_word_where_nothing_follows() -> None:
    assert words_of("S.").bare == ("s",)


def test_what_stands_in_the_other_version_is_not_changed_wherever_its_lines_break() -> None:
    old = Wording(["We collect your name. We keep it for a year.", "Write to us."])
    new = Wording(["Write to us. We collect", "your name.", "We keep it for two years."])
    assert [s.text for s in new.changed(old)] == ["We keep it for two years."]
    assert [s.text for s in old.changed(new)] == ["We keep it for a year."]


def test_a_wording_holds_what_stands_in_its_row() -> None:
    wording = Wording(["We collect your name and address.", "", "Write", "to us.", "We keep it for a year and a day."])
    for text in (
        "WE collect your name, and address",
        "address. Write to us",
        "1. Write to us. We keep it",
        "a day",
        "for a year",
    ):
        assert wording.holds(words_of(text)), text
    for text in ("We collect your name for a year and a day.", "name", "We", "to us. We collect your name"):
        assert wording.holds(words_of(text)) is (words_of(text).line in wording.row), text
    assert not wording.holds(words_of("We collect your name for a year and a day."))


paragraphs = st.lists(st.lists(st.sampled_from("abc"), max_size=12).map(" ".join), max_size=6)


@given(one=paragraphs, other=paragraphs)
def test_runs_and_what_is_held_are_those_of_the_row(one: list[str], other: list[str]) -> None:
    """Paragraphs are looked at one by one; a run that goes on in the next ones must not be missed."""
    wording = Wording(one)
    owned = [(word, number) for number, words in enumerate(wording.words) for word in words.bare]
    runs = [tuple(word for word, _ in owned[n : n + RUN]) for n in range(len(owned) - RUN + 1)]
    assert wording.runs == {run: owned[n][1] for n, run in reversed(list(enumerate(runs)))}
    for words in Wording(other).words:
        assert not words.bare or wording.holds(words) is (words.line in wording.row)


def test_neighbours_are_joined_with_their_places() -> None:
    first, second = (
        Statement(text, words_of(text), para, 0, -1) for para, text in enumerate(("We track you.", "This helps us."))
    )
    assert adjoin(first, second)
    assert not adjoin(second, first)
    both = joined(first, second)
    assert [both.text[a:b] for a, b in both.words.spans] == ["We", "track", "you", "This", "helps", "us"]


def test_sentences_keep_their_words() -> None:
    assert sentences_of("We share data. You may opt out.") == ("We share data.", "You may opt out.")
