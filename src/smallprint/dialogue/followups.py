"""Follow-ups: what is left out is filled in from the question before. Rules here, their words in `followups.json`.

"Do you sell my location?", then "and my contacts?" asks "Do you sell my contacts?". What stands by itself is left
alone; so is what no rule fits, since a question answered as typed misleads less than a wrong guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


def resolve(said: str, last: str) -> str:
    """`said` as a question of its own, after the question `last`; unchanged where nothing was left out."""
    rules = _rules()
    bare, opened = rules.bare(said.replace("’", "'"))
    before = _Frame(last, rules)
    wish = rules.alone_mine.get(bare.lower()) if before.wish else None
    if wish is not None:
        return _question(wish.format(wish=before.wish))
    alone = rules.alone.get(bare.lower())
    if alone is not None:
        return _filled(alone, before) or said
    if not bare:
        return said
    if rules.is_condition(bare):
        return before.with_phrase(bare)
    if opened and rules.is_deed(bare):
        bare = f"do you {bare}"
    if rules.is_clause(bare):
        filled = rules.put_for_pronoun(bare, before.thing)
        return said if filled is None else _question(filled)
    if rules.is_phrase(bare):
        return before.with_phrase(bare)
    if rules.kind(bare) or (opened and not rules.is_tie(bare)):
        return _about(bare, before, rules)
    return said


def thing(question: str) -> str:
    """The data, or a thing such as cookies, that a question names; empty where it names none."""
    return _Frame(question, _rules()).thing


def is_question(said: str) -> bool:
    """Whether it has a verb of its own, so that it is no mere name."""
    bare, _ = _rules().bare(said)
    return bool(bare) and _rules().is_clause(bare)


def is_about_data(topic: str) -> bool:
    """Whether these words name data or people, so that they are hardly a company's name."""
    return _rules().kind(topic) is not None or _rules().thing.fullmatch(topic) is not None


def _about(topic: str, before: _Frame, rules: _Rules) -> str:
    """The question before, with its subject changed to the topic; or plainly about the topic."""
    owner, _, rest = topic.partition(" ")
    match rules.kind(topic):
        case "data":
            if before.data:
                return before.put(before.data, topic if rules.is_owner(owner) else f"my {topic}")
        case "people":
            if before.me:
                return before.put(before.me, topic)
            if before.owner:
                return before.put(before.owner, _possessive(topic))
        case "parties":
            return before.with_party(topic)
        case _ if rules.is_owner(owner) and rest and before.data:
            return before.put(before.data, topic)
    return f"What do you do about {topic}?"


def _filled(template: str, before: _Frame) -> str | None:
    """None where the question before lacks what the template needs."""
    if not before.thing or ("{verb}" in template and not before.verb):
        return None
    return template.format(np=before.thing, verb=before.verb)


def _question(text: str) -> str:
    text = _LONE_I.sub("I", text.strip(_MARKS))
    return f"{text[:1].upper()}{text[1:]}?"


def _agreeing(before: str, data: str) -> str:
    """ "is", where it stands before one of many, becomes "are"."""
    many = data.endswith("s") and not data.endswith("ss")
    return _SINGULAR.sub(lambda match: _PLURAL[match[0].lower()], before) if many else before


def _possessive(people: str) -> str:
    return f"{people}'" if people.endswith("s") else f"{people}'s"


