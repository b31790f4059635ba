"""What a policy says, as traits that can be counted over many policies and set side by side.

A trait is a value of a practice (collects/location), a whole category (speaks/dataretention), the sale of data
(sells/data) or a tracking technology (tracks/cookies). What is said of it is read from the sentence that shows it:
that is what people are shown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from smallprint import taxonomy
from smallprint.annotate import mentions
from smallprint.answer.claims import claims_of
from smallprint.index.stance import SentenceStance, stance_of
from smallprint.records import BlockKind, Practice, Reading, Sentence, Stance

_SAID = {
    SentenceStance.DOES: Stance.YES,
    SentenceStance.DOES_NOT: Stance.NO,
    SentenceStance.CHOICE: Stance.CHOICE,
}
_MAY_SELL = re.compile(r"\b(?:sell|sold|rent|trade|lease|barter|monetize)", re.IGNORECASE)
_NO_DATA = frozenset({"unnamed", "cookies"})
_NO_SALE = frozenset({"company", "law", "nameless"})
_BY_CATEGORY, _BY_NAME = "speaks", "tracks"
_CATEGORIES = {"sells": "third", "tracks": "first"}  # of groups that have no one practice of the scheme


@dataclass(frozen=True, slots=True)
class Trait:
    """`key` is group/value; `does`, `denies` and `leaves` follow "It says it", `asks` is the question that checks it;
    `category` is the practice's."""

    key: str
    group: str
    title: str
    category: str
    name: str
    does: str
    denies: str
    leaves: str
    asks: str

    def says(self, stance: Stance) -> str:
        match stance:
            case Stance.NO:
                return self.denies
            case Stance.CHOICE:
                return self.leaves
            case _:
                return self.does


@dataclass(frozen=True, slots=True)
class Said:
    """A trait that a policy has: what is said of it, and the sentences that say so, the plainest first."""

    trait: Trait
    stance: Stance
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Ground:
    chance: float
    sentence: int
    stance: Stance


@cache
def traits() -> Mapping[str, Trait]:
    """All traits by key, in the order of their file."""
    return {trait.key: trait for group in _groups() for trait in _traits(group)}


def traits_of(reading: Reading, practices: Sequence[Practice]) -> tuple[Said, ...]:
    """What the policy says, in the order of `traits`."""
    sentences = {sentence.id: sentence for sentence in reading.sentences}
    grounds: dict[str, list[_Ground]] = {}
    found = (*_by_practice(practices), *_by_category(reading, practices), *_by_name(reading), *_by_claim(reading))
    for key, chance, sentence in found:
        if sentence in sentences:
            grounds.setdefault(key, []).append(_Ground(chance, sentence, said_in(sentences[sentence])))
    return tuple(_said(trait, grounds[key]) for key, trait in traits().items() if key in grounds)


def said_in(sentence: Sentence) -> Stance:
    """What a sentence says of the practice it names."""
    return _SAID[stance_of(sentence.text, sentence.lead_in)]


def _said(trait: Trait, grounds: Sequence[_Ground]) -> Said:
    """Yes and no together are both; a choice beside a plain yes is a yes."""
    stances = {ground.stance for ground in grounds}
    if {Stance.YES, Stance.NO} <= stances:
        stance = Stance.MIXED
    else:
        stance = next(s for s in (Stance.YES, Stance.NO, Stance.CHOICE) if s in stances)
    ordered = sorted(grounds, key=lambda g: (g.stance is not stance, -g.chance))
    return Said(trait, stance, tuple(dict.fromkeys(ground.sentence for ground in ordered)))


def _by_practice(practices: Sequence[Practice]) -> Iterator[tuple[str, float, int]]:
    keys = _value_keys()
    for practice in practices:
        for pair, sentence in zip(practice.values, practice.sentences, strict=True):
            key = keys.get((practice.category, *pair))
            if key:
                yield key, practice.chance, sentence


def _by_category(reading: Reading, practices: Sequence[Practice]) -> Iterator[tuple[str, float, int]]:
    firsts = {segment.id: segment.sentences[0].id for segment in reading.segments if segment.sentences}
    for practice in practices:
        key = f"{_BY_CATEGORY}/{practice.category}"
        if key in traits() and practice.segment in firsts:
            shown = practice.sentences[0] if practice.sentences else firsts[practice.segment]
            yield key, practice.chance, shown


def _by_name(reading: Reading) -> Iterator[tuple[str, float, int]]:
    """The first sentence that names each; a heading that does is no sentence to show."""
    text = reading.policy.text
    named = set(mentions.mentions(text)["tracking"])
    rules = [rule for rule in mentions.rules() if rule.facet == "tracking" and rule.key in named]
    body = [s for s in reading.sentences if s.kind is not BlockKind.HEADING]
    for rule in rules:
        key = f"{_BY_NAME}/{rule.key}"
        found = next((s for s in body if rule.pattern.search(s.text)), None)
        if key in traits() and found:
            yield key, 1.0, found.id


def _by_claim(reading: Reading) -> Iterator[tuple[str, float, int]]:
    """Sentences in which the one who speaks sells data, or says that it does not; the sale of a company is none."""
    for sentence in reading.sentences:
        if sentence.kind is not BlockKind.HEADING and _MAY_SELL.search(sentence.text):
            sold = [c for c in claims_of(sentence.text) if c.act == "sell" and c.actor != "others"]
            if any(c.things - _NO_DATA and not (c.excuses & _NO_SALE and not c.denied) for c in sold):
                yield "sells/data", 1.0, sentence.id


@dataclass(frozen=True, slots=True)
class _Group:
    name: str
    title: str
    categories: tuple[str, ...]
    attribute: str
    lines: Mapping[str, str]
    values: Mapping[str, Sequence[str]]


@cache
def _groups() -> tuple[_Group, ...]:
    stored = tomllib.loads(files("smallprint.norms").joinpath("traits.toml").read_text("utf-8"))
    return tuple(
        _Group(
            name,
            row["title"],
            tuple(row["categories"]),
            row["attribute"],
            {line: row[line] for line in ("does", "denies", "leaves", "asks")},
            row.get("values", {}),
        )
        for name, row in stored.items()
    )


def _traits(group: _Group) -> Iterator[Trait]:
    if group.attribute:
        plain = {w.key: (w.plain, "") for w in taxonomy.words(group.attribute).values()}
    else:
        plain = {key: (words, question) for key, (words, question) in group.values.items()}
    for key, (words, question) in plain.items():
        lines = {line: text.format(words) for line, text in group.lines.items()}
        category = group.categories[0] if group.categories else _CATEGORIES.get(group.name, key)
        lines["asks"] = question or lines["asks"].replace("your ", "my ")
        yield Trait(f"{group.name}/{key}", group.name, group.title, category, words, **lines)


@cache
def _value_keys() -> Mapping[tuple[str, str, str], str]:
    """(category, attribute, value) → key of the trait."""
    return {
        (category, group.attribute, value): f"{group.name}/{words.key}"
        for group in _groups()
        if group.attribute
        for category in group.categories
        for value, words in taxonomy.words(group.attribute).items()
    }
