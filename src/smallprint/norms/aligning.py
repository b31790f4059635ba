"""Which statement of the old version became which of the new, and which words of it went and came.

What stands in both versions is left out, wherever it stands. Of the rest, statements are paired by their words, then
where one holds the other whole, then by what they mean; what finds no partner was added or dropped.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from smallprint.norms.lists import lists
from smallprint.norms.wording import RUN, Statement, Wording, adjoin, joined, sentences_of, words_of

# Two statements are versions of one another from this share of common words on, rare words counting more.
ALIKE = 0.45
# Or when they are each other's nearest in meaning with this cosine; between the same unchanged words, less will do.
MEANS_THE_SAME = 0.76
SAME_PLACE = 0.08
# Differences of one sentence with fewer words between them are one difference.
NEAR = 8
# A sentence of which less than this share stayed is one difference as a whole.
STAYED = 0.5
# Words that a quote has at least and at most, where a sentence has them, and that make a line a sentence.
QUOTE = 6
LONGEST_QUOTE = 40
# A passage on one topic goes on until it has so many words.
PASSAGE = 70
_BREAKS = frozenset(".,;:()–—!?|•●")

Floats = NDArray[np.float32]
Pair = tuple[Statement, Statement, float]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Of some texts: vectors [n, width] of length one, and for each its topic, "" where it has none plainly."""

    vectors: Floats
    topics: Sequence[str]


Read = Callable[[Sequence[str]], Meaning]


@dataclass(frozen=True, slots=True)
class Side:
    """What one version has at a place: the statement, the words `start:end` that differ, the words quoted around."""

    statement: Statement
    start: int
    end: int
    quoted: tuple[int, int]

    @property
    def differing(self) -> tuple[str, ...]:
        return self.statement.words.bare[self.start : self.end]

    @property
    def words(self) -> str:
        """The words that differ, as they are written."""
        return self._text(self.start, self.end) if self.end > self.start else ""

    @property
    def quote(self) -> str:
        return self._text(*self.quoted)

    def _text(self, first: int, last: int) -> str:
        spans = self.statement.words.spans
        start = 0 if first == 0 else spans[first][0]
        end = len(self.statement.text) if last == len(spans) else spans[last - 1][1]
        return self.statement.text[start:end]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two versions differ. A side is None where the other version has a statement of its own;
    `likeness` of the two statements is nought then."""

    old: Side | None
    new: Side | None
    likeness: float = 0.0

    @property
    def went(self) -> tuple[str, ...]:
        return self.old.differing if self.old else ()

    @property
    def came(self) -> tuple[str, ...]:
        return self.new.differing if self.new else ()

    @property
    def sides(self) -> tuple[Side, ...]:
        return tuple(side for side in (self.old, self.new) if side)


def differences(old: Wording, new: Wording, read: Read) -> list[Difference]:
    """Of two versions, in the order of the new one, what was dropped after it."""
    went, came = old.changed(new), new.changed(old)
    pairs = _by_words(went, came)
    pairs += _grown(_left(came, [b for _, b, _ in pairs]), old, new)
    pairs += [(b, a, n) for a, b, n in _grown(_left(went, [a for a, _, _ in pairs]), new, old)]
    pairs += _by_meaning(_left(went, [a for a, _, _ in pairs]), _left(came, [b for _, b, _ in pairs]), read)
    found = [d for a, b, likeness in pairs for d in _between(a, b, likeness)]
    dropped, added = _left(went, [a for a, _, _ in pairs]), _left(came, [b for _, b, _ in pairs])
    found += [Difference(None, side) for s in _passages(added, read) for side in _own(s, old)]
    found.sort(key=lambda d: _place(d.new))
    return found + [Difference(side, None) for s in _passages(dropped, read) for side in _own(s, new)]


def _place(side: Side | None) -> tuple[int, int, int]:
    assert side
    return side.statement.para, side.statement.first, side.start


def _left(found: Sequence[Statement], paired: Sequence[Statement]) -> list[Statement]:
    taken = set(map(id, paired))
    return [s for s in found if id(s) not in taken]


def _by_words(went: Sequence[Statement], came: Sequence[Statement]) -> list[Pair]:
    if not went or not came:
        return []
    likeness = _likeness(went, came)
    return [(went[i], came[j], float(likeness[i, j])) for i, j in _best(likeness, ALIKE)]


def _likeness(went: Sequence[Statement], came: Sequence[Statement]) -> Floats:
    """[old, new]: twice the common words over all words, each by its rarity among the changed statements."""
    # In the order of the text and not of a set, which differs from run to run: where statements are equally alike, the
    # order in which their words are summed tells which are paired.
    counts = Counter(word for s in (*went, *came) for word in dict.fromkeys(s.words.bare))
    total = len(went) + len(came)
    numbers = {word: n for n, word in enumerate(counts)}
    weights = np.array([math.log(1 + total / counts[word]) for word in counts], dtype=np.float32)
    old, new = (_matrix(side, numbers) for side in (went, came))
    sizes = (old @ weights)[:, None] + (new @ weights)[None, :]
    return np.asarray(2 * ((old * weights) @ new.T) / np.maximum(sizes, 1e-6), dtype=np.float32)


def _matrix(side: Sequence[Statement], numbers: dict[str, int]) -> Floats:
    rows = np.zeros((len(side), len(numbers)), dtype=np.float32)
    for n, statement in enumerate(side):
        rows[n, [numbers[word] for word in set(statement.words.bare)]] = 1
    return rows


def _best(likeness: Floats, least: float) -> list[tuple[int, int]]:
    """Best first, each row and column once."""
    order = sorted(np.argwhere(likeness >= least).tolist(), key=lambda place: (-likeness[place[0], place[1]], place))
    rows: set[int] = set()
    columns: set[int] = set()
    pairs = []
    for i, j in order:
        if i not in rows and j not in columns:
            pairs.append((i, j))
            rows.add(i)
            columns.add(j)
    return pairs


def _grown(alone: Sequence[Statement], other: Wording, own: Wording) -> list[Pair]:
    """Statements that hold a whole statement of the other version which stands nowhere else any more."""
    pairs = []
    for statement in alone:
        paragraphs = {other.runs[run] for run in statement.words.runs if run in other.runs}
        parts = [(s, number) for number in sorted(paragraphs) for s in sentences_of(other.paragraphs[number])]
        held = [
            Statement(part, words_of(part), number)
            for part, number in parts
            if len(words_of(part).bare) >= RUN and words_of(part).line in statement.words.line
        ]
        best = max(held, key=len, default=None)
        if best and own.row.count(best.words.line) == 1:
            pairs.append((best, statement, 2 * len(best) / (len(best) + len(statement))))
    return pairs


def _by_meaning(went: Sequence[Statement], came: Sequence[Statement], read: Read) -> list[Pair]:
    """Sentences that are each other's nearest; lines of a few words mean too little."""
    went, came = ([s for s in side if len(s) >= QUOTE] for side in (went, came))
    if not went or not came:
        return []
    vectors = read([s.text for s in (*went, *came)]).vectors
    near = vectors[: len(went)] @ vectors[len(went) :].T
    near = near + SAME_PLACE * np.array([[a.after == b.after for b in came] for a in went], dtype=np.float32)
    mutual = (near == near.max(axis=0)[None, :]) & (near == near.max(axis=1)[:, None])
    found = _best(np.where(mutual, near, 0).astype(np.float32), MEANS_THE_SAME)
    return [(went[i], came[j], ALIKE * float(near[i, j])) for i, j in found]


