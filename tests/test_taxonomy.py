from __future__ import annotations

import pytest

from smallprint.taxonomy import categories, category, labels, words


def test_ten_categories_and_twelve_labels() -> None:
    assert len({c.key for c in categories()}) == 10
    assert len(set(labels())) == 12
    assert {c.name for c in categories()} - set(labels()) == {"Other"}


def test_a_category_is_found_by_key_name_or_label() -> None:
    assert category("third") is category("Third Party Sharing/Collection")
    assert category("Practice not covered").key == "other"
    with pytest.raises(KeyError):
        category("nonsense")


def test_attributes_carry_their_values() -> None:
    kept = {a.name: a.values for a in category("dataretention").attributes}
    assert "Stated Period" in kept["Retention Period"]
    assert all("not-selected" not in a.values for c in categories() for a in c.attributes)
    assert all(c.plain and c.plain != c.name for c in categories() if c.key != "dnt")


def test_values_have_words_for_people() -> None:
    attributes: dict[str, set[str]] = {a.name: set() for c in categories() for a in c.attributes}
    for c in categories():
        for a in c.attributes:
            attributes[a.name] |= set(a.values)
    for attribute in ("Personal Information Type", "Third Party Entity", "Purpose", "Retention Period", "Choice Type"):
        named = words(attribute)
        assert set(named) <= attributes[attribute]
        assert attributes[attribute] - set(named) <= {"Other", "Unspecified"}
        assert all(w.key == w.key.lower() and " " not in w.key and w.plain for w in named.values())
