"""Words of a sentence that can stand alone: enough of them, and no denial left behind."""

from __future__ import annotations

import re
from collections.abc import Callable

from smallprint.records import Evidence

Span = tuple[int, int]

FEW_WORDS = 4
"""“It says it does: ‘cookies’” says nothing."""
LONGEST = 400
"""Characters of a clause; what is longer is a page without commas, of which the marked words are quoted alone."""
ALOUD = 600
"""Characters of a quote with what leads to it, as it is read aloud: the longest of 4,380 from 44 policies has 502."""
_WORDS, _BEHIND = ALOUD // 2, ALOUD // 4
"""What is left of a longer one: of the marked words, and of what follows them."""
_GAP = " … "
_DENYING = 60
"""Characters of “we do not”, made of the longest words there are."""
_CUT = re.compile(r"(?:[,;:](?=\s)(?!\s+(?:Inc|LLC|Ltd|GmbH|etc)\b)|[–—])\s*")
_ASIDE = re.compile(r"\([^()]*\)")
_BOUND = re.compile(r"(?:and|or|but)\s+", re.IGNORECASE)
_BOUND_LAST = re.compile(r"(?<=[\s,;])(?:and|or|but)$", re.IGNORECASE)
# What opens or ends so says something only with what stands beside it.
_OPENS = re.compile(
    r"(?:if|when|whenever|where|while|although|though|because|since|unless|once|until)\b", re.IGNORECASE
)
_HANGS = re.compile(r"(?:which|whichever|who|whose|that|then|including|such as|as well as)\b", re.IGNORECASE)
_DANGLES = re.compile(r"\b(?:unless|except|if|when|that|following)\W*$", re.IGNORECASE)
# "As we, in our opinion, find right" goes on behind the second comma.
_INTERRUPTED = re.compile(r"\b(?:if|when|that|as|because) (?:we|you|they)\W*$", re.IGNORECASE)
# "May, in some cases, be seen by others" begins before the first comma.
_BROKEN_OFF = re.compile(r"\b(?:may|might|will|can|could|should|must|would|shall|we|you|they),\s*$", re.IGNORECASE)
_LIMITS = re.compile(
    r"(?:(?:but |and )?(?:except|unless|other than|only (?:if|when|with|for|to))|without (?:your|prior)|provided that"
    r"|subject to|or (?:if|when|where|unless))\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;–—]*")
# "Unless you object, we share it" and "with your consent, we sell it" say less than the clause behind the comma.
_GRANTED = re.compile(
    r"(?:except|unless|other than|with(?:out)? your (?:\w+ )?(?:consent|permission)|after obtaining your"
    r"|if you (?:agree|consent)|subject to|to the extent)\b",
    re.IGNORECASE,
)
# "We do not: (a) sell …" is one claim: a colon right behind a denial and the letter of an item stop nothing.
_STOP = re.compile(
    r"(?:[;–—]|(?<!\bnot)(?<!\bnever)(?<!n['’]t)(?<!following):|\((?!\w{1,3}\))|(?<!\(\w)(?<!\(\w\w)(?<!\(\w\w\w)\))\s*",
    re.IGNORECASE,
)
# Words are taken whole and from their first letter: else a page that is one long word takes a minute.
_DENIAL = re.compile(
    r"(?:(?<![\w’'])[\w’']++\s++){0,2}\b"
    r"(?:not(?! (?:limited|only)\b)|never|no(?! matter\b)|none|nobody|nothing|neither|nor|cannot|without|\w+n['’]t)\b",
    re.IGNORECASE,
)
_DENIED_LAST = re.compile(r"[^,;:()–—]*\b(?:nobody|none|nothing|never|no[ -]one)\b[^,;:()–—]*", re.IGNORECASE)


def marked(evidence: Evidence) -> str:
    """As few words as answer an open question."""
    return _quoted(evidence, _limited)


def quote(evidence: Evidence) -> str:
    """A clause that says it."""
    return _quoted(evidence, _clause)


def denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


def _quoted(evidence: Evidence, around: Callable[[str, Span], Span]) -> str:
    text = evidence.sentence.text
    span = _denied(text, around(text, evidence.span))
    line = _led(evidence) + _cut(text, span)
    return line if len(line) <= ALOUD else _shortened(evidence, span) or _short(text, ALOUD).strip()


def _led(evidence: Evidence) -> str:
    """“Data brokers” is no answer out of a list of those that get nothing."""
    lead_in = evidence.sentence.led_by.strip(" :")
    return f"{lead_in}: " if lead_in else ""


def _shortened(evidence: Evidence, span: Span) -> str:
    """The marked words, and enough of what stands beside them to tell whether they are denied."""
    text, (start, end) = evidence.sentence.text, evidence.span
    said = _short(text[start:end], _WORDS) + _short(text[end : span[1]], _BEHIND)
    before = _short(_led(evidence) + text[span[0] : start], ALOUD - len(said))
    return " ".join((before + said).split()).strip(" ,;:.–—()")


