from __future__ import annotations

import pytest
from starlette.datastructures import QueryParams

from smallprint.errors import QueryError
from smallprint.index.protocol import Unit
from smallprint.web.choices import Choices


def choices(query: str) -> Choices:
    return Choices.of(QueryParams(query))


def test_the_address_holds_what_was_chosen_and_nothing_else() -> None:
    made = choices("q=a+b&sector=media&sector=media&grade_from=&utm_source=x&page=3")
    assert made.url() == "/search?q=a+b&sector=media&page=3"
    assert made.request().offset == 20


def test_one_value_of_two_can_be_dropped() -> None:
    made = choices("sector=media&sector=it&page=2")
    chips = {chip.text: chip.without for chip in made.chips()}
    assert chips == {"media": "/search?sector=it", "it": "/search?sector=media"}


def test_percentages_become_shares() -> None:
    made = choices("vagueness_from=10&vagueness_to=30&words_to=2000&date_from=2021")
    ranges = made.request().filters.ranges
    assert ranges["vagueness"] == pytest.approx((0.1, 0.3))
    assert ranges["words"] == (None, 2000)
    assert ranges["date"][0] == 20210000
    assert [chip.text for chip in made.chips()] == [
        "Vague sentences: 10–30 %",
        "Length in words: up to 2000",
        "Seen: from 2021",
    ]


def test_widening_drops_both_ends_of_a_range() -> None:
    made = choices("q=x&grade_from=3&grade_to=9&sector=it")
    assert made.widened("grade").url() == "/search?q=x&sector=it"
    assert made.widened("all").url() == "/search?q=x"


def test_a_stance_is_asked_of_sentences() -> None:
    assert choices("q=sell&stance=does-not").request().unit is Unit.SENTENCE


@pytest.mark.parametrize("query", ["page=-1", "page=x", "words_to=many", "sort=nice", "in=attic", "date_to=soon"])
def test_what_means_nothing_is_refused(query: str) -> None:
    with pytest.raises(QueryError):
        choices(query).request()
