"""What every engine is told to look for, and to weigh."""

from __future__ import annotations

import pytest

from smallprint.errors import QueryError
from smallprint.index.language import parse
from smallprint.index.plan import Beginning, Close, Every, Exactly, Joined, Plan, Terms, plan, weighed

SELL = Terms("text", ("sell",))
SELL_NEAR = Close("text", (("sell", "inform"), ("inform", "sell"), ("sell", "data"), ("data", "sell")), 10)
SELL_WORD = Joined(must=(SELL,), should=(SELL_NEAR,))
DATA = Terms("text", ("data",))


@pytest.mark.parametrize(
    ("query", "made"),
    [
        ("*", Every()),
        ("selling", SELL_WORD),
        ('"selling"', SELL),
        ("data", DATA),
        ("opt-out", Terms("text", ("opt", "out"))),
        ("title:Selling", Terms("title", ("sell",))),
        ("url:Selling", Terms("url", ("selling",))),
        ("site:www.Acme.com/legal", Exactly("site", "acme.com")),
        ("site:Acme*", Beginning("site", "acme")),
        ("Encr*", Beginning("text", "encr")),
        ("sell data", Joined(must=(SELL_WORD, DATA), should=(Terms("text", ("sell", "data")),))),
        ("sell OR data", Joined(should=(SELL_WORD, DATA))),
        ("data NOT sell", Joined(must=(DATA,), never=(SELL_WORD,))),
        ("NOT data", Joined(must=(Every(),), never=(DATA,))),
        (
            "sell NEAR/3 data",
            Joined(must=(Close("text", (("sell", "data"), ("data", "sell")), 2), SELL, DATA)),
        ),
        (
            'sell NEAR/3 "private data"',
            Joined(
                must=(
                    Close("text", (("sell", "privat"), ("data", "sell")), 2),
                    SELL,
                    Terms("text", ("privat", "data")),
                )
            ),
        ),
    ],
)
def test_plan(query: str, made: Plan) -> None:
    assert plan(parse(query), "text") == made


def test_words_go_where_they_are_looked_for() -> None:
    assert plan(parse("selling"), "title") == Terms("title", ("sell",))


def test_what_is_not_to_occur_is_not_counted() -> None:
    assert list(weighed(plan(parse('data AND "sell" NOT photos'), "text"))) == [DATA, SELL]


def test_a_word_that_no_index_holds_is_said() -> None:
    with pytest.raises(QueryError, match="no word"):
        plan(parse("x" * 60), "text")
