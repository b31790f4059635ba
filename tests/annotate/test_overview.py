from __future__ import annotations

from smallprint.annotate.overview import overview
from smallprint.ingest.source import read_bytes
from smallprint.segment import segment


def test_words_are_counted_under_each_heading() -> None:
    text = b"# Privacy\n\nWe keep nothing.\n\n## Contact\n\nWrite to us, we are glad to answer."
    found = overview(segment(read_bytes(text, "policy.md", suffix=".md", force=True).policy))
    assert [(line.text, line.words) for line in found.outline] == [("Privacy", 3), ("Contact", 8)]


def test_a_text_without_headings_has_no_outline() -> None:
    found = overview(segment(read_bytes(b"We keep nothing of what you tell us.", "-", force=True).policy))
    assert found.outline == ()
    assert found.words == 8
