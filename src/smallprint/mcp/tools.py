"""What an assistant can call. Each tool reads, none writes; results carry the ids of their sentences."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from smallprint.asking import OpenPolicy
from smallprint.assistant import Assistant
from smallprint.errors import SmallprintError
from smallprint.index.protocol import Hit, Unit
from smallprint.index.searching import Hint, parsed
from smallprint.records import Answer, Overview, Sentence

MOST_SENTENCES = 200
MOST_HITS = 50
LONGEST = 2_000
log = logging.getLogger(__name__)

Source = Annotated[
    str,
    Field(
        description="A web address, the name of a stored policy or, where the server is your own process, a file.",
        max_length=LONGEST,
    ),
]
Words = Annotated[str, Field(description="The question, in plain words.", min_length=1, max_length=LONGEST)]
First = Annotated[int, Field(description="Id of the first sentence to quote.", ge=0)]
Count = Annotated[int, Field(description="How many sentences to quote from there on.", ge=0, le=MOST_SENTENCES)]
Query = Annotated[
    str,
    Field(description='Words (all must occur), "a phrase", AND OR NOT, ( ); * for everything.', max_length=LONGEST),
]
Limit = Annotated[int, Field(description="Hits on a page.", ge=1, le=MOST_HITS)]
Cursor = Annotated[str | None, Field(description="`next` of the page before.", max_length=LONGEST)]
P = ParamSpec("P")
T = TypeVar("T")


class Read(BaseModel):
    """A policy at a glance, and the sentences asked for."""

    digest: str
    overview: Overview
    sentences: tuple[Sentence, ...]


class Asked(BaseModel):
    """The answer, and which text it was read from."""

    title: str
    url: str | None
    digest: str
    answer: Answer


class Searched(BaseModel):
    """`next` goes on where this page ends; `hints` say what to leave out where nothing was found."""

    total: int
    hits: tuple[Hit, ...]
    next: str | None
    hints: tuple[Hint, ...]


class Tools:
    """`files` lets a source be a file of this machine: for its own user, never for who asks over a network."""

    def __init__(self, assistant: Assistant, *, files: bool) -> None:
        self._assistant = assistant
        self._files = files

    def read_policy(self, source: Source, first: First = 0, count: Count = 0) -> Read:
        """What is in a privacy policy: outline, length, how hard it is to read; and any of its sentences by id."""
        opened = self._open(source)
        wanted = tuple(s for s in opened.reading.sentences if first <= s.id < first + count)
        return Read(digest=opened.policy.digest, overview=opened.overview(), sentences=wanted)

    def ask_policy(self, source: Source, question: Words) -> Asked:
        """Ask a privacy policy a question. The answer quotes the policy's exact sentences with their ids, says how
        sure it is and, where there is no answer, why: silence is neither a yes nor a no."""
        opened = self._open(source)
        policy, answer = opened.policy, replace(opened.ask(question), trace=())
        return Asked(title=policy.title, url=policy.url, digest=policy.digest, answer=answer)

    def search_policies(
        self,
        query: Query,
        unit: Literal["policy", "sentence"] = "policy",
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> Searched:
        """Search the stored privacy policies, or their sentences, for words."""
        found = self._assistant.search(parsed(query, unit=Unit(unit), limit=limit, facets=()), cursor)
        return Searched(total=found.page.total, hits=found.page.hits, next=found.next, hints=found.hints)

    def _open(self, source: str) -> OpenPolicy:
        if self._files or source.lower().startswith(("http://", "https://")):
            return self._assistant.read(source)
        return self._assistant.stored(source)


def plainly(tool: Callable[P, T]) -> Callable[P, T]:
    """Errors of ours as the tool's own; of any other only the kind is told, for its words may be the asker's."""

    @functools.wraps(tool)
    def told(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return tool(*args, **kwargs)
        except SmallprintError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            log.error("a tool broke: %s", type(error).__name__)
            raise ToolError("Smallprint itself broke on this.") from None

    return told
