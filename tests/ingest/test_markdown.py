from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.ingest.assemble import assemble
from smallprint.ingest.markdown import extract


def kinds(text: str) -> list[tuple[str, int, str]]:
    return [(piece.kind.value, piece.level, piece.text) for piece in extract(text).pieces]


def test_headings_of_both_styles() -> None:
    assert kinds("# Privacy *now*\n\nSharing\n-------\n\n### Deep ###\n") == [
        ("heading", 1, "Privacy now"),
        ("heading", 2, "Sharing"),
        ("heading", 3, "Deep"),
    ]


def test_lists_nest_and_keep_their_paragraphs() -> None:
    assert kinds("We collect:\n\n- names\n  1. first\n  2. last\n- mail\n\n  and its history\n") == [
        ("paragraph", 0, "We collect:"),
        ("item", 1, "names"),
        ("item", 2, "first"),
        ("item", 2, "last"),
        ("item", 1, "mail"),
        ("paragraph", 1, "and its history"),
    ]


def test_tables_become_rows() -> None:
    assert kinds("| Data | Kept |\n|---|---|\n| **Logs** | 30 days |\n| Mail | |\n") == [
        ("row", 1, "Data | Kept"),
        ("row", 1, "Logs | 30 days"),
        ("row", 1, "Mail"),
    ]


def test_marks_and_links_leave_their_words() -> None:
    assert kinds("We *may* `share` [your data](https://x.example 'hover') ![picture](a.png) **now** &amp; then.") == [
        ("paragraph", 0, "We may share your data now & then.")
    ]


def test_a_line_in_bold_is_a_heading_below_the_last_real_one() -> None:
    assert kinds("## Sharing\n\n**With partners**\n\nWe **never** do.") == [
        ("heading", 2, "Sharing"),
        ("heading", 3, "With partners"),
        ("paragraph", 0, "We never do."),
    ]
    assert kinds("**We do not sell your data.**\n\nNever.")[0][0] == "paragraph"


def test_markup_inside_is_dropped() -> None:
    text = "Before <b>bold</b> after.<br>Next line.\n\n<script>\nalert(1)\n</script>\n\n<div>\nIn a block\n</div>\n"
    found = kinds(text)
    assert ("paragraph", 0, "Before bold after.") in found
    assert ("paragraph", 0, "Next line.") in found
    assert ("paragraph", 0, "In a block") in found
    assert "alert" not in str(found)


def test_front_matter_is_no_text() -> None:
    assert kinds("---\ntitle: x\n---\n\nHello there.") == [("paragraph", 0, "Hello there.")]


def test_deep_quotes_and_lists_do_not_fail() -> None:
    assert "x" in str(kinds(">" * 5_000 + " x"))
    assert kinds("- " * 500 + "x")


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\n\n #*-_|[]()<>`1.")), max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_and_positions_are_exact(text: str) -> None:
    joined, blocks = assemble(extract(text).pieces)
    assert all(joined[b.start : b.end].strip() for b in blocks)


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=40))
@settings(deadline=None)
def test_every_word_survives(words: list[str]) -> None:
    assert kinds(" ".join(words)) == [("paragraph", 0, " ".join(words))]
