"""Near misses made by rule: "can I get a copy?" beside "you may have your data erased".

Labels written one by one (`train.labelled`) show too few of them: a network takes a sentence that is about the same
kind of thing for an answer. Policies say much in set phrases, so that a rule can tell both sides and is hardly ever
wrong: a sentence answers where its phrase stands without a limit; it does not where it says another of these things and
no word of it could be about the one that is asked for.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from smallprint.models.said import SAID, SILENT
from train.exclusions import Exclusions, is_held_out
from train.judge_data import BARE_SHARE
from train.labelled import Shown, Texts, in_order
from train.marker_data import Example

TABLE = Path(__file__).with_suffix(".toml")
LONGEST = 400
"""Characters of a sentence: longer ones are lists run together, where a phrase stands for little."""
MOST = 6
"""Sentences shown, at most."""
ANSWERED = 0.5
"""How often what answers is among the sentences shown."""


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that policies say in set phrases."""

    frame: str
    says: re.Pattern[str]
    cue: re.Pattern[str]
    """Any word that could be about it."""
    questions: tuple[str, ...]
    example: str
    """What `says` it."""


@dataclass(frozen=True, slots=True)
class Rules:
    matters: tuple[Matter, ...]
    limits: re.Pattern[str]

    def told(self, text: str) -> set[Matter]:
        """What a sentence speaks of."""
        return {matter for matter in self.matters if matter.says.search(text)}


@dataclass(frozen=True, slots=True)
class Found:
    """The sentences of one policy that plainly tell of a matter, and those that only tell of others like it."""

    matter: Matter
    answers: tuple[Shown, ...]
    others: tuple[Shown, ...]


def read_rules() -> Rules:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    matters = tuple(
        Matter(
            row["frame"],
            re.compile(table["frames"][row["frame"]] + row["says"], re.IGNORECASE),
            re.compile(r"\b" + row["cue"], re.IGNORECASE),
            tuple(row["questions"]),
            row["example"],
        )
        for row in table["matters"]
    )
    return Rules(matters, re.compile(table["limits"], re.IGNORECASE))


def find(rules: Rules, sentences: Sequence[Shown]) -> list[Found]:
    """What one policy tells of each matter; none where it gives nothing to ask about."""
    told = [(one, rules.told(one.text)) for one in sentences if len(one.text) <= LONGEST]
    made = []
    for matter in rules.matters:
        near = [(one, matter in those) for one, those in told if any(each.frame == matter.frame for each in those)]
        answers = tuple(one for one, hit in near if hit and not rules.limits.search(one.text))
        others = tuple(one for one, _ in near if not matter.cue.search(f"{one.heading} {one.lead_in} {one.text}"))
        if answers or others:
            made.append(Found(matter, answers, others))
    return made


def read(texts: Texts, excluded: Exclusions, *, held_out: bool) -> list[Found]:
    """All that the labelled policies tell, or the fifth of them that is held out, without sentences that are measured
    on."""
    rules = read_rules()
    chosen = [policy for policy in texts.policies if is_held_out(policy) == held_out]
    found = [one for policy in chosen for one in find(rules, texts.policy(policy))]
    return [Found(one.matter, _left(one.answers, excluded), _left(one.others, excluded)) for one in found]


def _left(sentences: Sequence[Shown], excluded: Exclusions) -> tuple[Shown, ...]:
    return tuple(one for one in sentences if not excluded.covers(one.text))


def examples(found: Sequence[Found], draw: random.Random) -> Iterator[Example]:
    """Without end. Each matter is asked for equally often, and answered as often as not: the question alone must tell
    nothing."""
    answering, missing = _by_matter(one for one in found if one.answers), _by_matter(one for one in found if one.others)
    matters = [matter for matter in answering if matter in missing]
    while matters:
        matter = draw.choice(matters)
        if draw.random() < ANSWERED:
            one = draw.choice(answering[matter])
            said, shown = "yes", [draw.choice(one.answers), *_some(one.others, 0, MOST - 1, draw)]
        else:
            said, shown = SILENT, _some(draw.choice(missing[matter]).others, 1, MOST, draw)
        bare = draw.random() < BARE_SHARE
        passages = tuple(in_order(shown, bare=bare))
        yield Example(draw.choice(matter.questions), passages, said=SAID.index(said))


def _by_matter(found: Iterable[Found]) -> dict[Matter, list[Found]]:
    by_matter: dict[Matter, list[Found]] = {}
    for one in found:
        by_matter.setdefault(one.matter, []).append(one)
    return by_matter


def _some(sentences: Sequence[Shown], least: int, most: int, draw: random.Random) -> list[Shown]:
    return draw.sample(sentences, draw.randint(least, min(most, len(sentences))))
