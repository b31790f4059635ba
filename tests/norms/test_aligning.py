from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from smallprint.norms.aligning import Difference, Meaning, differences
from smallprint.norms.wording import Wording

KEPT = "We collect your name and your email address when you open an account with us."


def unread(texts: Sequence[str]) -> Meaning:
    """No two texts mean the same, none has a topic."""
    return Meaning(np.eye(len(texts), dtype=np.float32), [""] * len(texts))


def alike(texts: Sequence[str]) -> Meaning:
    """All texts mean the same and are about one thing."""
    return Meaning(np.ones((len(texts), 1), dtype=np.float32), ["first"] * len(texts))


def compare(old: list[str], new: list[str], read: object = unread) -> list[Difference]:
    return differences(Wording(old), Wording(new), read)  # type: ignore[arg-type]


def test_a_changed_word_is_found_with_its_clause() -> None:
    (found,) = compare(
        [KEPT, "We will not share your location with advertisers, unless you ask us to."],
        [KEPT, "We may share your location with advertisers, unless you ask us to."],
    )
    assert (found.went, found.came) == (("will", "not"), ("may",))
    assert found.old
    assert found.new
    assert found.old.quote == "We will not share your location with advertisers"
    assert found.new.quote == "We may share your location with advertisers"
    assert (found.old.words, found.new.words) == ("will not", "may")


def test_far_apart_words_of_one_sentence_are_two_differences() -> None:
    sentence = (
        "We share your {} with our partners, and as far as the law asks us to do so we also give it to {} who ask."
    )
    found = compare([sentence.format("name", "courts")], [sentence.format("location", "banks")])
    assert [(d.went, d.came) for d in found] == [(("name",), ("location",)), (("courts",), ("banks",))]


def test_what_has_no_partner_was_added_or_dropped() -> None:
    dropped, added = "We keep nothing after you close your account.", "Cookies follow you to sites of other companies."
    found = compare([KEPT, dropped], [KEPT, added])
    assert [(d.old and d.old.quote, d.new and d.new.quote) for d in found] == [(None, added), (dropped, None)]


def test_a_sentence_in_other_words_is_paired_by_its_meaning() -> None:
    (found,) = compare(
        [KEPT, "We keep nothing after you close your account."],
        [KEPT, "Cookies follow you to sites of other companies."],
        alike,
    )
    assert found.old
    assert found.new


def test_a_sentence_that_grew_is_paired_with_what_it_holds() -> None:
    (found,) = compare(
        [KEPT, "You can take your data out of our services."],
        [
            KEPT,
            "You can take your data out of our services, where the law of your country gives you a right and you ask.",
        ],
    )
    assert found.old
    assert found.went == ()
    assert found.came[:3] == ("where", "the", "law")


def test_sentences_in_a_row_about_one_thing_are_one_statement() -> None:
    news = ["Cookies follow you to sites of other companies.", "They are set by partners whom we do not name here."]
    found = compare([KEPT], [KEPT, *news])
    assert [d.new.quote for d in found if d.new] == [" ".join(news)]


def test_reflowed_renumbered_and_moved_text_is_no_difference() -> None:
    old = ["1. Data", KEPT, "We share it with partners. You may opt out at any time."]
    new = ["You may opt out at any time.", "7. Data", KEPT.upper(), "We share it", "with partners."]
    assert compare(old, new) == []