class _Frame:
    """A question with the places where another word can go: the data, its owner, who gets it."""

    def __init__(self, text: str, rules: _Rules) -> None:
        self.text = rules.without_tag(text.strip(_MARKS).replace("’", "'"))
        self._rules = rules
        self.data = rules.data_in(self.text)

    @property
    def data_text(self) -> str:
        """ "my location", "personal information"; the whole of it where none is named."""
        return self.text[slice(*self.data)] if self.data else "my data"

    @property
    def thing(self) -> str:
        """What "it" stands for: the data, or a thing such as cookies; empty where neither is named."""
        thing = self._rules.thing.search(self.text)
        return self.data_text if self.data else thing[0] if thing else ""

    @property
    def me(self) -> tuple[int, int] | None:
        """The one who asks, where the question is about them: "tell me" is only a way to ask, and in "let me delete
        my photos" others come in as those whose photos they are."""
        for match in _ME.finditer(self.text):
            deed = (match["deed"] or "").lower()
            if not deed or not (deed == "tell" or match["asking"] or self.owner):
                return match.span("me")
        return None

    @property
    def owner(self) -> tuple[int, int] | None:
        """Where it says whose data it is."""
        first = self.data_text.partition(" ")[0]
        if self.data is None or not self._rules.is_owner(first):
            return None
        return self.data[0], self.data[0] + len(first)

    @property
    def verb(self) -> str:
        match = self._rules.verb.search(self.text)
        return self._rules.base_of[match[0].lower()] if match else ""

    @property
    def wish(self) -> str:
        """What they who ask want to do themselves: "export my data" of "can I export my data"; empty where nothing."""
        match = _WISH.search(self.text)
        return match[1] if match else ""

    def put(self, place: tuple[int, int], words: str) -> str:
        return _question(self.text[: place[0]] + words + self.text[place[1] :])

    def with_phrase(self, phrase: str) -> str:
        """With "to advertisers" in the place of what began with "to" before, else at the end; where the verb takes
        nobody so, as "keep", it is another question about the same data."""
        word, _, rest = phrase.partition(" ")
        taking = self._rules.words.get(f"takes_{word.lower()}")
        if taking and self.verb and self.verb not in taking and self._rules.kind(rest) == "parties":
            return self.with_party(rest)
        word = re.escape(word)
        old = re.search(rf"\s{word}\b(?!\s+(?:{self._rules.verb.pattern})).*", self.text, re.IGNORECASE)
        return _question(f"{self.text[: old.start()] if old else self.text} {phrase}")

    def with_party(self, party: str) -> str:
        """In the place of who got it before, else with the word that the verb takes. A name within the data, as in
        "my bank details", got nothing."""
        start, end = self.data or (0, 0)
        named = [match.span() for match in self._rules.party.finditer(self.text)]
        old = [place for place in named if place[1] <= start or place[0] >= end]
        if old:
            return self.put(old[-1], party)
        if self.verb in self._rules.words["takes_to"]:
            asked = f"do you {self.verb} {self.data_text}" if self.text.lower().startswith("who") else self.text
            return _question(f"{asked} to {party}")
        return _question(f"do you share {self.data_text} with {party}")


