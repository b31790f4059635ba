"""Bring what is stored up to date with the rules and models of now. Stop or kill it anywhere; the next run goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from smallprint.corpus.analyse import annotation_of, model_of
from smallprint.library import Library

_AT_ONCE: Final = 20  # texts held in memory


@dataclass(frozen=True, slots=True)
class Reannotated:
    """`done` of `outdated` versions were read again."""

    done: int
    outdated: int


def reannotate(
    library: Library, *, quick: bool = False, progress: Callable[[Reannotated], None] = lambda _: None
) -> Reannotated:
    """Read every version again whose annotation another model made, or none. Each is written when it is made."""
    model = model_of(quick=quick)
    outdated, done, last = library.outdated_count(model), 0, 0
    while versions := library.outdated(model, after=last, limit=_AT_ONCE):
        for text in library.texts(versions):
            library.annotate(text.version, annotation_of(text.policy, text.name, text.domain, quick=quick))
            done += 1
            progress(Reannotated(done, outdated))
        last = versions[-1]
    return Reannotated(done, outdated)
