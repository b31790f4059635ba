"""What a document is: its language, how likely a privacy policy, or only a sign-in form or an empty shell.

Pure functions over text and markup. The language model is loaded only for texts that are not plainly English.
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smallprint.models.detector import Detector

# A probability from here on is read as "yes": precision .992, recall .992 on 624 held-out pages, .988 and .950 on their
# first 80 words. Phrases alone: .988 and .977, .992 and .896; the trained detector alone: .981 and .988, .984 and .938.
POLICY_THRESHOLD = 0.5

_CUE_CHARACTERS = 5_000  # what the weights were fitted on
_HEAD_CHARACTERS = 200
_WORDS_PER_COUNT = 75  # up to here one mention counts like three: recall of 80-word texts .81 → .89
_FULL_COUNT = 3
_FEWEST_WORDS = 20  # fewer are a link or a heading that names the policy; the first two sentences have more

_WORD = re.compile(r"[^\W\d_]+")
# Function words that no other language of languages.toml shares in number.
_ENGLISH = frozenset(
    ("the", "and", "you", "your", "that", "this", "with", "are", "may", "from", "which", "our", "for", "to", "of")
)
# They are over a tenth of the words in 99 % of 6,217 mostly English legal and web pages, and under .03 in
# paragraphs of twelve other languages.
_ENGLISH_SHARE = 0.10
_LANGUAGE_CHARACTERS = 20_000
_TOO_SHORT_TO_TELL = 60  # characters: of titles like "Privacy Policy" every detector names wrong languages

_FEW_WORDS = 60
_SOME_WORDS = 250
_PASSWORD_FIELD = re.compile(r"<input[^<>]{0,500}type\s{0,5}=\s{0,5}[\"']?password", re.I)
_SIGN_IN = re.compile(
    r"\b(?:sign|log) ?in (?:to (?:continue|view|see|access|your)|required|with)|"
    r"\b(?:please|must|need to|have to) (?:be )?(?:sign(?:ed)?|log(?:ged)?) ?in|"
    r"\bforgot(?:ten)? (?:your )?password|\bmembers only\b",
    re.I,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|turn on|activate|allow|requires?|needs?|without|support) (?:\w+ ){0,2}javascript|"
    r"javascript (?:\w+ ){0,3}(?:required|disabled|enabled|turned off|blocked)|"
    r"checking your browser|just a moment\.\.\.",
    re.I,
)
_EMPTY_APP = re.compile(
    r"<(?:div|main|section)[^<>]{0,300}\bid\s{0,5}=\s{0,5}[\"']?[\w-]{0,30}(?:root|app|next|nuxt|gatsby)\b[^<>]{0,300}>"
    r"\s{0,50}</|<app-root|<noscript[^<>]{0,100}>\s{0,50}(?:<[^<>]{1,200}>\s{0,50}){0,3}you need",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Cues:
    bias: float
    head: tuple[tuple[re.Pattern[str], float], ...]
    text: tuple[tuple[re.Pattern[str], float], ...]


def language(text: str) -> str:
    """The ISO 639-1 code of the language, "en" where there is too little to tell."""
    sample = text[:_LANGUAGE_CHARACTERS]
    words = [word.lower() for word in _WORD.findall(sample)]
    if not words or sum(word in _ENGLISH for word in words) / len(words) >= _ENGLISH_SHARE:
        return "en"
    if len(sample) < _TOO_SHORT_TO_TELL and sample.isascii():
        return "en"
    import py3langid  # half a second: only for texts that are not plainly English

    py3langid.set_languages(list(_language_names()))
    return str(py3langid.classify(sample)[0])


def language_name(code: str) -> str:
    return _language_names().get(code, "another language")


def p_policy(title: str, text: str) -> float:
    """How likely a text with this title is a privacy policy, between 0 and 1.

    Two opinions that err differently, their logits added: phrases that people weighed, which know what matters, and a
    detector trained on words, which knows what is usual.
    """
    both = by_phrases(title, text) + _detector().logit(f"{title}\n{text}")
    return min(1.0, len(text[:_CUE_CHARACTERS].split()) / _FEWEST_WORDS) / (1 + math.exp(-both))


def by_phrases(title: str, text: str) -> float:
    """The logit by weighted phrases alone."""
    sample = _fold(f"{title}\n{text[:_CUE_CHARACTERS]}")
    full = min(_FULL_COUNT, max(1, len(sample.split()) // _WORDS_PER_COUNT))
    cues = _policy_cues()
    score = cues.bias
    for pattern, weight in cues.head:
        score += weight * _count(pattern, sample[:_HEAD_CHARACTERS], _FULL_COUNT) / _FULL_COUNT
    for pattern, weight in cues.text:
        score += weight * _count(pattern, sample, full) / full
    return score


def looks_like_login_wall(markup: str, text: str) -> bool:
    """A page that shows a way to sign in and hardly anything else."""
    count = len(text.split())
    if _PASSWORD_FIELD.search(markup):
        return count < _SOME_WORDS
    return count < _FEW_WORDS and bool(_SIGN_IN.search(text))


def looks_script_filled(markup: str, text: str) -> bool:
    """A page whose text only appears once scripts have run."""
    if "<script" not in markup.lower() or len(text.split()) >= _FEW_WORDS:
        return False
    # Nearly no words but scripts: whatever it shows comes from them. Otherwise it has to look the part.
    nearly_empty = len(text.split()) < _FEW_WORDS // 4
    return nearly_empty or bool(_NEEDS_SCRIPT.search(markup) or _EMPTY_APP.search(markup))


def _fold(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _count(pattern: re.Pattern[str], text: str, most: int) -> int:
    return sum(1 for _, _ in zip(pattern.finditer(text), range(most), strict=False))


@cache
def _detector() -> Detector:
    from smallprint.models.detector import Detector

    return Detector.load()


@cache
def _policy_cues() -> _Cues:
    data = tomllib.loads(files("smallprint.ingest").joinpath("policy_cues.toml").read_text(encoding="utf-8"))
    head, text = (tuple((re.compile(p), w) for p, w in data[part].items()) for part in ("head", "text"))
    return _Cues(data["bias"], head, text)


@cache
def _language_names() -> dict[str, str]:
    return tomllib.loads(files("smallprint.ingest").joinpath("languages.toml").read_text(encoding="utf-8"))
