from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.ingest.assemble import assemble
from smallprint.ingest.text import extract

POLICY = """ACME PRIVACY POLICY

1. Who we are

Acme makes clocks that need to know all
the places you go to, and this policy says
what becomes of that.

2. What we collect
We collect the following from you:
 - your name
 - your address
    * street
    * town and the
      country you live in
 - your age

2.1 Sharing
We share nothing with anybody outside of
the company.
"""


def kinds(text: str) -> list[tuple[str, int, str]]:
    return [(piece.kind.value, piece.level, piece.text) for piece in extract(text).pieces]


def test_a_wrapped_policy_comes_apart_into_headings_paragraphs_and_items() -> None:
    assert kinds(POLICY) == [
        ("heading", 1, "ACME PRIVACY POLICY"),
        ("heading", 1, "1. Who we are"),
        ("paragraph", 0, " ".join(POLICY.splitlines()[4:7])),
        ("heading", 1, "2. What we collect"),
        ("paragraph", 0, "We collect the following from you:"),
        ("item", 1, "your name"),
        ("item", 1, "your address"),
        ("item", 2, "street"),
        ("item", 2, "town and the country you live in"),
        ("item", 1, "your age"),
        ("heading", 2, "2.1 Sharing"),
        ("paragraph", 0, "We share nothing with anybody outside of the company."),
    ]  # fmt: skip
    assert extract(POLICY).title == "ACME PRIVACY POLICY"


def test_one_paragraph_a_line_without_blank_lines() -> None:
    said = "We use cookies to remember you, and for nothing else that we can think of. " * 3
    assert [kind for kind, _, _ in kinds(f"Cookies\n{said}\n{said}\nSecurity\n{said}")] == [
        "heading",
        "paragraph",
        "paragraph",
        "heading",
        "paragraph",
    ]


def test_text_without_any_line_break_is_one_paragraph() -> None:
    assert kinds("We collect names. " * 500) == [("paragraph", 0, ("We collect names. " * 500).strip())]


def test_rows_of_short_lines_are_no_headings() -> None:
    assert "heading" not in [kind for kind, _, _ in kinds("About\n\nJobs\n\nPress\n\nShop")]


def test_numbered_sentences_are_items() -> None:
    assert [kind for kind, _, _ in kinds("We do two things:\n\n1. We store it.\n\n2. We delete it again.")] == [
        "paragraph",
        "item",
        "item",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "\0", " \t "])
def test_nothing_gives_no_pieces(text: str) -> None:
    assert extract(text).pieces == ()


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\n\n  -*•1.aA")), max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_word_is_lost_and_positions_are_exact(text: str) -> None:
    pieces = extract(text).pieces
    joined, blocks = assemble(pieces)
    assert all(joined[b.start : b.end].strip() for b in blocks)
    letters = "".join(c for c in text.replace("\0", "") if c.isalpha() and c != "o")
    assert "".join(c for p in pieces for c in p.text if c.isalpha() and c != "o") == letters
