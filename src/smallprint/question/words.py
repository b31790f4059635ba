"""The words people use and how often, counted by the recipe `train/spelling.py`."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from math import log10

from smallprint.errors import ModelError

LONGEST_PART = 20


@cache
def counts() -> dict[str, int]:
    """Known words in small letters, commonest first. Read in a few milliseconds, when first needed."""
    try:
        stored = gzip.decompress(files("smallprint.question").joinpath("words.txt.gz").read_bytes()).decode().split()
        return dict(zip(stored[::2], map(int, stored[1::2]), strict=True))
    except (OSError, EOFError, ValueError) as error:
        raise ModelError("The list of words is missing or damaged; install Smallprint anew.") from error


@cache
def names() -> frozenset[str]:
    """Well-known names in small letters. They are known, but no reading of a slip: nobody counted them."""
    lines = files("smallprint.question").joinpath("names.txt").read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


def is_known(word: str) -> bool:
    """In any case, as one or many, and whatever an apostrophe adds."""
    small = word.lower().replace("’", "'").partition("'")[0]
    many = f"{small}s" in counts() and not small.endswith("s")  # "addres" is not one of many
    return small in counts() or small.removesuffix("s") in counts() or many or small in names()


def parted(joined: str) -> str:
    """The words of a hashtag: "deletemydata" is "delete my data"; unchanged where known words don't add up to it."""
    small = joined.lower()
    # best[n]: how likely the likeliest words are that make up the first n letters, and where the last of them starts.
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(small) + 1):
        ways = [
            (best[start][0] + _chance(small[start:end]), start)
            for start in range(max(0, end - LONGEST_PART), end)
            if small[start:end] in counts() and (end - start > 1 or small[start:end] in "ai")
        ]
        best.append(max(ways, default=(float("-inf"), 0)))
    if best[-1][0] == float("-inf"):
        return joined
    parts: list[str] = []
    end = len(small)
    while end:
        start = best[end][1]
        parts.insert(0, joined[start:end])
        end = start
    return " ".join(parts)


def _chance(word: str) -> float:
    return log10(counts()[word]) - 9.0  # of a billion: a word more must always cost something
