"""Text made fit to be spoken, and the vendor's markup around it. How written things are said is in `spoken.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape

MOST = 8_000  # characters that the vendor takes, markup included; of a card's text as well
# Half a minute of listening: nobody holds more than that in mind, and the card has it whole.
LONGEST_SENTENCE = 450
CUT = "…"
_OPEN, _CLOSE = "<speak>", "</speak>"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: re.Pattern[str]
    says: str
    digits: bool

    def apply(self, text: str) -> str:
        if self.digits:
            return self.pattern.sub(lambda match: " ".join(c for c in match[0] if c.isdigit()), text)
        return self.pattern.sub(self.says, text)


@cache
def rules() -> tuple[Rule, ...]:
    data = tomllib.loads(files("smallprint.voice").joinpath("spoken.toml").read_text("utf-8"))
    return tuple(
        Rule(re.compile(rule["pattern"]), rule.get("says", ""), rule.get("digits", False)) for rule in data["rule"]
    )


def readable(text: str) -> str:
    """As it would be read aloud by a person: addresses by their host, abbreviations in full, no marks of print."""
    text = " ".join(text.split())
    for rule in rules():
        text = rule.apply(text)
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))


def sentence(text: str) -> str:
    """One sentence of a policy, readable and no longer than one can follow."""
    said = readable(text[: 4 * LONGEST_SENTENCE])
    if len(said) <= LONGEST_SENTENCE:
        return said
    return f"{_words(said, LONGEST_SENTENCE)}{CUT} and so on; the rest is on the card."


def ssml(parts: Iterable[str]) -> str:
    """Paragraphs, escaped; what goes beyond the vendor's limit is cut between words."""
    made, left = [], MOST - len(_OPEN) - len(_CLOSE)
    for part in parts:
        text = _NOT_XML.sub(" ", part).strip()
        room = left - len("<p></p>")
        fits = len(escape(text)) <= room
        text = text if fits else _words(text, room - len(CUT)) + CUT
        if text and room > len(CUT):
            made.append(f"<p>{escape(text)}</p>")
            left -= len(made[-1])
        if not fits:
            break
    return f"{_OPEN}{''.join(made)}{_CLOSE}"


def plain(markup: str) -> str:
    """What a listener hears of it, a line for each paragraph."""
    paragraphs = markup.removeprefix(_OPEN).removesuffix(_CLOSE).split("</p>")
    unescaped = (_TAG.sub("", p).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for p in paragraphs)
    return "\n".join(filter(None, unescaped))


def card(parts: Iterable[str]) -> str:
    """Plain text for the companion screen, within the vendor's limit."""
    text = _NOT_XML.sub(" ", "\n\n".join(parts))
    return text if len(text) <= MOST else text[: MOST - len(CUT)] + CUT


def _words(text: str, room: int) -> str:
    """As many whole words as take no more room than that once they are escaped."""
    taken, used = 0, 0
    for match in re.finditer(r"\S+\s*", text):
        used += len(escape(match[0]))
        if used > room:
            break
        taken = match.end()
    return text[:taken].rstrip()
