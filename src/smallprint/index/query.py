"""What is searched for, as a tree that knows no engine. `language.parse` makes it from what people type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# Where a bare word is looked for unless it names a field: the policy, its address, its title, or the whole
# page as it was served, menus and all.
PLACES = ("text", "url", "title", "page")
FIELDS = ("title", "url", "site")


@dataclass(frozen=True, slots=True)
class Everything:
    """Matches every document."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in any of its forms. `opt-out` is one word here and a phrase to an engine that splits it."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words one after the other."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """Words that begin like this, in the form they are written or stemmed to."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Bare words side by side, as people type them. All must occur, anywhere; where they stand in a row they
    count once more, as a term of its own: a policy about a "social security number" comes before one that
    speaks of social networks, security and numbers."""

    words: tuple[Word, ...]

    @property
    def phrase(self) -> Phrase:
        return Phrase(" ".join(word.text for word in self.words), self.words[0].field)


@dataclass(frozen=True, slots=True)
class Near:
    """Two words or phrases at most `distance` words apart, in any order; 1 means side by side."""

    left: Word | Phrase
    right: Word | Phrase
    distance: int


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Node


Node = Everything | Word | Phrase | Prefix | Run | Near | And | Or | Not
Leaf = Word | Phrase | Prefix


def wanted(node: Node) -> Iterator[Leaf]:
    """The leaves that a hit may show: all but those under a NOT."""
    match node:
        case Word() | Phrase() | Prefix():
            yield node
        case Near(left, right):
            yield left
            yield right
        case Run(words):
            yield node.phrase
            yield from words
        case And(parts) | Or(parts):
            for part in parts:
                yield from wanted(part)
        case Not() | Everything():
            return


def write(node: Node) -> str:
    """The tree in the query language: `parse(write(tree))` is the tree again."""
    match node:
        case Everything():
            return "*"
        case Word(text, field):
            return _named(field, text)
        case Phrase(text, field):
            return _named(field, f'"{text}"')
        case Prefix(text, field):
            return _named(field, f"{text}*")
        case Run(words):
            return " ".join(map(write, words))
        case Near(left, right, distance):
            return f"{write(left)} NEAR/{distance} {write(right)}"
        case And(parts):
            return " AND ".join(_inside(part) for part in parts)
        case Or(parts):
            return " OR ".join(_inside(part) for part in parts)
        case Not(part):
            return f"NOT {_inside(part)}"


def _named(field: str | None, text: str) -> str:
    return f"{field}:{text}" if field else text


def _inside(node: Node) -> str:
    return f"({write(node)})" if isinstance(node, And | Or | Run) else write(node)
