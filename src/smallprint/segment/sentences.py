"""Where sentences begin and end inside one block."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

# Longer runs than this are cut at a space: a page without punctuation must not become one endless sentence.
# In 209 policies whose sentences were checked by hand, 99 of 100 have under 400 characters.
LONGEST = 1_500
# The splitter's legal model takes these for abbreviations; in 300 policies nearly every "app." ends a sentence.
PLAIN_WORDS = (
    "ad", "all", "am", "app", "at", "can", "cent", "code", "day", "enter", "free", "id", "in", "life", "me",
    "month", "offline", "reports", "sent", "so", "tax", "will", "works",
)  # fmt: skip
_CONTINUES = re.compile(r"[a-z]")
# "… by email.How can you …": pages that lost their line breaks have them, one policy in five of 3,104. Only words in
# lower case end so, and only words with a capital begin; "asp.net" and "Booking.Com" are names.
_LOST_BREAK = re.compile(
    r"""(?<![\w.@/-])[a-z]{2,}[)"”’']?[.!?][)"”’']?(?=(?!(?:Co|Com|Edu|Eu|Gov|Io|Js|Net|Org|Uk)\b)[A-Z][a-z'’]*\s)"""
)


@cache
def _splitter() -> Any:
    import nupunkt

    model = nupunkt.load_default_model()
    for word in PLAIN_WORDS:
        model.remove_abbreviation(word)
    return model


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Ranges of the sentences of `text`, in order, without the white space around them."""
    spans: list[tuple[int, int]] = []
    for chunk_start, chunk_end in _chunks(text):
        for start, end in _splitter().span_tokenize(text[chunk_start:chunk_end]):
            spans.append((chunk_start + start, chunk_start + end))
    whole = [part for span in _joined(text, spans) for part in _parted(text, *span)]
    return [cut for span in whole for cut in _cut(text, *span)]


def _chunks(text: str, size: int = 20 * LONGEST) -> list[tuple[int, int]]:
    """The splitter looks far around; megabytes in one block go to it in handy parts."""
    return _cut(text, 0, len(text), size)


def _joined(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A sentence does not begin in lower case: what follows "see example.com/privacy." belongs to it."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = _stripped(text, start, end)
        if start == end:
            continue
        if joined and _CONTINUES.match(text, start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _parted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """At lost line breaks."""
    breaks = [found.end() for found in _LOST_BREAK.finditer(text, start, end)]
    return list(pairwise([start, *breaks, end]))


def _cut(text: str, start: int, end: int, longest: int = LONGEST) -> list[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    while end - start > longest:
        space = text.rfind(" ", start + 1, start + longest)
        middle = space if space > start else start + longest
        cuts.append(_stripped(text, start, middle))
        start, end = _stripped(text, middle, end)
    return [*cuts, (start, end)] if end > start else cuts


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
