"""A word in its company: each place where it stands, lined up, with what goes before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from smallprint.index.protocol import Hit


@dataclass(frozen=True, slots=True)
class Line:
    """One place; `left` and `right` are cut to the width asked for, at words."""

    left: str
    key: str
    right: str
    service: str
    date: str


def lines(hits: Iterable[Hit], width: int = 40) -> Iterator[Line]:
    """Every marked place of the sentences found, in their order."""
    for hit in hits:
        if hit.sentence is None:
            continue
        text = " ".join(hit.sentence.text.split("\n"))
        for start, end in hit.sentence.marks:
            yield Line(
                left=_last(text[:start], width),
                key=text[start:end],
                right=_first(text[end:], width),
                service=hit.service,
                date=hit.date,
            )


def _last(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    cut = text[-width:]
    return cut[cut.find(" ") + 1 :] if " " in cut else cut


def _first(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    cut = text[:width]
    return cut[: cut.rfind(" ")] if " " in cut else cut
