from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallprint.voice import speech

RULES = tomllib.loads(Path(speech.__file__).with_name("spoken.toml").read_text("utf-8"))["rule"]
# Everything: surrogates, control characters, markup, and texts beyond the limit.
TEXTS = st.one_of(
    st.text(),
    st.text(st.characters(codec=None)),
    st.text(alphabet="<>&\"' a\x00\ud800\ufffe]", max_size=300),
    st.builds(lambda text, times: text * times, st.text(min_size=1), st.integers(1, 9_000)),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["example"])
def test_every_rule_does_what_its_example_says(rule: dict[str, Any]) -> None:
    assert speech.readable(rule["example"]) == rule["spoken"]
    alone = speech.Rule(re.compile(rule["pattern"]), rule.get("says", ""), rule.get("digits", False))
    assert alone.apply(rule["example"]) != rule["example"]


@pytest.mark.parametrize(
    "text", ["We keep 3.5 million records.", "On 2019-05-17 we began.", "U.S. law applies.", "It's 5% of $30."]
)
def test_what_reads_well_already_stays(text: str) -> None:
    assert speech.readable(text) == text


@given(st.lists(TEXTS, max_size=6))
def test_markup_is_always_well_formed_and_within_the_limit(parts: list[str]) -> None:
    made = speech.ssml(parts)
    assert len(made) <= 8_000
    made.encode()  # no lone surrogate is left
    root = ET.fromstring(made)
    assert root.tag == "speak"
    assert all(child.tag == "p" and len(child) == 0 for child in root)


@given(st.lists(TEXTS, max_size=4))
def test_readable_markup_holds_too(parts: list[str]) -> None:
    ET.fromstring(speech.ssml(speech.sentence(part) for part in parts))
    assert len(speech.card(parts)) <= 8_000


@given(st.lists(st.text(alphabet="abc <>&'.", min_size=1).map(str.strip).filter(bool), max_size=5))
def test_a_listener_hears_what_was_written(parts: list[str]) -> None:
    assert speech.plain(speech.ssml(parts)) == "\n".join(parts)


def test_what_is_too_long_is_cut_between_words() -> None:
    words = "fish & chips " * 2_000
    made = speech.ssml(["First.", words, "never said"])
    assert 7_900 < len(made) <= 8_000
    heard = speech.plain(made)
    assert heard.startswith("First.\nfish & chips")
    assert heard.endswith(("fish…", "&…", "chips…"))
    assert "never" not in heard


def test_a_long_sentence_says_where_the_rest_is() -> None:
    said = speech.sentence("We share your data with partners and " * 40)
    assert len(said) < 520
    assert said.endswith("the rest is on the card.")


def test_what_has_no_words_says_nothing() -> None:
    assert speech.ssml(["", " ", "\x00"]) == "<speak></speak>"
    assert speech.ssml(["x" * 10_000]) == "<speak><p>…</p></speak>"
