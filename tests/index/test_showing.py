"""Words, snippets, sentences and stance: what a hit shows."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.index.concordance import lines
from smallprint.index.document import date_number, sites_of
from smallprint.index.language import parse
from smallprint.index.protocol import Hit, Snippet
from smallprint.index.snippets import WIDTH, best_parts, marked
from smallprint.index.stance import SentenceStance, stance_of
from smallprint.index.words import Needles
from smallprint.records import Facets

RULES: list[dict[str, Any]] = tomllib.loads(files("smallprint.index").joinpath("stances.toml").read_text("utf-8"))[
    "rule"
]


def found(query: str, text: str) -> list[str]:
    return [text[m.start : m.end] for m in Needles(parse(query)).find(text)]


@pytest.mark.parametrize(
    ("query", "text", "places"),
    [
        (
            "share",
            "Sharing, SHARED and shares; a share. Unshared shareholders.",
            ["Sharing", "SHARED", "shares", "share"],
        ),
        ("privacy", "Privacy policies and private data", ["Privacy"]),
        ('"opt out"', "You opted out; opt-out, or out opt.", ["opted out", "opt-out"]),
        ("opt-out", "Opt out here. Opt in there.", ["Opt out"]),
        ("encrypt*", "encrypted encryption crypt", ["encrypted", "encryption"]),
        ("sell NOT rent", "We sell and rent.", ["sell"]),
        ("title:sell", "We sell.", []),
        ("déjà", "Déjà vu", ["Déjà"]),
    ],
)
def test_words_are_found_in_their_forms(query: str, text: str, places: list[str]) -> None:
    assert found(query, text) == places


@settings(deadline=None)
@given(st.text(alphabet="ab AB.\n-İß", max_size=200))
def test_marks_lie_in_the_text_in_order(text: str) -> None:
    snippet = marked(text, Needles(parse('a OR "b a" OR ab*')))
    at = 0
    for start, end in snippet.marks:
        assert at <= start < end <= len(text)
        at = end


@settings(deadline=None)
@given(st.lists(st.sampled_from(["photo", "sells", "we", "policy.", "Data", "\n", "x" * 50]), max_size=200))
def test_snippets_are_pieces_of_the_text(words: list[str]) -> None:
    text = " ".join(words)
    pieces, sentence = best_parts(text, Needles(parse("photo sell")))
    shown = [p for p in pieces if p.marks] + ([sentence] if sentence else [])
    for piece in shown:
        assert piece.text in text
        assert piece.marks
    assert all(len(p.text) <= 2 * WIDTH for p in pieces)


def test_the_best_sentence_has_the_most_of_the_words() -> None:
    text = "Photos\nWe keep photos. We sell no photos to anybody.\nSelling happens elsewhere."
    _, sentence = best_parts(text, Needles(parse("sell photos")))
    assert sentence == Snippet("We sell no photos to anybody.", ((3, 7), (11, 17)))


def test_the_rarer_word_leads() -> None:
    text = "We use information and more information about information.\n" * 5 + "Your health is yours alone to tell."
    pieces, sentence = best_parts(text, Needles(parse("health information")))
    assert sentence is not None
    assert sentence.text == "Your health is yours alone to tell."
    assert any("health" in piece.text for piece in pieces)


def test_a_heading_is_no_best_sentence() -> None:
    _, sentence = best_parts("Cookies\nWe set cookies on your computer.", Needles(parse("cookies")))
    assert sentence is not None
    assert sentence.text == "We set cookies on your computer."


def test_without_words_the_beginning_is_shown() -> None:
    pieces, sentence = best_parts("We care.\nMore follows.", Needles(parse("*")))
    assert [p.text for p in pieces] == ["We care."]
    assert sentence is None


def test_a_very_long_line_is_not_split_whole() -> None:
    text = "word " * 50_000 + "photo. " + "word " * 50_000
    pieces, sentence = best_parts(text, Needles(parse("photo")))
    assert pieces
    assert sentence is not None
    assert len(sentence.text) < 5_000


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["why"]))
def test_each_rule_of_stance_has_its_examples(rule: dict[str, Any]) -> None:
    pattern = re.compile(rule["pattern"], re.IGNORECASE)
    assert all(pattern.search(text) for text in rule["yes"])
    assert not any(pattern.search(text) for text in rule["no"])


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("We sell your data to brokers.", SentenceStance.DOES),
        ("We do not sell your data.", SentenceStance.DOES_NOT),
        ("Your information will never be sold.", SentenceStance.DOES_NOT),
        ("We will not sell your data without your consent.", SentenceStance.CHOICE),
        ("You can opt out of the sale of your data.", SentenceStance.CHOICE),
    ],
)
def test_stance(text: str, stance: SentenceStance) -> None:
    assert stance_of(text) is stance


def test_an_item_says_what_its_lead_in_makes_of_it() -> None:
    assert stance_of("sell your data", "We do not:") is SentenceStance.DOES_NOT


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [("2022", 20220000, 20229999), ("2022-05", 20220500, 20220599), ("2022-05-17T10:00:00Z", 20220517, 20220517)],
)
def test_dates_sort_as_numbers(date: str, first: int, last: int) -> None:
    assert date_number(date) == first
    assert date_number(date, last=True) == last


def test_what_is_no_date_has_no_number() -> None:
    assert date_number("soon") is None
    assert date_number("") is None


@pytest.mark.parametrize(
    ("url", "sites"),
    [
        ("https://www.help.acme.com/x", ("help.acme.com", "acme.com")),
        ("acme.com/privacy", ("acme.com",)),
        ("http://localhost", ("localhost",)),
        ("", ()),
        ("http://[bad", ()),
    ],
)
def test_sites(url: str, sites: tuple[str, ...]) -> None:
    assert sites_of(url) == sites


def test_concordance_lines_the_words_up() -> None:
    text = "Although we share much, we never sell or resell what you have given to us in trust."
    hit = Hit(
        "1",
        "Acme",
        "",
        "",
        "2021-05-06",
        1.0,
        5,
        "en",
        1.0,
        10.0,
        Facets(),
        sentence=marked(text, Needles(parse("sell"))),
    )
    (line,) = lines([hit], width=20)
    assert (line.left, line.key, line.right) == ("much, we never ", "sell", " or resell what you")
    assert (line.service, line.date) == ("Acme", "2021-05-06")
