"""What Smallprint keeps: the library of stored policies, and a short-lived cache of those only read."""

from smallprint.library.cache import Cache
from smallprint.library.entries import (
    Annotation,
    Arrival,
    Entry,
    Pending,
    Refusal,
    Shelved,
    Stored,
    Taken,
    Text,
    Version,
)
from smallprint.library.findings import Findings, Keeper
from smallprint.library.intake import Intake
from smallprint.library.store import Library, ShelfKeeper

__all__ = [
    "Annotation",
    "Arrival",
    "Cache",
    "Entry",
    "Findings",
    "Intake",
    "Keeper",
    "Library",
    "Pending",
    "Refusal",
    "ShelfKeeper",
    "Shelved",
    "Stored",
    "Taken",
    "Text",
    "Version",
]
