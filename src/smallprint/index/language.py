"""The query language people know: words, "phrases", AND OR NOT, ( ), title: url: site:, prefix*, NEAR/n.

Words side by side must all occur, best in a row. AND binds tighter than OR, NOT tighter than AND. A query that can't be
understood gets one line that says what is wrong and where.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from smallprint.errors import QueryError
from smallprint.index.query import FIELDS, And, Everything, Near, Node, Not, Or, Phrase, Prefix, Run, Word

LONGEST_QUERY: Final = 1_000
MOST_PARTS: Final = 100
DEEPEST: Final = 20
NEAR_BY: Final = 10  # what NEAR means without a number
FARTHEST: Final = 100
SHORTEST_PREFIX: Final = 2  # one letter would gather a good part of all words

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<open>\() | (?P<close>\))
      | (?P<phrase>["“”](?P<quoted>[^"“”]*)["“”])
      | (?P<unclosed>["“”])
      | (?P<field>(?i:title|url|site)(?=:)|[A-Za-z_]+(?=:\S)):(?!//)
      | (?P<word>[^\s()"“”]+)""",
    re.VERBOSE,
)
_NEAR = re.compile(r"NEAR(?:/(?P<number>.*))?")
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # open, close, phrase, field, word, and, or, not, near, end
    text: str
    place: int  # counted from one, as people count


def parse(text: str) -> Node:
    """The tree of a query; `*` or nothing at all means every policy."""
    if len(text) > LONGEST_QUERY:
        raise QueryError(f"The query is too long: {len(text):,} characters, at most {LONGEST_QUERY:,}.")
    tokens = _tokens(text)
    if len(tokens) > MOST_PARTS:
        raise QueryError(f"The query has too many parts: {len(tokens)}, at most {MOST_PARTS}.")
    if [t.text for t in tokens[:-1]] in ([], ["*"]):
        return Everything()
    return _Parser(tokens).whole()


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None, "every character begins a token"
        kind, place = found.lastgroup or "", at + 1
        if kind == "quoted":  # the inner group closes last
            kind = "phrase"
        if kind == "unclosed":
            raise QueryError(f"The quotation mark at character {place} is not closed.")
        if kind == "word":
            tokens.append(_word_token(found["word"], place))
        elif kind != "space":
            tokens.append(_Token(kind, found["quoted"] if kind == "phrase" else found[kind], place))
        at = found.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


def _word_token(text: str, place: int) -> _Token:
    """Operators are written in capitals: `and` is a word, AND joins."""
    if text in ("AND", "OR", "NOT"):
        return _Token(text.lower(), text, place)
    near = _NEAR.fullmatch(text)
    if near is None:
        return _Token("word", text, place)
    number = near["number"]
    if number is not None and not (number.isdecimal() and 1 <= int(number) <= FARTHEST):
        raise QueryError(f"NEAR/ at character {place} needs a number from 1 to {FARTHEST}, as in NEAR/5.")
    return _Token("near", number or str(NEAR_BY), place)


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._or()
        if self._next.kind == "close":
            raise QueryError(f"The parenthesis at character {self._next.place} closes nothing.")
        return node

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._next
        self._at += 1
        return token

    def _or(self) -> Node:
        parts = [self._and()]
        while self._next.kind == "or":
            self._take()
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Or(_flat(Or, parts))

    def _and(self) -> Node:
        rows = [[self._not()]]  # what stands side by side, without an AND between
        while self._next.kind not in ("or", "close", "end"):
            if self._next.kind == "and":
                self._take()
                rows.append([])
            rows[-1].append(self._not())
        parts = [part for row in rows for part in _runs(row)]
        return parts[0] if len(parts) == 1 else And(_flat(And, parts))

    def _not(self) -> Node:
        if self._next.kind == "not":
            self._take()
            part = self._not()
            return part.part if isinstance(part, Not) else Not(part)
        return self._near()

    def _near(self) -> Node:
        left = self._one()
        while self._next.kind == "near":
            token = self._take()
            right = self._one()
            left = _near(left, right, token)
        return left

    def _one(self) -> Node:
        token = self._take()
        match token.kind:
            case "open":
                return self._group(token)
            case "field":
                return self._of_field(token)
            case "phrase" | "word":
                return _leaf(token, None)
            case "close":
                raise QueryError(f"Something is missing before the parenthesis at character {token.place}.")
            case "end":
                raise QueryError(self._missing_at_end())
            case _:
                name = "NEAR" if token.kind == "near" else token.text
                raise QueryError(
                    f"{name} at character {token.place} has nothing before it"
                    " (in small letters, or in quotation marks, it is a word)."
                )

    def _group(self, opened: _Token) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise QueryError(f"Parentheses may be nested {DEEPEST} deep (character {opened.place}).")
        node = self._or()
        if self._take().kind != "close":
            raise QueryError(f"The parenthesis at character {opened.place} is not closed.")
        self._depth -= 1
        return node

    def _of_field(self, token: _Token) -> Node:
        field = token.text.lower()
        if field not in FIELDS:
            known = ", ".join(f"{name}:" for name in FIELDS)
            raise QueryError(
                f"There is no field {token.text!r} (character {token.place}): use {known}"
                " or put the words in quotation marks."
            )
        if self._next.kind not in ("word", "phrase"):
            raise QueryError(f"{field}: at character {token.place} needs a word or a phrase right after it.")
        return _leaf(self._take(), field)

    def _missing_at_end(self) -> str:
        before = self._tokens[self._at - 2] if self._at > 1 else None
        if before is None:
            return "The query is empty."
        if before.kind == "open":
            return f"The parenthesis at character {before.place} is not closed."
        name = "NEAR" if before.kind == "near" else before.text
        return f"{name} at character {before.place} has nothing after it."


def _leaf(token: _Token, field: str | None) -> Word | Phrase | Prefix:
    if not _LETTER.search(token.text):
        what = "The phrase" if token.kind == "phrase" else repr(token.text)
        raise QueryError(f"{what} at character {token.place} has no letter or digit to look for.")
    if token.kind == "phrase":
        return Phrase(" ".join(token.text.split()), field)
    if "*" not in token.text:
        return Word(token.text, field)
    stem = token.text[:-1]
    if not token.text.endswith("*") or "*" in stem:
        raise QueryError(f"* can only end a word, as in encrypt* ({token.text!r} at character {token.place}).")
    if sum(c.isalnum() for c in stem) < SHORTEST_PREFIX or not all(c.isalnum() for c in stem):
        raise QueryError(
            f"{token.text!r} at character {token.place}: * needs {SHORTEST_PREFIX} or more letters or digits"
            " before it, and nothing else."
        )
    return Prefix(stem, field)


def _near(left: Node, right: Node, token: _Token) -> Near:
    if not (isinstance(left, Word | Phrase) and isinstance(right, Word | Phrase)):
        raise QueryError(f"NEAR at character {token.place} goes between two words or phrases.")
    if left.field != right.field or "site" in (left.field, right.field):
        raise QueryError(f"NEAR at character {token.place} needs both words in one text.")
    return Near(left, right, int(token.text))


def _runs(row: list[Node]) -> list[Node]:
    """Bare words side by side become runs."""
    parts: list[Node] = []
    for bare, group in groupby(row, key=lambda part: isinstance(part, Word) and part.field is None):
        words = tuple(group)
        parts.extend([Run(words)] if bare and len(words) > 1 else words)  # type: ignore[arg-type]
    return parts


def _flat(kind: type[And] | type[Or], parts: list[Node]) -> tuple[Node, ...]:
    """`a AND (b AND c)` is `a AND b AND c`."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    return tuple(flat)
