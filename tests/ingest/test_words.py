from __future__ import annotations

from dataclasses import fields

import pytest

from smallprint.ingest.words import Words, words


@pytest.mark.parametrize("name", [field.name for field in fields(Words)])
def test_lists_are_lower_case_and_not_empty(name: str) -> None:
    listed = getattr(words(), name)
    assert listed
    assert all(word == word.lower().strip() for word in listed)


def test_no_name_is_furniture_of_two_sorts() -> None:
    known = words()
    assert not known.strong & known.weak
    assert not known.strong & known.links
    assert not known.weak & known.links


def test_blocks_that_hold_text_are_not_skipped_or_inline() -> None:
    known = words()
    assert not known.skipped & known.inline
    assert not (known.skipped | known.inline) & {
        "p",
        "div",
        "li",
        "td",
        "section",
        "article",
        "details",
        "summary",
        "br",
    }
