"""Words of a sentence that can stand alone: enough of them, and no denial left behind."""

from __future__ import annotations

import re

from smallprint.records import Evidence

FEW_WORDS = 4
"""“It says it does: ‘cookies’” says nothing."""
_CUT = re.compile(r"[,;:()–—]\s*")
# "We do not: (a) sell …" is one claim: a colon right behind a denial and the letter of an item stop nothing.
_STOP = re.compile(
    r"(?:[;–—]|(?<!\bnot)(?<!\bnever)(?<!n['’]t)(?<!following):|\((?!\w{1,3}\))|(?<!\(\w)(?<!\(\w\w)(?<!\(\w\w\w)\))\s*",
    re.IGNORECASE,
)
# Words are taken whole and from their first letter: else a page that is one long word takes a minute.
_DENIAL = re.compile(
    r"(?:(?<![\w’'])[\w’']++\s++){0,2}\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|\w+n['’]t)\b",
    re.IGNORECASE,
)
_DENIED_LAST = re.compile(r"[^,;:()–—]*\b(?:nobody|none|nothing|never|no[ -]one)\b[^,;:()–—]*", re.IGNORECASE)


def marked(evidence: Evidence) -> str:
    """As few words as answer an open question."""
    text = evidence.sentence.text
    return _led(evidence, _cut(text, _denied(text, evidence.span)))


def quote(evidence: Evidence) -> str:
    """A clause that says it."""
    text = evidence.sentence.text
    return _led(evidence, _cut(text, _denied(text, _clause(text, evidence.span))))


def denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


def _led(evidence: Evidence, words: str) -> str:
    """“Data brokers” is no answer out of a list of those that get nothing."""
    lead_in = evidence.sentence.led_by.strip(" :")
    return f"{lead_in}: {words}" if lead_in else words


def _cut(text: str, span: tuple[int, int]) -> str:
    return text[slice(*span)].strip(" ,;:.()")


def _clause(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span, or where it is but a few words what stands around it, from comma to comma until they are enough."""
    if len(text[slice(*span)].split()) >= FEW_WORDS:
        return span
    cuts = sorted({0, *(found.end() for found in _CUT.finditer(text)), len(text)})
    first = max(n for n, cut in enumerate(cuts) if cut <= span[0])
    last = min(n for n, cut in enumerate(cuts) if cut >= span[1])
    while len(text[cuts[first] : cuts[last]].split()) < FEW_WORDS and last - first < len(cuts) - 1:
        first, last = (first, last + 1) if last + 1 < len(cuts) else (first - 1, last)
    return cuts[first], cuts[last]


def _denied(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """“Distribute your data” must not be cut out of “we will not sell or distribute your data”, nor “we share it” out
    of “we share it with nobody”."""
    start, end = span
    end -= len(text[start:end]) - len(text[start:end].rstrip(" ,;:"))
    stops = [found.end() for found in _STOP.finditer(text, 0, start)]
    denials = [found.start() for found in _DENIAL.finditer(text, max(stops, default=0), start)]
    behind = _DENIED_LAST.match(text, end)
    return (denials[-1] if denials else start), (behind.end() if behind else end)
