"""The question as a person typed it, made readable: handles, hash signs, links and repeated marks go."""

from __future__ import annotations

import re

from smallprint.question import words

LONGEST_QUESTION = 1_000
LONGEST_ASKED = 4 * LONGEST_QUESTION
"""As typed, with links and white space."""
_HANDLE = re.compile(r"(?<![\w@.])@(\w+)")
_LINK = re.compile(r"https?://\S+")
_HASHTAG = re.compile(r"(?<!\w)#(\w+)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_REPEATED = re.compile(r"([!?.,])\1+")
_STRETCHED = re.compile(r"\b\w*([A-Za-z])\1{2,}\w*")
# "Do you know where I am", "will you tell me who asked for it" and "can you tell me when it changes" want a yes or no.
_POLITE = re.compile(
    r"^\W*(?:(?:(?:can|could) (?:you|u) )?(?:please |just )*(?:tell me|explain|list|describe)"
    r"|(?:can|could|may) i (?:please |just )*(?:ask|know)"
    r"|i(?:['’]d| would)? (?:just )?(?:like|want|need) to know) (?=(?:what|which|who|whom|whose|where|why|how)\b)",
    re.IGNORECASE,
)
_STRETCH = re.compile(r"([A-Za-z])\1{2,}")


def clean(asked: str) -> str:
    """One line; "@acme sooo do u sell my #data???" becomes "so do u sell my data?", and "can you tell me how long you
    keep it?" becomes "how long you keep it?", which no yes would answer."""
    return _readable(asked)[:LONGEST_QUESTION]


def is_cut(asked: str) -> bool:
    """Whether its end is left out."""
    return len(asked) > LONGEST_ASKED or len(_readable(asked)) > LONGEST_QUESTION


def _readable(asked: str) -> str:
    text = _LINK.sub(" ", asked[:LONGEST_ASKED])
    text = _leading_handles(text)
    text = _HASHTAG.sub(lambda tag: _parted(tag[1]), _HANDLE.sub(r"\1", text))
    text = _REPEATED.sub(r"\1", _STRETCHED.sub(lambda word: _shortened(word[0]), text))
    return _POLITE.sub("", " ".join(text.split()))


def _leading_handles(text: str) -> str:
    """Names in front only say whom a tweet goes to."""
    stripped = text.strip()
    while match := _HANDLE.match(stripped):
        stripped = stripped[match.end() :].lstrip(" ,:")
    return stripped


def _parted(tag: str) -> str:
    """The words of a hashtag, by its capitals or by the words it is made of."""
    return _HUMP.sub(" ", tag) if _HUMP.search(tag) or words.is_known(tag) else words.parted(tag)


def _shortened(word: str) -> str:
    """ "sooo" is "so", "freeee" is "free"."""
    double = _STRETCH.sub(r"\1\1", word)
    return double if words.is_known(double) else _STRETCH.sub(r"\1", word)