def _between(old: Statement, new: Statement, likeness: float) -> Iterator[Difference]:
    """The places where a statement and its new wording differ; far apart ones are told apart."""
    matcher = SequenceMatcher(None, old.words.bare, new.words.bare, autojunk=False)
    codes = [(i, j, k, m) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal"]
    if matcher.ratio() < STAYED:
        codes = [(0, len(old), 0, len(new))]
    for i, j, k, m in _merged(codes):
        yield Difference(_side(old, i, j), _side(new, k, m), likeness)


def _merged(codes: Sequence[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    merged: list[tuple[int, int, int, int]] = []
    for code in codes:
        if merged and code[0] - merged[-1][1] < NEAR and code[2] - merged[-1][3] < NEAR:
            merged[-1] = (merged[-1][0], code[1], merged[-1][2], code[3])
        else:
            merged.append(code)
    return merged


def _passages(alone: Sequence[Statement], read: Read) -> list[Statement]:
    """Sentences in a row that go on about one thing are one statement."""
    sentences = [s.text for s in alone if len(s) >= QUOTE]
    told = dict(zip(sentences, read(sentences).topics, strict=True)) if sentences else {}
    passages: list[Statement] = []
    about = ""
    for statement in alone:
        topic = told.get(statement.text, "")
        last = passages[-1] if passages else None
        if last and _goes_on(last, statement, same=topic != "" and topic == about):
            passages[-1] = joined(last, statement)
        else:
            passages.append(statement)
            about = topic
    return passages


def _goes_on(last: Statement, statement: Statement, same: bool) -> bool:
    if not adjoin(last, statement) or min(len(last), len(statement)) < QUOTE:
        return False
    return bool((same and len(last) < PASSAGE) or lists().follows.match(statement.text))


def _own(statement: Statement, other: Wording) -> Iterator[Side]:
    """The words of a statement that do not stand in the other version: all of them, or what is left."""
    words = statement.words.bare
    fresh = [True] * len(words)
    for n, run in enumerate(statement.words.runs):
        if run in other.runs:
            fresh[n : n + RUN] = [False] * RUN
    if sum(fresh) >= STAYED * len(words):
        yield Side(statement, 0, len(words), (0, len(words)))
        return
    for start, end, _, _ in _merged([(n, n + 1, n, n + 1) for n, is_fresh in enumerate(fresh) if is_fresh]):
        yield _side(statement, start, end)


def _side(statement: Statement, start: int, end: int) -> Side:
    """With the clause around the words that differ."""
    first, last = start, end
    while first > 0 and last - first < LONGEST_QUOTE and (last - first < QUOTE or not _breaks(statement, first)):
        first -= 1
    total = len(statement)
    while last < total and last - first < LONGEST_QUOTE and (last - first < QUOTE or not _breaks(statement, last)):
        last += 1
    return Side(statement, start, end, (first, last))


def _breaks(statement: Statement, word: int) -> bool:
    """Whether a clause ends before this word."""
    spans = statement.words.spans
    return not _BREAKS.isdisjoint(statement.text[spans[word - 1][1] : spans[word][0]]) if word > 0 else True
