from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.errors import QueryError
from smallprint.index.language import DEEPEST, LONGEST_QUERY, MOST_PARTS, parse
from smallprint.index.query import (
    And,
    Everything,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Run,
    Word,
    wanted,
    write,
)

A, B, C = Word("a1"), Word("b2"), Word("c3")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Everything()),
        ("  ", Everything()),
        ("*", Everything()),
        ("a1", A),
        ("a1 b2", Run((A, B))),
        ("a1 AND b2", And((A, B))),
        ("a1 b2 AND c3", And((Run((A, B)), C))),
        ("a1 b2 OR c3", Or((Run((A, B)), C))),
        ("a1 AND b2 OR c3", Or((And((A, B)), C))),
        ("a1 AND (b2 OR c3)", And((A, Or((B, C))))),
        ("(a1 b2) c3", And((Run((A, B)), C))),
        ("a1 AND (b2 AND c3)", And((A, B, C))),
        ("NOT a1", Not(A)),
        ("NOT NOT a1", A),
        ("a1 NOT b2", And((A, Not(B)))),
        ("NOT (a1 OR b2)", Not(Or((A, B)))),
        ('"a1  b2"', Phrase("a1 b2")),
        ("“a1 b2”", Phrase("a1 b2")),
        ("encrypt*", Prefix("encrypt")),
        ("a1 NEAR b2", Near(A, B, 10)),
        ("a1 NEAR/3 b2", Near(A, B, 3)),
        ('"a1 b2" NEAR/3 c3', Near(Phrase("a1 b2"), C, 3)),
        ("a1 NEAR/3 b2 c3", And((Near(A, B, 3), C))),
        ("title:a1", Word("a1", "title")),
        ("TITLE: a1", Word("a1", "title")),
        ('url:"a1 b2"', Phrase("a1 b2", "url")),
        ("site:example.com a1 b2", And((Word("example.com", "site"), Run((A, B))))),
        ("opt-out", Word("opt-out")),
        ("and or not near", Run((Word("and"), Word("or"), Word("not"), Word("near")))),
        ("https://example.com/privacy", Word("https://example.com/privacy")),
        ("don't", Word("don't")),
    ],
)
def test_parse(text: str, tree: Node) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"a1', "The quotation mark at character 1 is not closed."),
        ("a1 AND", "AND at character 4 has nothing after it."),
        ("AND a1", "AND at character 1 has nothing before it"),
        ("a1 OR OR b2", "OR at character 7 has nothing before it"),
        ("NOT", "NOT at character 1 has nothing after it."),
        ("(a1 b2", "The parenthesis at character 1 is not closed."),
        ("a1)", "The parenthesis at character 3 closes nothing."),
        ("()", "Something is missing before the parenthesis at character 2."),
        ("(", "The parenthesis at character 1 is not closed."),
        ("a1 NEAR/0 b2", "NEAR/ at character 4 needs a number from 1 to 100"),
        ("a1 NEAR/x b2", "NEAR/ at character 4 needs a number from 1 to 100"),
        ("a1 NEAR", "NEAR at character 4 has nothing after it."),
        ("a1 NEAR (b2 OR c3)", "NEAR at character 4 goes between two words or phrases."),
        ("title:a1 NEAR b2", "NEAR at character 10 needs both words in one text."),
        ("colour:red", "There is no field 'colour' (character 1): use title:, url:, site:"),
        ("title:", "title: at character 1 needs a word or a phrase right after it."),
        ("title:(a1 b2)", "title: at character 1 needs a word or a phrase right after it."),
        ("a*", "'a*' at character 1: * needs 2 or more letters"),
        ("en*pt", "* can only end a word"),
        ("**", "'**' at character 1 has no letter or digit to look for."),
        ("ab**", "* can only end a word"),
        ("a1 & b2", "'&' at character 4 has no letter or digit to look for."),
        ('a1 ""', "The phrase at character 4 has no letter or digit to look for."),
    ],
)
def test_a_bad_query_is_told_where(text: str, message: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    ["a" * (LONGEST_QUERY + 1), "a1 " * MOST_PARTS + "b2", "(" * (DEEPEST + 1) + "a1" + ")" * (DEEPEST + 1)],
)
def test_queries_have_limits(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


@settings(deadline=None)
@given(st.text(alphabet='ab*" ()“”:/-ANDORTEx1é&', max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    """No other exception, and what is understood is written such that it is understood alike."""
    try:
        tree = parse(text)
    except QueryError:
        return
    assert parse(write(tree)) == tree


SOME = ["a", "sell", "opt-out", "9x", "don't", "near"]
bare = st.sampled_from(SOME).map(Word)
leaves = st.one_of(
    st.builds(Word, st.sampled_from(SOME), st.sampled_from([None, "title", "url", "site"])),
    st.sampled_from(["a b", "AND", "we sell it"]).map(Phrase),
    st.sampled_from(["ab", "encr", "x1"]).map(Prefix),
    st.builds(Near, bare, bare, st.integers(1, 100)),
    st.lists(bare, min_size=2, max_size=3).map(lambda words: Run(tuple(words))),
)


def _grown(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Trees as the parser makes them: no AND right inside an AND, no NOT right inside a NOT."""
    several = st.lists(children, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda parts: And(tuple(Not(p) if isinstance(p, And) else p for p in parts))),
        several.map(lambda parts: Or(tuple(Not(p) if isinstance(p, Or) else p for p in parts))),
        children.map(lambda part: part if isinstance(part, Not) else Not(part)),
    )


@settings(deadline=None)
@given(st.recursive(leaves, _grown, max_leaves=6))
def test_a_written_tree_is_read_again(tree: Node) -> None:
    assert parse(write(tree)) == tree


def test_what_is_denied_is_not_shown() -> None:
    tree = parse('a1 AND "b2 c3" AND NOT d4')
    assert list(wanted(tree)) == [A, Phrase("b2 c3")]
    assert list(wanted(parse("a1 b2"))) == [Phrase("a1 b2"), A, B]