def _short(text: str, most: int) -> str:
    """The beginning, and the first denial if that comes later."""
    if len(text) <= most:
        return text
    denial, room = _DENIAL.search(text), most - _DENYING - 2 * len(_GAP)
    early = denial.end() if denial and denial.end() <= room else 0
    space = text.rfind(" ", early, room)
    beginning = text[: space if space > 0 else room] + _GAP
    if denial is None or early:
        return beginning
    return beginning + text[max(denial.start(), denial.end() - _DENYING) : denial.end()] + _GAP


def _cut(text: str, span: Span) -> str:
    """Where a list follows that is not shown, the words say so."""
    words = _BOUND_LAST.sub("", text[slice(*span)].strip(" ,;:.–—")).strip(" ,;:.–—")
    lone = words.count("(") != words.count(")") or _ASIDE.fullmatch(words)
    words = (words.strip(" ,;:.–—()") if lone else words) or text.strip()
    return f"{words}: …" if text.rstrip().endswith(":") and not text[span[1] :].strip(" :") else words


def _limited(text: str, span: Span) -> Span:
    """“In 30 days” is not all of “in 30 days, unless you object”."""
    ahead = _BETWEEN.match(text, span[1])
    if not ahead or not _LIMITS.match(text, ahead.end()):
        return span
    return span[0], next(cut for cut in _cuts(text, span) if cut > ahead.end())


def _clause(text: str, span: Span) -> Span:
    """What the span stands in, from comma to comma, and on until the words are enough, make a sentence and leave no
    exception behind."""
    cuts = _cuts(text, span)
    first = max(n for n, cut in enumerate(cuts) if cut <= span[0])
    last = min(n for n, cut in enumerate(cuts) if cut >= span[1])
    while last - first < len(cuts) - 1 and cuts[last] - cuts[first] <= LONGEST:
        words, ahead = text[cuts[first] : cuts[last]], last + 1 < len(cuts)
        if first and (_HANGS.match(words) or _DANGLES.search(text[cuts[first - 1] : cuts[first]])):
            first -= 1
        elif len(words.split()) < FEW_WORDS or _OPENS.match(words) or _DANGLES.search(words):
            first, last = (first, last + 1) if ahead else (first - 1, last)
        elif ahead and _LIMITS.match(text, cuts[last]):
            last += 1
        elif last + 2 < len(cuts) and _INTERRUPTED.search(words):
            last += 2
        elif first >= 2 and _BROKEN_OFF.search(text[cuts[first - 2] : cuts[first - 1]]):
            first -= 2
        else:
            break
    if first and _GRANTED.match(text, cuts[first - 1]) and cuts[last] - cuts[first - 1] <= LONGEST:
        first -= 1
    if cuts[last] - cuts[first] > LONGEST and len(text[slice(*span)].split()) >= FEW_WORDS:
        return span
    bound = _BOUND.match(text, cuts[first])
    return (bound.end() if bound and bound.end() <= span[0] else cuts[first]), cuts[last]


def _cuts(text: str, span: Span) -> list[int]:
    """Where clauses end. What stands in brackets is a part of its clause, or one of its own if the span is in it."""
    asides = [(aside.start() + 1, aside.end() - 1) for aside in _ASIDE.finditer(text)]
    around = next((one for one in asides if one[0] <= span[0] and span[1] <= one[1]), None)
    if around and len(text[slice(*around)].split()) < FEW_WORDS:
        around = None
    start, end = around or (0, len(text))
    open_text = text if around else _ASIDE.sub(lambda aside: "(" * len(aside[0]), text)
    return sorted({start, end, *(found.end() for found in _CUT.finditer(open_text, start, end))})


def _denied(text: str, span: Span) -> Span:
    """“Distribute your data” must not be cut out of “we will not sell or distribute your data”, nor “we share it” out
    of “we share it with nobody”."""
    start, end = span
    end -= len(text[start:end]) - len(text[start:end].rstrip(" ,;:–—"))
    stops = [found.end() for found in _STOP.finditer(text, 0, start)]
    denials = [found.start() for found in _DENIAL.finditer(text, max(stops, default=0), start)]
    behind = _DENIED_LAST.match(text, end)
    if denials:
        start = _opening(text, denials[-1], [0, *stops, *_cuts(text, span)])
    return start, (behind.end() if behind else end)


def _opening(text: str, denial: int, cuts: list[int]) -> int:
    """Where what is denied begins: at a capital, else with the clause that the denial stands in."""
    if text[denial].isupper() and not text[max(0, denial - 1) : denial].strip():
        return denial
    clause = max(cut for cut in cuts if cut <= denial)
    return clause if denial - clause <= LONGEST else denial
