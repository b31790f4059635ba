from __future__ import annotations

from smallprint.ingest.source import read_bytes
from smallprint.records import Practice, Reading
from smallprint.segment import segment
from smallprint.web.layout import lay_out

TEXT = b"""# Privacy policy

## What we collect
We collect your name. We share it with:

- partners;
- the police.

| What | How long |
|---|---|
| Name | 90 days |

### Cookies
We use them.
"""


def reading() -> Reading:
    return segment(read_bytes(TEXT, "policy.md", suffix=".md", force=True).policy)


def test_every_sentence_has_its_place_and_no_character_is_lost() -> None:
    read = reading()
    layout = lay_out(read, ())
    pieces = [p for part in layout.parts for run in part.runs for _, line in run.lines for p in line]
    assert [id for id, _ in pieces if id is not None] == [s.id for s in read.sentences]
    shown = "".join(text for _, text in pieces) + "".join(part.heading for part in layout.parts)
    assert sorted(shown.replace(" ", "")) == sorted(read.policy.text.replace(" ", "").replace("\n", ""))


def test_headings_begin_below_the_pages_own() -> None:
    layout = lay_out(reading(), ())
    assert [part.level for part in layout.parts if part.level] == [2, 3, 4]
    assert [(line.text, line.inner) for line in layout.outline] == [("What we collect", False), ("Cookies", True)]


def test_lists_and_tables_keep_their_form() -> None:
    kinds = [run.kind for part in lay_out(reading(), ()).parts for run in part.runs]
    assert kinds == ["paragraph", "item", "row", "paragraph"]


def test_practices_are_named_coloured_and_counted() -> None:
    practices = (
        Practice(0, "third", 0.9, (("Third Party Entity", "Public"), ("Purpose", "Unspecified"))),
        Practice(0, "other", 0.8),
        Practice(0, "first", 0.7),
    )
    layout = lay_out(reading(), practices)
    part = next(part for part in layout.parts if part.tags)
    assert part.hue == "third"
    assert [(tag.verb, tag.about) for tag in part.tags] == [("Shares", "anyone: it is made public"), ("Collects", "")]
    assert [(line.hue, line.number, line.first) for line in layout.legend] == [("first", 1, "g0"), ("third", 1, "g0")]
