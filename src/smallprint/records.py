"""What the stages hand to each other: frozen, typed, no I/O.

Character positions always index `Policy.text`, end exclusive; spans inside evidence index the sentence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LONGEST_HEADING = 150
"""Characters that are named of a heading: of 8,337 from 500 policies three are longer, the longest 351."""


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TERM = "term"
    ROW = "row"


class Verdict(StrEnum):
    ANSWERED = "answered"
    PARTLY = "partly"
    CONFLICTING = "conflicting"
    SILENT = "silent"
    NOT_IN_POLICIES = "not_in_policies"
    OUT_OF_SCOPE = "out_of_scope"
    UNCLEAR = "unclear"
    INCOMPREHENSIBLE = "incomprehensible"

    @property
    def is_answer(self) -> bool:
        return self in (Verdict.ANSWERED, Verdict.PARTLY, Verdict.CONFLICTING)


class Stance(StrEnum):
    """What the policy says to a yes-no question."""

    YES = "yes"
    NO = "no"
    CHOICE = "choice"
    MIXED = "mixed"
    NA = "na"


class Tone(StrEnum):
    """How surely a yes or no is told. Of 552 on policies held out .81 are right where it is told plainly, .60 with
    “probably”, .38 with “perhaps”."""

    PLAIN = ""
    PROBABLY = "probably"
    PERHAPS = "perhaps"

    @classmethod
    def of(cls, chance: float | None) -> Tone:
        if chance is None or chance >= 0.65:
            return cls.PLAIN
        return cls.PROBABLY if chance >= 0.5 else cls.PERHAPS


@dataclass(frozen=True, slots=True)
class Piece:
    """One block as an extractor finds it, before it has a place in the policy's text.

    `level` is 1–6 for a heading and the list depth for everything else (0 outside lists and tables).
    """

    kind: BlockKind
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What an extractor makes of one source document."""

    title: str
    pieces: tuple[Piece, ...]
    media: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list item, defined term or table row at `text[start:end]` of its policy."""

    kind: BlockKind
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Policy:
    source: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    media: str
    url: str | None = None
    language: str = "en"
    p_policy: float = 1.0
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Identity of the content: sha256 of the normalised text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """`lead_in` is the text that a list item or table row needs to make sense alone."""

    id: int
    segment: int
    kind: BlockKind
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    lead_in: str = ""

    @property
    def led_by(self) -> str:
        """The words that must be shown with it: an item may say the opposite without them."""
        return "" if self.kind is BlockKind.PARAGRAPH else self.lead_in

    @property
    def section(self) -> str:
        """The heading it stands right under, as it is named in a line; "" where there is none."""
        heading = self.headings[-1] if self.headings else ""
        return heading if len(heading) <= LONGEST_HEADING else f"{heading[:LONGEST_HEADING].rsplit(' ', 1)[0]} …"


@dataclass(frozen=True, slots=True)
class Segment:
    """A paragraph with the list or table that belongs to it: the unit that practices are read from."""

    id: int
    start: int
    end: int
    headings: tuple[str, ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A policy that has been read."""

    policy: Policy
    segments: tuple[Segment, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(s for segment in self.segments for s in segment.sentences)


@dataclass(frozen=True, slots=True)
class Practice:
    """What one segment says is done, under one category (a key of the taxonomy), and how likely it says so.

    `values` are the (attribute, value) pairs of the taxonomy that hold, `sentences` for each of them the id of the
    sentence that shows it best; `stance` says what the segment's wording is like: does, does_not, choice, any number
    of them.
    """

    segment: int
    category: str
    chance: float
    values: tuple[tuple[str, str], ...] = ()
    stance: tuple[str, ...] = ()
    sentences: tuple[int, ...] = ()

    @property
    def denied(self) -> bool:
        """The segment says only that this is not done."""
        return "does_not" in self.stance and "does" not in self.stance


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """One line of a privacy label in words that people understand, and what it stands on.

    `stance` is no where every segment denies it, mixed where some do, choice where each leaves it to the reader.
    """

    key: str
    name: str
    stance: Stance
    chance: float
    segments: tuple[int, ...]
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A policy's privacy label. Entries that most of the policy speaks of come first.

    `vagueness` is the share of sentences with a vague word, `vague` are these sentences; `grade` the years of
    schooling it asks for, `hard` its hardest sentences.
    """

    collected: tuple[LabelEntry, ...]
    purposes: tuple[LabelEntry, ...]
    shared_with: tuple[LabelEntry, ...]
    shared: tuple[LabelEntry, ...]
    kept: tuple[LabelEntry, ...]
    choices: tuple[LabelEntry, ...]
    access: tuple[LabelEntry, ...]
    security: tuple[LabelEntry, ...]
    vagueness: float
    vague: tuple[int, ...]
    grade: float
    hard: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """What a collection is filtered and counted by. Names are the short keys of their data files."""

    sector: str = "unknown"
    grade: float = 0.0
    vagueness: float = 0.0
    tracking: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    regulations: tuple[str, ...] = ()
    practices: tuple[str, ...] = ()
    data_types: tuple[str, ...] = ()
    third_parties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of a policy's outline; `words` counts the text under it, down to the next heading."""

    level: int
    text: str
    start: int
    words: int


@dataclass(frozen=True, slots=True)
class Overview:
    """A policy at a glance."""

    title: str
    source: str
    url: str | None
    words: int
    sentences: int
    minutes: int
    grade: float
    p_policy: float
    outline: tuple[Heading, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """`text` is what was `asked` made readable. `categories` are the practices it is about, `kinds` the chance of
    each kind of question by its words alone (in_policies stands for answerable and silent together), `certainty` how
    plainly it is about few practices rather than many: 1 for one, 0 for all alike."""

    text: str
    asked: str = ""
    categories: tuple[str, ...] = ()
    kinds: Mapping[str, float] = field(default_factory=dict)
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    sentence: Sentence
    span: tuple[int, int]
    score: float
    categories: tuple[str, ...] = ()
    stance: Stance = Stance.NA


@dataclass(frozen=True, slots=True)
class Conflict:
    first: Evidence
    second: Evidence
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did, for `--explain`."""

    stage: str
    did: str
    ms: float


@dataclass(frozen=True, slots=True)
class Answer:
    """`confidence` is the chance that the first sentence shown is one that people would quote, `stance_confidence` the
    chance that `stance` is what the policy says: None where no yes or no is told, or two sentences tell both."""

    question: Question
    verdict: Verdict
    stance: Stance
    summary: str
    confidence: float
    stance_confidence: float | None = None
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    more: tuple[Evidence, ...] = ()
    next: tuple[str, ...] = ()
    trace: tuple[Step, ...] = field(default=(), repr=False)

    @property
    def tone(self) -> Tone:
        return Tone.of(self.stance_confidence)


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on: `label` is what a button shows, `ask` what it says when pressed."""

    label: str
    ask: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange of a conversation.

    `asked` is what was `said` as a whole question, empty where it was none; `line` is one line to read aloud; `shown`
    are the sentences that this turn shows (for "more", the next ones); `answer` is None where nothing was asked anew.
    """

    session: str
    policy: str
    said: str
    asked: str
    answer: Answer | None
    line: str
    choices: tuple[Choice, ...] = ()
    shown: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation with a policy in context. `expires` is in seconds of the epoch, moved on by every turn; `kept`
    sessions survive a restart until then."""

    id: str
    policy: str
    expires: float
    kept: bool


class ChangeKind(StrEnum):
    """What became of a practice between two versions. The last three change nothing in practice."""

    ADDED = "added"
    DROPPED = "dropped"
    WEAKENED = "weakened"
    STRENGTHENED = "strengthened"
    CHANGED = "changed"
    REWORDED = "reworded"
    MOVED = "moved"
    HOUSEKEEPING = "housekeeping"

    @property
    def matters(self) -> bool:
        return self not in (ChangeKind.REWORDED, ChangeKind.MOVED, ChangeKind.HOUSEKEEPING)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two versions of a policy. `old` and `new` are the exact words, "" where there are none;
    `severity` goes from 0 to 3; `chance` is how likely it matters at all; `since` is the day of the version in which
    the old words first stood, "" where that is not known."""

    kind: ChangeKind
    category: str
    summary: str
    old: str
    new: str
    severity: int
    chance: float
    since: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """From one version to the next, by their days: the changes that matter, those that do not (`quiet`), and how many
    paragraphs only moved."""

    before: str
    after: str
    changes: tuple[Change, ...]
    quiet: tuple[Change, ...] = ()
    moved: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """How a service's policy changed: the days of its versions, oldest first, and the revisions, newest first."""

    service: str
    versions: tuple[str, ...]
    revisions: tuple[Revision, ...]


def plain(value: object) -> object:
    """A record as JSON-ready dicts, lists and scalars."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain_fields(value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return str(value) if isinstance(value, StrEnum) else value


def plain_fields(record: DataclassInstance) -> dict[str, Any]:
    """The fields of one record, to stand among others."""
    return {f.name: plain(getattr(record, f.name)) for f in fields(record)}
