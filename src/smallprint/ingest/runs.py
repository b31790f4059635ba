"""Runs of inline text between line breaks, and how they make paragraphs and titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from smallprint.ingest.lines import is_title_case, is_upper, strip_bullet

_VISIBLE = re.compile(r"[^\W_]")
_STOP = re.compile(r"\s*[.:–—-]+\s*")
_MAX_TITLE = 10  # words of a title that runs into its paragraph
_MIN_REST = 12
_MOSTLY = 0.9


@dataclass(slots=True)
class Run:
    """Text with how many of its visible characters are bold, linked, linked within the page.

    `lead` counts the parts that are bold from the start on.
    """

    parts: list[str] = field(default_factory=list)
    total: int = 0
    bold: int = 0
    link: int = 0
    local: int = 0
    lead: int = 0

    def add(self, text: str, *, bold: bool, link: bool, local: bool) -> None:
        visible = sum(map(len, text.split()))
        if self.bold == self.total and (bold or not visible):
            self.lead += 1
        self.parts.append(text)
        self.total += visible
        self.bold += visible * bold
        self.link += visible * link
        self.local += visible * local

    def join(self, other: Run) -> None:
        """Take in the next line."""
        if self.bold == self.total:
            self.lead += 1 + other.lead
        self.parts += [" ", *other.parts]
        self.total += other.total
        self.bold += other.bold
        self.link += other.link
        self.local += other.local

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())

    @property
    def all_bold(self) -> bool:
        return self.bold > _MOSTLY * self.total

    @property
    def stands_apart(self) -> bool:
        """A short line all in bold or in capitals is a title even where one line break is all that parts it."""
        text = self.text
        return len(text) < 120 and (self.all_bold or is_upper(text))


def paragraphs(lines: list[Run]) -> Iterator[Run]:
    """Lines that belong together: an empty line parts, and so do bullets and titles."""
    whole: Run | None = None
    apart = False
    for line in lines:
        if not line.total or not _VISIBLE.search("".join(line.parts)):
            if whole:
                yield whole
            whole = None
            continue
        title = line.stands_apart
        if whole and (title != apart or strip_bullet(line.text) is not None):
            yield whole
            whole = None
        if whole:
            whole.join(line)
        else:
            whole, apart = line, title
    if whole:
        yield whole


def split_run_in(run: Run) -> tuple[str | None, Run]:
    """A title in bold at the start of its own paragraph ("**Cookies.** We set …"), and what follows.

    Only titles in title case: a sentence in bold is often the one that matters, and must stay text.
    """
    title = " ".join("".join(run.parts[: run.lead]).split())
    if not title or run.all_bold or len(title.split()) > _MAX_TITLE or not is_title_case(title):
        return None, run
    rest = "".join(run.parts[run.lead :])
    stop = _STOP.match(rest)
    if not (stop or title[-1] in ".:–—-?") or len(rest.split()) < _MIN_REST:
        return None, run
    if stop:
        title, rest = title + stop[0].strip(), rest[stop.end() :]
    visible = sum(map(len, rest.split()))
    return title, Run([rest], visible, 0, min(run.link, visible), min(run.local, visible))
