from __future__ import annotations

import pytest

from smallprint.taxonomy import categories, category, labels


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
