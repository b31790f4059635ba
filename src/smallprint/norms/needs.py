"""A need as a person puts it, "doesn't share my location with advertisers", as what can be looked for and asked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from smallprint.answer.claims import Claim, claims_of
from smallprint.errors import QueryError
from smallprint.index.query import And, Near, Node, Or, Phrase, Word
from smallprint.index.stance import SentenceStance
from smallprint.retrieve.lexical import terms

LONGEST = 300
_WORD = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")
_FEWEST = 2  # groups: with one alone too much is found
_NO = ("not", "never", "no")
_BESIDE = 3  # words from a denial to what it denies, for a first look
_SEVERAL = re.compile(r"[- ]")
_SIGNAL = "do not track"  # a name; taken for a denial it would turn the need round


@dataclass(frozen=True, slots=True)
class Need:
    """`wants` is what a policy should say of the `practice`; `question` asks for it, `claims` are what it would be in a
    policy's words, `concepts` groups of words of which each should be met."""

    text: str
    wants: SentenceStance
    practice: str
    question: str
    claims: tuple[Claim, ...]
    concepts: tuple[tuple[str, ...], ...]


def need_of(text: str) -> Need:
    """`QueryError` where there is nothing to look for."""
    folded = " ".join(text.replace("’", "'").split())[:LONGEST].strip(" .!?").lower()
    rest = _data().opening.sub("", f"{folded} ").strip()
    practice, denied = _affirmed(rest)
    if not terms(practice):
        raise QueryError("Say what the policy should or should not do, as in: doesn't sell my data.")
    wants = SentenceStance.DOES_NOT if denied else SentenceStance.DOES
    claims = claims_of(f"We {_told(practice)}.") if _SIGNAL not in practice else ()
    return Need(text, wants, practice, f"Do you {practice}?", claims, _concepts(practice))


def queries(need: Need, *, denied: bool) -> tuple[Node, ...]:
    """From strict to loose: every concept in one sentence, a denial right before the first where the sentence is to
    deny; then without that; then all concepts but one."""
    groups = [_either(words) for words in need.concepts]
    strict = (_joined((_denying(need.concepts[0]), *groups[1:])),) if denied else ()
    all_but_one = (_joined([g for g in groups if g is not left]) for left in groups) if len(groups) > 2 else ()
    return (*strict, _joined(groups), *all_but_one)


def _affirmed(text: str) -> tuple[str, bool]:
    """The practice in the base form, and whether it was denied."""
    data = _data()
    if data.without.search(text):
        return f"use {data.without.sub('', text)}", True
    bare = data.denial.sub("", text)
    denied = bare != text
    bare = data.modal.sub("", bare)
    first, _, rest = bare.partition(" ")
    rest = re.sub(r"\b(?:it|they) (\w+)", lambda found: f"you {_base(found[1])}", rest)
    rest = re.sub(r"(?<!\bon )\b(?:its|their)\b", "your", rest)
    return f"{_base(first)} {rest}".strip(), denied


def _base(verb: str) -> str:
    """ "shares" is "share"."""
    if verb in _data().verbs:
        return _data().verbs[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _told(practice: str) -> str:
    return re.sub(r"\bme\b", "you", re.sub(r"\bmy\b", "your", practice))


def missing(need: Need, text: str) -> tuple[tuple[str, ...], ...]:
    """The concepts that a sentence does not meet."""
    words = f" {' '.join(terms(text))} "
    met = (any(_phrase(word) in words for word in group) for group in need.concepts)
    return tuple(group for group, found in zip(need.concepts, met, strict=True) if not found)


@lru_cache(maxsize=2048)
def _phrase(word: str) -> str:
    return f" {' '.join(terms(word))} "


def states(text: str) -> bool:
    """Whether a sentence states anything: questions, headings and signposts do not."""
    return _data().states_nothing.search(text.strip().lower()) is None


def hedges(text: str) -> bool:
    """Whether a sentence leaves room: "we may", "and/or", "reasonable efforts"."""
    return _data().hedges.search(text.lower()) is not None


def _concepts(practice: str) -> tuple[tuple[str, ...], ...]:
    """A group for each word that counts, in order, met by any word that means the same. Light words count where there
    would be no two groups without them."""
    found: list[tuple[int, tuple[str, ...]]] = []
    left = practice
    for group in _data().same:
        phrase = next((w for w in group if " " in w and re.search(rf"\b{w}\b", left)), None)
        if phrase:
            found.append((left.index(phrase), group))
            left = left.replace(phrase, " " * len(phrase))
    words = [(m.start(), m[0]) for m in _WORD.finditer(left) if terms(m[0])]
    heavy = [(at, _same(word)) for at, word in words if word not in _data().light]
    light = [(at, _same(word)) for at, word in words if word in _data().light]
    found += heavy
    if len({group for _, group in found}) < _FEWEST:
        found += light
    return tuple(dict.fromkeys(group for _, group in sorted(found)))


def _same(word: str) -> tuple[str, ...]:
    """The line that has the very word, else one with a form of it."""
    lines = [line for line in _data().same if word in line]
    stemmed = terms(word)
    lines += [line for line in _data().same if stemmed in map(terms, line)]
    return lines[0] if lines else (word,)


def _denying(words: tuple[str, ...]) -> Node:
    pairs = tuple(
        Near(Word(no), Phrase(word) if _SEVERAL.search(word) else Word(word), _BESIDE) for no in _NO for word in words
    )
    return Or(pairs)


def _joined(groups: Sequence[Node]) -> Node:
    return groups[0] if len(groups) == 1 else And(tuple(groups))


def _either(words: tuple[str, ...]) -> Node:
    parts = tuple(Phrase(word) if _SEVERAL.search(word) else Word(word) for word in words)
    return parts[0] if len(parts) == 1 else Or(parts)


@dataclass(frozen=True, slots=True)
class _Data:
    opening: re.Pattern[str]
    denial: re.Pattern[str]
    without: re.Pattern[str]
    states_nothing: re.Pattern[str]
    hedges: re.Pattern[str]
    modal: re.Pattern[str]
    same: tuple[tuple[str, ...], ...]
    light: frozenset[str]
    verbs: dict[str, str]


@cache
def _data() -> _Data:
    stored = tomllib.loads(files("smallprint.norms").joinpath("needs.toml").read_text("utf-8"))
    return _Data(
        opening=re.compile(stored["opening"]),
        denial=re.compile(stored["denial"]),
        without=re.compile(stored["without"]),
        states_nothing=re.compile(stored["states_nothing"]),
        hedges=re.compile(stored["hedges"]),
        modal=re.compile(stored["modal"]),
        same=tuple(tuple(row["words"]) for row in stored["same"]),
        light=frozenset(stored["light"]["words"]),
        verbs=stored["verbs"],
    )
