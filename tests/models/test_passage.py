from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smallprint.models.passage import lead_in_of, passage, together


def test_heading_and_lead_in_stand_before_the_sentence() -> None:
    made = passage("your email;", heading="Policy > Data > What we collect", lead_in="We collect:")
    assert made.text == "Data > What we collect: We collect: your email;"
    assert made.sentence == "your email;"


def test_a_bare_sentence_stays_as_it_is() -> None:
    assert passage("We sell nothing.").text == "We sell nothing."


@given(st.text(), st.text(), st.text())
def test_the_sentence_is_always_the_tail(sentence: str, heading: str, lead_in: str) -> None:
    made = passage(sentence, heading=heading, lead_in=lead_in)
    assert made.sentence == sentence


def test_items_find_the_line_that_opens_their_list() -> None:
    sentences = ["We collect:", "your name;", "your email; and", "your phone.", "We keep it."]
    kinds = ["p", "li", "li", "li", "p"]
    assert [lead_in_of(sentences, n, kinds) for n in range(5)] == ["", *["We collect:"] * 3, ""]


def test_without_kinds_items_are_told_by_their_looks() -> None:
    sentences = ["We collect:", "your name;", "your email; and", "Your phone.", "We keep it."]
    assert [lead_in_of(sentences, n) for n in range(5)] == ["", *["We collect:"] * 3, ""]


def test_a_list_without_opening_line_has_no_lead_in() -> None:
    assert lead_in_of(["We are here.", "a lamp;", "a chair;"], 2) == ""


def test_surroundings_that_neighbours_share_are_told_once() -> None:
    first, second = (passage(text, heading="Cookies", lead_in="We use them to:") for text in ("greet you;", "count."))
    other = passage("Write to us.", heading="Contact")
    joined = together([first, second, other])
    assert joined.text == "Cookies: We use them to: greet you; count. Contact: Write to us."
    assert [joined.text[slice(*span)] for span in joined.sentences] == ["greet you;", "count.", "Write to us."]
    assert together([]).text == ""


@given(st.lists(st.tuples(st.text(), st.text(), st.text())))
def test_every_sentence_is_found_where_it_stands(parts: list[tuple[str, str, str]]) -> None:
    passages = [passage(sentence, heading=heading, lead_in=lead_in) for sentence, heading, lead_in in parts]
    joined = together(passages)
    assert [joined.text[slice(*span)] for span in joined.sentences] == [sentence for sentence, _, _ in parts]
