"""Slips of the finger and shorthand, read as what they stand for; names and all that is in doubt stay as typed."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log10

from smallprint.question.words import counts, is_known

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# A word between spaces, with marks around it. Whatever else stands between spaces is an address, a number, a name.
# Apostrophes fit before, in and behind the word: nothing is given back, or a row of them would be parted in every way.
_CHUNK = re.compile(r"(?<!\S)[(\"“‘'*]*+(?P<core>[\w'’]++(?:[-/]\w*+)*+)[)\"”’'*,.!?;:…]*+(?!\S)")
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+)[\"“‘'(*]*$")

# Tuned on the questions of `asked` that are not measured on, with one seeded slip in each (`bench spelling`).
SHORTEST = 3
"""Shorter words are as near to each other as slips are."""
SHORT = 4
COMMON = 4.0
"""Log10 of how common a reading must be for a word of SHORT letters or fewer: slips of "what", not names."""
FAIRLY_SHORT = 6
NOT_RARE = 2.5
"""Log10 of how common it must be up to FAIRLY_SHORT letters, if one is wrong: names are often one off a rare word."""
TWO_SLIPS_FROM = 7
"""Letters from which two slips are repaired."""
FAIRLY_COMMON = 3.5
"""Log10 of how common a reading must be then: names are often two slips from some rare word."""
CLEAR = 0.4
"""Log10 by which the best reading must be likelier than the next."""
# Log10 that a reading gains or loses by the slip that leads to it, beside how common it is.
SWAPPED, DOUBLED, LEFT_OUT, TOO_MANY, OTHER_START = 1.0, 0.7, 0.3, -0.7, -1.5


@dataclass(frozen=True, slots=True)
class Repair:
    typed: str
    read: str


def repaired(text: str, own: Container[str] = frozenset()) -> tuple[str, tuple[Repair, ...]]:
    """The text as it was meant, and what was read otherwise than typed; `own` are words (in small letters) that are
    right whatever the list of words says, as those of the policy that is asked."""
    shouted = text.upper() == text
    chunks = list(_CHUNK.finditer(text))
    repairs: list[Repair] = []
    made: list[str] = []
    end = 0
    for place, chunk in enumerate(chunks):
        following = chunks[place + 1]["core"].lower() if place + 1 < len(chunks) else ""
        typed = chunk["core"]
        read = _long_form(typed, following)
        if read is None:
            opens = _SENTENCE_START.search(text, 0, chunk.start("core")) is not None
            read = _WORD.sub(lambda word, opens=opens: _read(word[0], own, opens, shouted), typed)
        made += [text[end : chunk.start("core")], read]
        end = chunk.end("core")
        if read != typed:
            repairs.append(Repair(typed, read))
    return "".join(made) + text[end:], tuple(repairs)


def _long_form(typed: str, following: str) -> str | None:
    """What shorthand stands for, given the word after it; None where it is none."""
    small = typed.lower().replace("’", "'")
    always, before = _shorthand()
    if small in always and (typed == small or len(small) > 2):
        return always[small]
    if typed not in before:
        return None
    meanings = before[typed]
    fitting = (long for long, words in meanings.items() if following in words)
    return next(fitting, next((long for long, words in meanings.items() if not words), None))


def _read(typed: str, own: Container[str], opens: bool, shouted: bool) -> str:
    stem, mark, ending = typed.replace("’", "'").partition("'")
    small = stem.lower()
    named = stem[1:] != stem[1:].lower() or (stem[0].isupper() and not opens)
    if (named and not shouted) or len(small) < SHORTEST or small in own or is_known(typed) or ending == "t":
        return typed
    meant = best_reading(small)
    if meant is None or (stem[0].isupper() and log10(counts()[meant]) < COMMON):
        return typed  # it opens the text, so it may be a name
    return (meant.upper() if shouted else meant.capitalize() if stem[0].isupper() else meant) + mark + ending


def best_reading(slip: str) -> str | None:
    """The word that an unknown one stands for, if one is clearly likelier than all others."""
    known = counts()
    near = {word for word in one_slip_away(slip) if word in known}
    if not near and len(slip) >= TWO_SLIPS_FROM:
        alike = (word for word, count in known.items() if word[0] == slip[0] and log10(count) >= FAIRLY_COMMON)
        near = {word for word in alike if within_two_slips(slip, word)}
    ranked = sorted(((_likelihood(slip, word), word) for word in near), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CLEAR):
        return None
    best = ranked[0][1]
    return best if _is_plain_slip(slip, best) else None


def _is_plain_slip(slip: str, word: str) -> bool:
    """Short words that nobody knows are mostly names and letters for something, unless they are nearly a common
    word; of three letters no slip makes a common word by a wrong letter or one too many."""
    common = log10(counts()[word])
    swapped = sorted(slip) == sorted(word)
    if len(slip) > SHORT:
        replaced = len(slip) == len(word) and not swapped
        return common >= NOT_RARE or not replaced or len(slip) > FAIRLY_SHORT
    if common < COMMON:
        return False
    return len(slip) > SHORTEST or len(word) > len(slip) or swapped


def _likelihood(slip: str, word: str) -> float:
    likelihood = log10(counts()[word])
    if sorted(slip) == sorted(word):
        return likelihood + SWAPPED
    if len(slip) < len(word):
        likelihood += LEFT_OUT
    elif len(slip) > len(word):
        likelihood += DOUBLED if word in _undoubled(slip) else TOO_MANY
    return likelihood + (OTHER_START if slip[0] != word[0] else 0)


def _undoubled(slip: str) -> set[str]:
    """Without one of two letters that are the same."""
    return {slip[:at] + slip[at + 1 :] for at in range(len(slip) - 1) if slip[at] == slip[at + 1]}


def one_slip_away(word: str) -> Iterator[str]:
    """What one letter too few, too many, wrong or swapped with the next makes of a word."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1 and after[0] != after[1]:
            yield before + after[1] + after[0] + after[2:]
        for letter in _LETTERS:
            yield before + letter + after
            if after and letter != after[0]:
                yield before + letter + after[1:]


def within_two_slips(one: str, other: str) -> bool:
    """Whether two slips lead from one word to the other."""
    if abs(len(one) - len(other)) > 2:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > 2:
            return False
    return row[-1] <= 2


@cache
def _shorthand() -> tuple[dict[str, str], dict[str, dict[str, list[str]]]]:
    stored = json.loads(files("smallprint.question").joinpath("shorthand.json").read_text("utf-8"))
    return stored["always"], stored["before"]
