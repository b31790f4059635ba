"""The 17 queries of the PrivaSeer paper (its Table 6) by theme, and what was judged of their results.

A hit is relevant if the policy treats the practice that the query is after, not where it only has the words: a
hospital's policy that does not say how health data is handled is no hit for "health information".
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

QUERIES: Final = {
    "PI": (
        "payment information",
        "health information",
        "social security number",
        "phone number",
        "photos",
        "private messages",
        "microphone",
    ),
    "S": ("firewall", "encryption", "SSL", "data breach", "deletion"),
    "PP": ("opt-out", "retention period", "change notification", "do not track", "European audience"),
}


@cache
def judgements() -> dict[tuple[str, str], bool]:
    """(query, document) → relevant. Each line of the file also says why, in a few words."""
    text = files("smallprint.bench").joinpath("search_judgements.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line]
    return {(row["query"], row["id"]): bool(row["relevant"]) for row in rows}
