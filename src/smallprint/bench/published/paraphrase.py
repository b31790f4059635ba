"""A question in other words, nearer to how policies speak (001 §2.1): rules, nearest words, back-translation."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from smallprint.bench.published.retrieval import neighbours
from smallprint.retrieve.lexical import terms

NEIGHBOURS = 5
PAIRS = ("eng-spa", "spa-eng")
SECONDS = 20
"""One question takes a tenth of a second each way; a translator that hangs must not hang the bench."""
_WORD = re.compile(r"[A-Za-z']+")

Method = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """`asked` and `said` are the rule's own example."""

    words: str
    instead: str
    asked: str
    said: str

    def apply(self, question: str) -> str:
        """Every place where the words stand, case aside."""
        found = rf"(?<![\w'’]){re.escape(self.words)}(?![\w'’])"
        return re.sub(found, lambda _: self.instead, question, flags=re.IGNORECASE)


@cache
def rules() -> tuple[Rule, ...]:
    loaded = tomllib.loads(files("smallprint.bench.published").joinpath("rules.toml").read_text("utf-8"))
    return tuple(Rule(row["from"], row["to"], row["asked"], row["said"]) for row in loaded["rules"])


def one_rule(question: str) -> list[str]:
    """A paraphrase for each rule that has something to say."""
    return _new(question, (rule.apply(question) for rule in rules()))


def all_rules(question: str) -> list[str]:
    """All rules at once, longest words first, no rule on another's words; nothing new where only one applies."""
    if len(one_rule(question)) < 2:
        return []
    ordered = sorted(rules(), key=lambda rule: -len(rule.words))
    instead = {rule.words.lower(): rule.instead for rule in ordered}
    either = "|".join(re.escape(rule.words) for rule in ordered)
    found = rf"(?<![\w'’])(?:{either})(?![\w'’])"
    return _new(question, [re.sub(found, lambda m: instead[m[0].lower()], question, flags=re.IGNORECASE)])


def near_words(question: str) -> list[str]:
    """Nouns and verbs one at a time, each replaced by those of its five nearest words with the same part of speech."""
    made = (
        question[: match.start()] + near + question[match.end() :]
        for match, tag in _nouns_and_verbs(question)
        for near in neighbours(match[0].lower())[:NEIGHBOURS]
        if _tag(near) == tag
    )
    return _new(question, made)


def back_translated(question: str) -> list[str]:
    """Into Spanish and back, by an Apertium that is installed here; nothing where there is none."""
    return _new(question, [_translated(_translated(question, PAIRS[0]), PAIRS[1])]) if can_translate() else []


METHODS: dict[str, Method] = {
    "rules-one": one_rule,
    "rules-all": all_rules,
    "back-translation": back_translated,
    "near-words": near_words,
}


def paraphrases(question: str) -> list[str]:
    """All methods together, each paraphrase once."""
    return _new(question, (said for method in METHODS.values() for said in method(question)))


@cache
def can_translate() -> bool:
    """Whether Apertium and both directions are here."""
    program = shutil.which("apertium")
    if program is None:
        return False
    known = subprocess.run([program, "-l"], capture_output=True, text=True, timeout=SECONDS, check=False).stdout.split()
    return set(PAIRS) <= set(known)


def _translated(text: str, pair: str) -> str:
    """Unknown words come back as they were; nothing comes back from a translator that fails."""
    program = shutil.which("apertium") or "apertium"
    try:
        done = subprocess.run(
            [program, "-u", "-f", "txt", pair], input=text, capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return " ".join(done.stdout.split())


def _new(question: str, said: Iterable[str]) -> list[str]:
    """Each once, in order, without the question itself and without nothing."""
    first = {" ".join(question.lower().split()): "", "": ""}
    for one in said:
        first.setdefault(" ".join(one.lower().split()), one)
    return [one for one in first.values() if one]


def _nouns_and_verbs(question: str) -> list[tuple[re.Match[str], str]]:
    """Words that carry meaning, with N or V; stop words such as "do" and "be" stay as they are."""
    words = list(_WORD.finditer(question))
    if not words:
        return []
    tags = [tag for _, _, tag in _tagger().tag_sent([word[0] for word in words], casesensitive=False)]
    both = ((word, _kind(tag)) for word, tag in zip(words, tags, strict=True))
    return [(word, kind) for word, kind in both if kind in ("N", "V") and terms(word[0])]


@cache
def _tag(word: str) -> str:
    return _kind(_tagger().analyze(word, casesensitive=False)[1])


def _kind(tag: str) -> str:
    """The first letter tells nouns (NN, NNS, NP) from verbs (VB, VBD, VBG)."""
    return tag[:1]


@cache
def _tagger() -> Any:
    """HanTa's English model, with the `bench` extra; a row that needs it is left out where it is missing."""
    return import_module("HanTa.HanoverTagger").HanoverTagger("morphmodel_en.pgz")
