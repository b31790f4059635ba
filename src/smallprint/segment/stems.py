"""The stem of an English word: "locations" and "located" are found by "location"."""

from __future__ import annotations

import threading
from functools import lru_cache

_own = threading.local()  # a stemmer may not be used by two threads at once


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    if not hasattr(_own, "stemmer"):
        import Stemmer

        _own.stemmer = Stemmer.Stemmer("english")
    return str(_own.stemmer.stemWord(word.lower()))
