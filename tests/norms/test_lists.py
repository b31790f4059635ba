from __future__ import annotations

from smallprint.norms.lists import lists


def test_lists_hold_bare_words_once() -> None:
    found = lists()
    for name, words in {"hollow": found.hollow, "plain": found.plain, "months": found.months, **found.lists}.items():
        assert words, name
        assert all(word == word.lower() and word.isalnum() for word in words), name


def test_words_that_turn_a_promise_are_not_hollow() -> None:
    found = lists()
    turning = found.lists["denial"] | found.lists["limit"] | found.lists["loose"] | found.lists["firm"]
    assert not turning & found.hollow


def test_what_goes_on_is_told_by_its_beginning() -> None:
    assert lists().follows.match("These cookies last a year.")
    assert not lists().follows.match("We sell nothing.")
