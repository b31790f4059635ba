"""Smallprint reads privacy policies so that people do not have to.

import smallprint

policy = smallprint.read("https://example.com/privacy")
print(policy.ask("Do you sell my data?").summary)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from smallprint.errors import SmallprintError
from smallprint.records import Answer, Evidence, Overview, Policy, Reading, Sentence, Stance, Verdict

if TYPE_CHECKING:
    from smallprint.asking import OpenPolicy

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Evidence",
    "Overview",
    "Policy",
    "Reading",
    "Sentence",
    "SmallprintError",
    "Stance",
    "Verdict",
    "read",
]


def read(source: str, *, force: bool = False) -> OpenPolicy:
    """Read a policy from a URL, a file, `-` (standard input) or the library; `force` reads what is no policy."""
    from smallprint.assistant import Assistant

    return Assistant().read(source, force=force)
