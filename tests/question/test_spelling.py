from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallprint.question.spelling import Repair, best_reading, one_slip_away, repaired, within_two_slips
from smallprint.question.words import counts


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("do you sell my locaton?", "do you sell my location?"),
        ("how long do you keep my infromation", "how long do you keep my information"),
        ("Waht do you colect?", "What do you collect?"),
        ("do yuo share teh data wiht advertisers", "do you share the data with advertisers"),
        ("my daugther's photos", "my daughter's photos"),
        ("are my mesages encryptd (really)?", "are my messages encrypted (really)?"),
        ("DO YOU SELL MY INFROMATION", "DO YOU SELL MY INFORMATION"),
        ("do you use my perrsonnal data", "do you use my personal data"),
    ],
)
def test_slips_are_read_as_what_they_stand_for(typed: str, meant: str) -> None:
    assert repaired(typed)[0] == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("do u sell ur users data pls", "do you sell your users data please"),
        ("ur selling my data", "you're selling my data"),
        ("how r u tracking me", "how are you tracking me"),
        ("is it 4 free or 4 ads", "is it for free or for ads"),
        ("do u give it 2 the police", "do you give it to the police"),
        ("share w/ ppl w/o asking", "share with people without asking"),
        ("what do u do b4 u sell my msgs", "what do you do before you sell my messages"),
    ],
)
def test_shorthand_is_written_out(typed: str, meant: str) -> None:
    assert repaired(typed)[0] == meant


@pytest.mark.parametrize(
    "typed",
    [
        "Does Kayo or FooTube share my data with Clapway?",
        "do you follow ccpa, gdpr, coppa and hipaa on ios and android",
        "is my data on AWS in the EU",
        "who is your dpo",
        "do you keep it 4 years or 2 months",
        "my 2 kids use R and a 4 wheeler",
        "email me at jhon@exmaple.example or see exmaple.example/privcy",
        "does v2beta of x_yz1 track me",
        "do you use cookies, beacons and pixels?",
        "can my ex see my selfies on tiktok",
        "zxqv wjkp",
        "Müller größe",
        "",
    ],
)
def test_names_numbers_addresses_and_known_words_stay(typed: str) -> None:
    assert repaired(typed) == (typed, ())


@pytest.mark.parametrize(
    "name", ["chime", "revolut", "strava", "acxiom", "grindr", "figma", "asana", "ovia", "publix", "oura", "spokeo"]
)
def test_well_known_names_stay_in_small_letters_too(name: str) -> None:
    typed = f"do you share it with {name} or {name}'s partners"
    assert repaired(typed) == (typed, ())


@pytest.mark.parametrize("typed", ["vapes", "tibber", "tembo"])
def test_a_wrong_letter_in_a_fairly_short_word_leads_to_no_rare_word(typed: str) -> None:
    assert best_reading(typed) is None


@pytest.mark.parametrize(("slip", "word"), [("phome", "phone"), ("emaol", "email"), ("polide", "police")])
def test_a_wrong_letter_in_a_fairly_short_word_of_everyday_is_repaired(slip: str, word: str) -> None:
    assert best_reading(slip) == word


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("'locaton'", "'location'"),
        ('("locaton"),', '("location"),'),
        ("**‘locaton’**!?", "**‘location’**!?"),
        ("e-mial/locaton…", "e-mail/location…"),
        ("users' locaton", "users' location"),
        ("'' locaton", "'' location"),
    ],
)
def test_marks_around_a_word_stay(typed: str, meant: str) -> None:
    assert repaired(typed)[0] == meant


@pytest.mark.parametrize("row", ["'", "’", "a'", "'-", "*'", "a/"])
def test_a_long_row_of_marks_is_gone_through_once(row: str) -> None:
    typed = row * 20_000 + "§"  # tried in every way it can be parted, it would take hours
    assert repaired(typed) == (typed, ())


def test_it_tells_what_was_read_otherwise() -> None:
    assert repaired("do u sell my locaton?")[1] == (Repair("u", "you"), Repair("locaton", "location"))


def test_the_policys_own_words_are_right() -> None:
    assert repaired("is my locaton on", frozenset({"locaton"}))[0] == "is my locaton on"


def test_what_could_be_two_words_stays() -> None:
    assert best_reading("tae") is None
    assert best_reading("qqqqqqqqqq") is None


@given(st.text(max_size=200))
def test_any_text_can_be_repaired_and_then_is_right(typed: str) -> None:
    text, repairs = repaired(typed)
    assert (text == typed) == (not repairs)
    assert text.count(" ") >= typed.count(" ")


@given(st.sampled_from(sorted(counts())[::37]), st.data())
def test_one_slip_is_within_two(word: str, data: st.DataObject) -> None:
    slip = data.draw(st.sampled_from(sorted(set(one_slip_away(word)))))
    assert within_two_slips(word, slip)
    assert within_two_slips(slip, word)
    assert word in set(one_slip_away(slip)) or slip == word


def test_the_list_of_words_is_small_clean_and_everyday() -> None:
    known = counts()
    assert 15_000 < len(known) < 25_000
    assert list(known.values()) == sorted(known.values(), reverse=True)
    assert {"you", "privacy", "cookies", "whatsapp", "iphone", "selfie", "boyfriend", "gdpr", "ios"} <= known.keys()
    assert not {"recieve", "teh", "infomation", "acount", "locaton"} & known.keys()
    assert all(word.isascii() and word.isalpha() for word in known)
