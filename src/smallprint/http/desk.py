"""What a door over HTTP is given: the assistant, the lanes its work runs in, and tokens for its forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from smallprint.assistant import Assistant
from smallprint.http.forms import Forms
from smallprint.http.lanes import Lane, cores

_ASKERS: Final = 64  # that may wait: at .4 processor seconds an answer, thirteen seconds of work on two cores


@dataclass(frozen=True, slots=True)
class Desk:
    """`reads` is for what takes milliseconds (lists, pages, searches), `answers` for what takes the models, and
    `fetches` for what waits for other sites: each has threads of its own, so that none holds up another."""

    assistant: Assistant
    forms: Forms = field(default_factory=Forms)
    reads: Lane = field(default_factory=lambda: Lane("read", 4, 256))
    answers: Lane = field(default_factory=lambda: Lane("answer", cores(), _ASKERS))
    fetches: Lane = field(default_factory=lambda: Lane("fetch", 4, 32))

    def close(self) -> None:
        for lane in (self.reads, self.answers, self.fetches):
            lane.close()
