"""What Smallprint keeps: the library of stored policies, and a short-lived cache of those only read."""

from smallprint.library.cache import Cache
from smallprint.library.entries import Entry, Pending, Stored, Version
from smallprint.library.store import Library

__all__ = ["Cache", "Entry", "Library", "Pending", "Stored", "Version"]
