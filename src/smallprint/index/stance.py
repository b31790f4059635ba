"""Whether a sentence says that something is done, is not done, or is the reader's choice.

Wording alone decides, for every sentence of a collection at once; rules with their examples are in
`stances.toml`.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files


class SentenceStance(StrEnum):
    DOES = "does"
    DOES_NOT = "does-not"
    CHOICE = "choice"


@cache
def rules() -> tuple[tuple[SentenceStance, re.Pattern[str]], ...]:
    data = tomllib.loads(files("smallprint.index").joinpath("stances.toml").read_text("utf-8"))
    return tuple((SentenceStance(rule["stance"]), re.compile(rule["pattern"], re.IGNORECASE)) for rule in data["rule"])


def stance_of(text: str, lead_in: str = "") -> SentenceStance:
    """An item of a list says what its lead-in makes of it: "We never: / sell your data"."""
    whole = f"{lead_in} {text}" if lead_in else text
    return next((stance for stance, pattern in rules() if pattern.search(whole)), SentenceStance.DOES)
