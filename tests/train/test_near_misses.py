"""Near misses made by rule: every phrase on its own example, and which sentences stand beside which question."""

from __future__ import annotations

import random
from itertools import islice

from train.labelled import Shown
from train.near_misses import Found, examples, find, read_rules

from smallprint.models.said import SAID

RULES = read_rules()
DELETE, COPY, EMAILS = (
    next(matter for matter in RULES.matters if matter.example.startswith(start))
    for start in ("You may ask us to erase", "You have the right to receive a copy", "You may opt out of marketing")
)
ERASE = Shown(1, "You may ask us to erase your data.", "", "")
UNSUBSCRIBE = Shown(2, "You can unsubscribe by following the link.", "", "")
UNSURE = Shown(3, "You can delete some of your data.", "", "")
WE_COLLECT = Shown(4, "We collect your date of birth.", "", "")
UNDER_DELETION = Shown(5, "You can opt out of marketing.", "Deleting your account", "")


def of_matter(*sentences: Shown) -> dict[str, Found]:
    return {one.matter.example: one for one in find(RULES, sentences)}


def test_every_matter_is_said_by_its_example_alone_and_a_cue_tells_it() -> None:
    for matter in RULES.matters:
        assert RULES.told(matter.example) == {matter}
        assert matter.cue.search(matter.example)
        assert matter.questions


def test_what_says_something_else_of_the_kind_and_has_no_word_of_it_is_a_near_miss() -> None:
    found = of_matter(ERASE, UNSUBSCRIBE, WE_COLLECT)
    assert found[DELETE.example].answers == (ERASE,)
    assert found[DELETE.example].others == (UNSUBSCRIBE,)
    assert found[COPY.example].answers == ()
    assert found[COPY.example].others == (ERASE, UNSUBSCRIBE)


def test_a_limited_phrase_neither_answers_nor_misses() -> None:
    found = of_matter(UNSURE, UNSUBSCRIBE)[DELETE.example]
    assert (found.answers, found.others) == ((), (UNSUBSCRIBE,))


def test_a_word_in_the_heading_keeps_a_sentence_from_being_a_miss() -> None:
    assert DELETE.example not in of_matter(UNDER_DELETION)


def test_a_long_sentence_is_left_out() -> None:
    assert not find(RULES, [Shown(1, ERASE.text + " It is so." * 60, "", "")])


def test_questions_are_answered_about_as_often_as_not_and_answers_stand_among_misses() -> None:
    drawn = list(islice(examples(find(RULES, [ERASE, UNSUBSCRIBE]), random.Random(0)), 400))
    answers = {DELETE: ERASE.text, EMAILS: UNSUBSCRIBE.text}
    told = [SAID[one.said] for one in drawn]
    assert 150 < told.count("yes") < 250
    for one, said in zip(drawn, told, strict=True):
        (answer,) = (answers[matter] for matter in answers if one.question in matter.questions)
        assert (answer in [shown.sentence for shown in one.passages]) == (said == "yes")


def test_without_both_sides_nothing_is_asked() -> None:
    assert not list(examples(find(RULES, [ERASE]), random.Random(0)))
