"""The one string that stands for a sentence before the judge: where it stands, what leads into it, itself.

Training and run time both build it here. A list item such as "your email address;" means nothing without
the line that opens its list, and half of a policy's sentences only make sense under their heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEADING_LEVELS = 2
HEADING_CHARACTERS = 60
LEAD_IN_CHARACTERS = 120
FURTHEST_LEAD_IN = 25
"""A list longer than this has usually lost its opening line to a page break or an advert."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with its surroundings: `text[start:]` is the sentence itself."""

    text: str
    start: int

    @property
    def sentence(self) -> str:
        return self.text[self.start :]


def passage(sentence: str, *, heading: str = "", lead_in: str = "") -> Passage:
    """Put the last two levels of the heading path ("A > B") and the lead-in before the sentence."""
    levels = [level.strip() for level in heading.split(" > ") if level.strip()][-HEADING_LEVELS:]
    front = " > ".join(level[:HEADING_CHARACTERS].strip() for level in levels)
    opening = lead_in.strip()[-LEAD_IN_CHARACTERS:].strip(" :")
    before = "".join(f"{part}: " for part in (front, opening) if part)
    return Passage(text=before + sentence, start=len(before))


@dataclass(frozen=True, slots=True)
class Joined:
    """Several passages as one text; `sentences` are the characters of each one's sentence in it."""

    text: str
    sentences: tuple[tuple[int, int], ...]


def together(passages: Sequence[Passage]) -> Joined:
    """Several as one, in the policy's order: what it says to a question may take more than one sentence. Surroundings
    that are the same for neighbours are told once."""
    text, told, sentences = "", "", []
    for one in passages:
        before = one.text[: one.start]
        text += (" " if text else "") + ("" if before == told else before)
        sentences.append((len(text), len(text) + len(one.sentence)))
        text += one.sentence
        told = before
    return Joined(text, tuple(sentences))


def lead_in_of(sentences: Sequence[str], number: int, kinds: Sequence[str] | None = None) -> str:
    """The line ending in ":" that opens the list which sentence `number` is an item of, or "".

    Without `kinds` ("li" for list items) an item is told by its looks: it starts small or ends in ";".
    """
    if not _is_item(sentences, number, kinds):
        return ""
    for before in range(number - 1, max(-1, number - 1 - FURTHEST_LEAD_IN), -1):
        if sentences[before].rstrip().endswith(":"):
            return sentences[before]
        if not _is_item(sentences, before, kinds):
            return ""
    return ""


def _is_item(sentences: Sequence[str], number: int, kinds: Sequence[str] | None) -> bool:
    if kinds is not None:
        return kinds[number] == "li"
    text = sentences[number].strip()
    if text[:1].islower() or text.rstrip(" andor").endswith(";"):
        return True
    return number > 0 and sentences[number - 1].rstrip().endswith((":", ";", "; and", "; or"))
