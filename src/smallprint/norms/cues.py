"""What a difference looks like: the cues by which it is told whether it matters and of which kind it is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from smallprint.norms.aligning import Difference, Side
from smallprint.norms.lists import lists
from smallprint.norms.wording import Wording
from smallprint.segment.stems import stem

_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_ADDRESS = re.compile(r"\S+@\S+|\[email|https?://|www\.|\.com\b|\.org\b")
_EXAMPLES = re.compile(r"such as|including|e\.g\.|for example|for instance")
# Characters on either side of a statement that tell where it stands.
_AROUND = 300
# Words are spelled otherwise, and not others, when more than this share of their letters is common.
_ALIKE = 0.75

Key = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Setting:
    """All differences of two versions: what one of them is seen against."""

    old: Wording
    new: Wording
    repeated: Counter[Key]
    pairs: Counter[tuple[int, int]]

    @classmethod
    def of(cls, old: Wording, new: Wording, found: Sequence[Difference]) -> Setting:
        return cls(old, new, Counter(map(key_of, found)), Counter(map(_pair, found)))

    def around(self, difference: Difference) -> float:
        """How much the text before and after reads like prose and not like a menu, wherever its lines break."""
        side = difference.new or difference.old
        assert side
        row, line = (self.new if difference.new else self.old).row, side.statement.words.line
        start = row.find(line)
        return prose(f"{row[max(0, start - _AROUND) : start]} {row[start + len(line) : start + len(line) + _AROUND]}")


def key_of(difference: Difference) -> Key:
    """The same for the same words replaced elsewhere."""
    return tuple(map(stem, difference.went)), tuple(map(stem, difference.came))


def _pair(difference: Difference) -> tuple[int, int]:
    old, new = difference.old, difference.new
    return id(old.statement) if old else 0, id(new.statement) if new else 0


def is_hollow(difference: Difference) -> bool:
    """Only words without a meaning of their own, or the way that words are written, differ."""
    if not difference.old or not difference.new:
        return False
    went, came = difference.went, difference.came
    hollow = lists().hollow
    left = [{stem(word) for word in words if word not in hollow} for words in (went, came)]
    return left[0] == left[1] or "".join(went) == "".join(came)


def is_renaming(difference: Difference, setting: Setting) -> bool:
    """One name for another, in several places."""
    return bool(difference.went and difference.came) and setting.repeated[key_of(difference)] > 1


def cues(difference: Difference, setting: Setting, said: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Named values, each from nought to a few. `said` has for each side the chances of categories and stances that the
    reader finds in its quote."""
    values: dict[str, float] = {}
    values.update(_shape(difference))
    values.update(_words(difference))
    values.update(_look(difference))
    values.update(_place(difference, setting))
    chances = {name: max(side[name] for side in said) for name in said[0]}
    return values | chances


def _shape(difference: Difference) -> dict[str, float]:
    went, came = difference.went, difference.came
    both = bool(difference.old and difference.new)
    return {
        "paired": both,
        "only new": not difference.old,
        "only old": not difference.new,
        "inserted": both and not went,
        "deleted": both and not came,
        "went": math.log1p(len(went)),
        "came": math.log1p(len(came)),
        "likeness": difference.likeness,
        "spelled": both and _spelled("".join(went), "".join(came), abs(len(went) - len(came))),
        "same words": both and sorted(went) == sorted(came),
    }


def _spelled(went: str, came: str, apart: int) -> bool:
    """The same letters, or nearly the same in about as many words. Cheap upper bounds of the ratio are asked first."""
    if went == came:
        return True
    if apart > 2 or min(len(went), len(came)) <= 3:
        return False
    matcher = SequenceMatcher(None, went, came, autojunk=False)
    return all(ratio() > _ALIKE for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio))


def _words(difference: Difference) -> dict[str, float]:
    words = lists()
    went, came = set(difference.went), set(difference.came)
    both = bool(difference.old and difference.new)
    changed = went ^ came if both else went | came
    sentence = map(str.lower, _WORD.findall(_text(difference)))
    listed_in = Counter(name for word in sentence for name in words.listing.get(word, ()))
    lost, won = _meanings(difference, went, came)
    values: dict[str, float] = {
        "content": math.log1p(sum(word not in words.plain for word in changed)),
        "no content": all(word in words.plain for word in changed),
        "dates": sum(w in words.months or any(map(str.isdigit, w)) for w in changed) / max(1, len(changed)),
        "lost": math.log1p(len(lost)),
        "won": math.log1p(len(won)),
        "exchanged": both and bool(lost and won),
        "hollow": is_hollow(difference),
    }
    for name, listed in words.lists.items():
        values[f"any {name}"] = bool(listed & (went ^ came))
        values[f"in {name}"] = min(4, listed_in[name]) / 4
    return values


def _meanings(difference: Difference, went: set[str], came: set[str]) -> tuple[set[str], set[str]]:
    """The stems that the sentence lost and won, words without a meaning of their own left out."""
    silent = lists().plain | lists().leading
    lost, won = ({stem(word) for word in words if word not in silent} for words in (went, came))
    lost, won = lost - won, won - lost
    if difference.old and difference.new:
        lost -= {stem(word) for word in difference.new.statement.words.bare}
        won -= {stem(word) for word in difference.old.statement.words.bare}
    return lost, won


def _look(difference: Difference) -> dict[str, float]:
    text, quote = _text(difference), max((side.quote for side in difference.sides), key=len)
    ending = text.rstrip()
    return {
        "length": math.log1p(len(text.split())),
        "short": len(text.split()) < 6,
        "prose": prose(text),
        "capitals": _capitals(_WORD.findall(text)),
        "quote capitals": _capitals(_WORD.findall(quote)),
        "names": max(_capitals(_written(side)) for side in difference.sides),
        "ends": ending[-1:] in tuple(".;:!?)"),
        "full stop": ending.rstrip('*_"”').endswith("."),
        "question": ending.endswith("?"),
        "heading": text.lstrip().startswith("#"),
        "address": bool(_ADDRESS.search(quote)),
        "code": text.count("|") > 2 or text.count(" * ") > 2 or "<" in text or "{" in text,
        "list": text.count(",") + text.count("|") >= 4,
        "examples": bool(_EXAMPLES.search(text)),
    }


def _place(difference: Difference, setting: Setting) -> dict[str, float]:
    side = difference.new or difference.old
    assert side
    start = difference.old is not None and difference.new is not None
    start = start and all(side.start == 0 for side in difference.sides)
    written = _written(side)
    return {
        "around": setting.around(difference),
        "repeated": setting.repeated[key_of(difference)] > 1,
        "renamed": is_renaming(difference, setting),
        "places": math.log1p(setting.pairs[_pair(difference)]),
        "at start": start,
        "at end": bool(difference.old and difference.new) and side.end == len(side.statement),
        "title": start and _capitals(written) > 0.6,
    }


def prose(text: str) -> float:
    """The share of words that prose is full of."""
    words = _WORD.findall(text)
    return sum(map(lists().plain.__contains__, map(str.lower, words))) / max(1, len(words))


def _text(difference: Difference) -> str:
    side = difference.new or difference.old
    assert side
    return side.statement.text


def _written(side: Side) -> list[str]:
    return [side.statement.text[a:b] for a, b in side.statement.words.spans[side.start : side.end]]


def _capitals(words: Sequence[str]) -> float:
    return sum(word[0].isupper() for word in words) / max(1, len(words))
