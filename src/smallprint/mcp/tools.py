"""What an assistant can call. Each tool reads, none writes; results carry the ids of their sentences."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from smallprint.asking import OpenPolicy
from smallprint.errors import SmallprintError
from smallprint.http.desk import Desk
from smallprint.http.log import note
from smallprint.index.protocol import Hit, Unit
from smallprint.index.searching import Hint, parsed
from smallprint.norms.checklist import Check
from smallprint.norms.compare import AskedOfAll, Row
from smallprint.norms.find import Finding
from smallprint.norms.surprise import Surprise
from smallprint.records import Answer, Label, Overview, Revision, Sentence

MOST_SENTENCES = 200
MOST_HITS = 50
MOST_POLICIES = 10
MOST_QUESTIONS = 10
LONGEST = 2_000
SINCE = r"^(\d{4}(-\d{2}(-\d{2})?)?)?$"

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
Sources = Annotated[list[Source], Field(description="Two policies or more.", min_length=2, max_length=MOST_POLICIES)]
Topic = Annotated[str, Field(description="Keep to this topic, as location.", max_length=200)]
Questions = Annotated[tuple[Words, ...], Field(description="Put to all of them.", max_length=MOST_QUESTIONS)]
Stored = Annotated[str, Field(description="The name of a stored policy.", min_length=1, max_length=LONGEST)]
Since = Annotated[
    str,
    Field(description="Only what changed from then on: 2024, 2024-03 or 2024-03-01.", pattern=SINCE, max_length=10),
]
P = ParamSpec("P")
T = TypeVar("T")


class Read(BaseModel):
    """A policy at a glance, its privacy label with the ids of the sentences behind it, and the sentences asked for."""

    digest: str
    overview: Overview
    label: Label
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


class Compared(BaseModel):
    """`rows` are practices, `asked` questions; cells and answers are in the order of `names`."""

    names: tuple[str, ...]
    digests: tuple[str, ...]
    rows: tuple[Row, ...]
    asked: tuple[AskedOfAll, ...]


class Surprising(BaseModel):
    """Measured against so many `policies` of the `sector`."""

    digest: str
    sector: str
    policies: int
    surprises: tuple[Surprise, ...]


class Found(BaseModel):
    finding: Finding


class Checked(BaseModel):
    digest: str
    check: Check


class Changed(BaseModel):
    """The days of a service's versions, oldest first, and what changed between them, newest first."""

    service: str
    versions: tuple[str, ...]
    revisions: tuple[Revision, ...]


class Tools:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def read_policy(self, source: Source, first: First = 0, count: Count = 0) -> Read:
        """What is in a privacy policy: outline and length, what is collected, shared and kept, how vague it is and how
        hard to read; and any of its sentences by id."""
        opened = await self._open(source)
        overview = replace(opened.overview(), source=opened.policy.url or "")  # where it was stored from is the owner's
        label = await self._desk.answers.run(opened.label)
        wanted = tuple(s for s in opened.reading.sentences if first <= s.id < first + count)
        return Read(digest=opened.policy.digest, overview=overview, label=label, sentences=wanted)

    async def ask_policy(self, source: Source, question: Words) -> Asked:
        """Ask a privacy policy a question. The answer quotes the policy's exact sentences with their ids, says how
        sure it is and, where there is no answer, why: silence is neither a yes nor a no."""
        opened = await self._open(source)
        policy, answer = opened.policy, await self._desk.answers.run(opened.ask, question)
        return Asked(title=policy.title, url=policy.url, digest=policy.digest, answer=replace(answer, trace=()))

    async def search_policies(
        self,
        query: Query,
        unit: Literal["policy", "sentence"] = "policy",
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> Searched:
        """Search the stored privacy policies, or their sentences, for words."""
        request = parsed(query, unit=Unit(unit), limit=limit, facets=())
        found = await self._desk.reads.run(self._desk.assistant.search, request, cursor)
        return Searched(total=found.page.total, hits=found.page.hits, next=found.next, hints=found.hints)

    async def compare_policies(self, sources: Sources, on: Topic = "", questions: Questions = ()) -> Compared:
        """Set privacy policies side by side, practice by practice, each with the sentence that says so, and put the
        same questions to all. A cell without a stance is silence: neither a yes nor a no."""
        opened = [await self._open(source) for source in sources]
        named = [(one.policy.title or source, one) for source, one in zip(sources, opened, strict=True)]
        across = self._desk.assistant.across
        made = await self._desk.answers.run(lambda: across.compare(named, on=on, questions=questions))
        asked = tuple(replace(one, answers=tuple(replace(a, trace=()) for a in one.answers)) for one in made.asked)
        digests = tuple(one.policy.digest for one in opened)
        return Compared(names=made.names, digests=digests, rows=made.rows, asked=asked)

    async def surprises_in_policy(self, source: Source) -> Surprising:
        """What a privacy policy does that few of its kind do, and what it leaves out that most of them say, each with
        how many say the same."""
        opened = await self._open(source)
        made = await self._desk.answers.run(lambda: self._desk.assistant.across.surprise(opened))
        sector, policies = made.kin.sector, made.kin.group.policies
        return Surprising(digest=opened.policy.digest, sector=sector, policies=policies, surprises=made.found)

    async def find_policies(self, need: Words, limit: Limit = 10) -> Found:
        """Stored policies that say they do, or don't do, what someone needs ("doesn't sell my data"), each with the
        sentence that says so. A policy that says nothing is not listed: silence is no promise."""
        finding = await self._desk.answers.run(lambda: self._desk.assistant.across.find(need, limit=limit))
        return Found(finding=finding)

    async def check_policy(self, source: Source, against: Literal["gdpr", "ccpa", "coppa"]) -> Checked:
        """A privacy policy against what a law wants it to tell: each item found, partly or not found. No legal
        advice."""
        opened = await self._open(source)
        made = await self._desk.answers.run(lambda: self._desk.assistant.across.check(opened, against))
        return Checked(digest=opened.policy.digest, check=made)

    async def policy_changes(self, name: Stored, since: Since = "") -> Changed:
        """How a stored privacy policy changed from version to version, newest first: what was added, dropped, weakened
        or strengthened, how much it matters (0 to 3), with the exact old and new words and the days."""
        history = await self._desk.answers.run(self._desk.assistant.changes, name, since)
        shown = tuple(replace(one, quiet=()) for one in history.revisions)
        return Changed(service=history.service, versions=history.versions, revisions=shown)

    async def _open(self, source: str) -> OpenPolicy:
        lane = self._desk.fetches if "://" in source else self._desk.answers
        return await lane.run(self._desk.assistant.read, source)


def plainly(tool: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Errors of ours as the tool's own; of any other nothing is told, for its words may be the asker's."""

    @functools.wraps(tool)
    async def told(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await tool(*args, **kwargs)
        except SmallprintError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            note(error)
            raise ToolError("Smallprint itself broke on this.") from None

    return told
