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
    Version,
)
from smallprint.library.intake import Intake
from smallprint.library.store import Library

__all__ = [
    "Annotation",
    "Arrival",
    "Cache",
    "Entry",
    "Intake",
    "Library",
    "Pending",
    "Refusal",
    "Shelved",
    "Stored",
    "Taken",
    "Version",
]