class _Rules:
    """The lists of the data file as patterns."""

    def __init__(self, words: dict[str, Any]) -> None:
        self.words = words
        self.alone: dict[str, str] = words["alone"]
        self.alone_mine: dict[str, str] = words["alone_mine"]
        self.base_of = {form: base for base, others in words["verbs"].items() for form in (base, f"{base}s", *others)}
        self.verb = _whole(_any_of([*self.base_of]))
        self.party = _whole(_any_of(words["parties"]))
        self.thing = _whole(_any_of(words["things"]))
        self._auxiliaries = frozenset(words["auxiliaries"])
        self._lists = {kind: frozenset(words[kind]) for kind in ("people", "parties", "data")}
        self._tie = re.compile(rf"(?:{_any_of([*words['about'], *words['openers']])})\b(?!-\w),?\s*", re.IGNORECASE)
        self._close = re.compile(rf",?\s+(?:{_any_of(words['closers'])})\s*$", re.IGNORECASE)
        self._tag = re.compile(rf"\s*,\s*(?:{_any_of(words['tags'])})$", re.IGNORECASE)
        self._preposition = re.compile(rf"(?:{_any_of(words['prepositions'])})\s+\w", re.IGNORECASE)
        self._condition = re.compile(rf"(?:{_any_of(words['conditions'])})\s+[^,]+$", re.IGNORECASE)
        self._data = _whole(_any_of(words["data"]))
        ends = _any_of([*words["np_ends"], *words["states"], *self.base_of])
        owners = rf"(?!(?:{_any_of(words['not_owners'])})\b)(?:{_any_of(words['possessives'])}|\w+(?:'s|s'))"
        self._owner = re.compile(owners, re.IGNORECASE)
        self._owned = re.compile(rf"\b{owners}(?:\s+(?!(?:{ends})\b)[\w'-]+){{1,3}}", re.IGNORECASE)
        self._pronouns = self._pronoun_patterns()

    def bare(self, said: str) -> tuple[str, bool]:
        """Without the words that only tie it to what came before, and whether there were any."""
        text, opened = said.strip(_MARKS), False
        while (match := self._tie.match(text)) and match.end() < len(text):
            text, opened = text[match.end() :], True
        closed = self._close.sub("", text)
        return closed.strip(_MARKS), opened or closed != text

    def without_tag(self, text: str) -> str:
        """Without the ", right" or ", do you" that only asks to agree, so that words can be put at its end."""
        return self._tag.sub("", text)

    def is_clause(self, text: str) -> bool:
        """Whether it has a verb of its own, so that it can stand alone."""
        words = [word.strip(",") for word in text.lower().replace("’", "'").split()]
        return any(word in self._auxiliaries for word in words) or (len(words) > 2 and words[0] in _ASKING)

    def is_owner(self, word: str) -> bool:
        """ "my", "Anna's"."""
        return self._owner.fullmatch(word) is not None

    def is_phrase(self, text: str) -> bool:
        return self._preposition.match(text) is not None

    def is_condition(self, text: str) -> bool:
        """ "if I'm a child", with no question of its own behind it."""
        return self._condition.match(text) is not None and _ASKS.search(text) is None

    def is_deed(self, text: str) -> bool:
        """ "sell it"."""
        return text.lower().split(" ", 1)[0] in self.words["verbs"]

    def is_tie(self, text: str) -> bool:
        """Only words that tie, as in "and then?"."""
        return text.lower() in (*self.words["openers"], *self.words["closers"])

    def kind(self, topic: str) -> str | None:
        """data, people or parties; None for what no list has."""
        owner, _, rest = topic.lower().partition(" ")
        forms = {topic.lower(), rest if self.is_owner(owner) else ""}
        return next((kind for kind, listed in self._lists.items() if forms & listed), None)

    def data_in(self, text: str) -> tuple[int, int] | None:
        """The last owned thing ("my heart rate"), else the longest kind of data that is named. "My bank" is owned, but
        it is who gets the data."""
        owned = [match for match in self._owned.finditer(text) if not self.party.fullmatch(match[0])]
        known = [match for match in owned if self.kind(match[0]) == "data"]
        named = max(self._data.finditer(text), key=lambda match: len(match[0]), default=None)
        found = known[-1] if known else owned[-1] if owned else named
        return found.span() if found else None

    def put_for_pronoun(self, text: str, data: str) -> str | None:
        """The text with the data in the place of "it", "that", "those files"; None where nothing stands for it."""
        for pattern in self._pronouns:
            match = pattern.search(text) if data else None
            if match:
                before, after = text[: match.start("it")], text[match.end("it") :]
                own = _NAMES_SOMETHING.search(before) or self.data_in(before + after)
                return None if own else _agreeing(before, data) + data + after
        return None

    def _pronoun_patterns(self) -> tuple[re.Pattern[str], ...]:
        """Behind a verb that data is the object of; before what it is the subject of; in a few turns of phrase."""
        verbs, done = self.verb.pattern, _any_of([done for done, _ in self.words["verbs"].values()])
        states = _any_of(self.words["states"])
        words = "(?:that|this|those|these|the) (?:data|information|info|stuff|details)"
        it = rf"(?P<it>{words}|it|that|this|them|those|these)\b"
        between = r"(?:\s+(?:ever|really|always|all|also|being|still|even|get|be|stored|kept|actually))*\s+"
        return tuple(
            re.compile(pattern, re.IGNORECASE)
            for pattern in (
                rf"{verbs}\s+{it}(?!\s+(?:\w+\s+)?(?:i|you|we|they|much|often|kind|sort|app|site|website|service)\b)",
                rf"\b(?:is|are|was|were|will|does|do|has|have|can)\s+{it}{between}(?:{done})\b",
                rf"\b(?:is|are|was|were|will|stay|keep)\s+{it}{between}(?:{states})\b(?!\s+(?:to|for|that|if)\b)",
                rf"\b(?:rid of|copy of|access to|look at|control of|happens to|done with|do with)\s+{it}",
            )
        )


_LONE_I = re.compile(r"\bi\b")
_ME = re.compile(
    r"\b(?:(?P<deed>tell|let|show|give)\s+)?(?P<me>me)\b"
    r"(?P<asking>\s+(?:know|about|if|whether|who|what|how|where|when|which|why)\b)?",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"(?:^|,\s*|\b(?:how|where|when|and|or|but|so)\s+)(?:can|may|could|do)\s+I\s+(?:(?:have|need|get)\s+to\s+)?(.*\w.*)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:do|does|will|would|can|could|are|is)\s+(?:you|u|i|they|it|my|the)\b", re.IGNORECASE)
_NAMES_SOMETHING = re.compile(r"\b(?:a|an|the|some|any|if|when)\s+\w+", re.IGNORECASE)
_PLURAL = {"is": "are", "was": "were", "does": "do", "has": "have"}
_SINGULAR = re.compile(r"\b(?:is|was|does|has)\b(?=\s+$)", re.IGNORECASE)
_MARKS = " \t\n?!.,…"
_ASKING = frozenset(("who", "whom", "what", "why", "how", "where", "when", "which", "whose"))


def _any_of(words: Sequence[str]) -> str:
    """Longest first, so that "location data" wins over "location"."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


@cache
def _rules() -> _Rules:
    return _Rules(json.loads(files("smallprint.dialogue").joinpath("followups.json").read_text("utf-8")))
