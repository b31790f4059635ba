"""What a hit shows of its text: a few pieces around the words looked for, and the sentence that says it best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from smallprint.index.protocol import Snippet
from smallprint.index.words import Match, Needles, merged
from smallprint.segment.sentences import sentence_spans

WIDTH: Final = 180  # characters: about two lines of a terminal
PIECES: Final = 3
# A paragraph longer than this is cut around the match before it is split into sentences: a page without line
# breaks would cost more than the search itself.
_LONGEST_LINE: Final = 3_000
_SHORTEST_SENTENCE: Final = 5  # words: fewer are a heading or an item, and say little alone
_LOOKED_AT: Final = 2_000  # matches; the first of a very long policy are as good as the last


def best_parts(text: str, needles: Needles) -> tuple[tuple[Snippet, ...], Snippet | None]:
    """Snippets in the text's order, and the best sentence; without words to show, how the text begins."""
    matches = needles.find(text)[:_LOOKED_AT]
    if not matches:
        opening = text[: _cut_end(text, 0, WIDTH)]
        return ((Snippet(" ".join(opening.split())),) if opening.strip() else ()), None
    windows = _windows(text, matches)
    pieces = tuple(_snippet(text, a, b, matches) for a, b in sorted(windows))
    return pieces, _sentence(text, windows[0], matches)


def marked(text: str, needles: Needles) -> Snippet:
    """The whole text with its marks."""
    return Snippet(text, merged(needles.find(text), 0, len(text)))


def _windows(text: str, matches: Sequence[Match]) -> list[tuple[int, int]]:
    """Up to PIECES stretches that hold the most different words looked for, best first."""
    ends = _reaches(matches)
    rarity = _rarity(matches)
    ranked = sorted(range(len(matches)), key=lambda i: _worth(matches[i : ends[i]], rarity), reverse=True)
    windows: list[tuple[int, int]] = []
    for i in ranked:
        first, last = matches[i].start, max(m.end for m in matches[i : ends[i]])
        if any(first < b and last > a for a, b in windows):
            continue
        room = max(0, WIDTH - (last - first))
        start = _cut_start(text, first, room // 3)
        windows.append((start, _cut_end(text, last, max(0, WIDTH - (last - start)))))
        if len(windows) == PIECES:
            break
    return windows


def _reaches(matches: Sequence[Match]) -> list[int]:
    """For each match, the number of the first one that no longer fits into a window with it."""
    ends: list[int] = []
    end = 0
    for match in matches:
        while end < len(matches) and matches[end].end <= match.start + WIDTH:
            end += 1
        ends.append(max(end, len(ends) + 1))
    return ends


def _rarity(matches: Sequence[Match]) -> dict[int, float]:
    """What each word is worth: the one of two that the text has seldom tells more."""
    return {needle: 1 / count for needle, count in Counter(m.needle for m in matches).items()}


def _worth(matches: Sequence[Match], rarity: dict[int, float]) -> tuple[float, int]:
    """Different words first, the rarer the better, then how often."""
    return sum(rarity[needle] for needle in {m.needle for m in matches}), len(matches)


def _cut_start(text: str, at: int, room: int) -> int:
    """Where a piece begins: up to `room` before `at`, at a word, not across a line break."""
    line = text.rfind("\n", 0, at) + 1
    start = max(line, at - room)
    if start > line:
        space = text.find(" ", start, at)
        start = space + 1 if space >= 0 else at
    return start


def _cut_end(text: str, at: int, room: int) -> int:
    line = text.find("\n", at)
    line = len(text) if line < 0 else line
    end = min(line, at + room)
    if end < line:
        space = text.rfind(" ", at, end)
        end = space if space >= 0 else at
    return end


def _snippet(text: str, start: int, end: int, matches: Sequence[Match]) -> Snippet:
    return Snippet(text[start:end], merged(matches, start, end))


def _sentence(text: str, window: tuple[int, int], matches: Sequence[Match]) -> Snippet:
    """The sentence in the best window's lines that holds the most different words."""
    begin = text.rfind("\n", 0, window[0]) + 1
    end = text.find("\n", window[1])
    end = len(text) if end < 0 else end
    if end - begin > _LONGEST_LINE:
        begin = max(begin, window[0] - _LONGEST_LINE // 2)
        end = min(end, window[1] + _LONGEST_LINE // 2)
    spans = list(_sentences(text, begin, end))
    rarity = _rarity(matches)
    near = [span for span in spans if span[0] < window[1] and span[1] > window[0]]

    def worth(span: tuple[int, int]) -> tuple[float, bool, int, int]:
        inside = [m for m in matches if span[0] <= m.start and m.end <= span[1]]
        full = len(text[slice(*span)].split()) >= _SHORTEST_SENTENCE
        value, number = _worth(inside, rarity)
        return value, full, number, -span[0]

    return _snippet(text, *max(near or spans, key=worth), matches)


def _sentences(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Lines are split one by one, as the policy's blocks are."""
    while begin < end:
        line_end = text.find("\n", begin, end)
        line_end = end if line_end < 0 else line_end
        yield from ((begin + a, begin + b) for a, b in sentence_spans(text[begin:line_end]))
        begin = line_end + 1
