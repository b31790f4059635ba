"""A question's way through the stages: understand, retrieve, judge, score, decide."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from smallprint.annotate import practices
from smallprint.annotate.label import label_of
from smallprint.annotate.overview import overview
from smallprint.answer import weights as answer_weights
from smallprint.answer.conflicts import with_conflicts
from smallprint.answer.decide import decide
from smallprint.answer.judging import SHORT_LIST, judged
from smallprint.answer.score import Scored, read_together, score, settle
from smallprint.library.findings import Findings
from smallprint.question.clean import LONGEST_QUESTION, is_cut
from smallprint.question.understand import Understood, understand
from smallprint.records import Answer, BlockKind, Label, Overview, Policy, Practice, Question, Reading, Sentence, Step
from smallprint.retrieve.shortlist import Candidate, Places, Retriever
from smallprint.taxonomy import category

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from smallprint.library.findings import Keeper
    from smallprint.models.arbiter import Arbiter
    from smallprint.models.judge import Judge
    from smallprint.models.marker import Marker
    from smallprint.models.reader import Reader
    from smallprint.models.said import Said
    from smallprint.models.session import Floats


VECTOR_WIDTH = 384
CUT = f"Only the first {LONGEST_QUESTION:,} characters of the question were read: ask the rest by itself."


class Encoders:
    """The encoders, loaded when first needed and then kept; by one thread, though several may ask at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._marker: Marker | None = None
        self._arbiter: Arbiter | None = None

    def warm_up(self) -> None:
        _ = self.reader, self.judge, self.marker, self.arbiter

    @property
    def reader(self) -> Reader:
        from smallprint.models.reader import shipped_reader

        with self._lock:
            return shipped_reader()

    @property
    def judge(self) -> Judge:
        from smallprint.models.judge import Judge

        with self._lock:
            self._judge = self._judge or Judge.load()
            return self._judge

    @property
    def marker(self) -> Marker:
        from smallprint.models.marker import Marker

        with self._lock:
            self._marker = self._marker or Marker.load()
            return self._marker

    @property
    def arbiter(self) -> Arbiter:
        from smallprint.models.arbiter import Arbiter

        with self._lock:
            self._arbiter = self._arbiter or Arbiter.load()
            return self._arbiter


_encoders = Encoders()


def encoders() -> Encoders:
    """Those of this process."""
    return _encoders


@dataclass(slots=True)
class Clock:
    """Notes what each stage did and how long it took."""

    steps: list[Step] = field(default_factory=list)
    _since: float = field(default_factory=time.perf_counter)

    def step(self, stage: str, did: str) -> None:
        now = time.perf_counter()
        self.steps.append(Step(stage, did, round((now - self._since) * 1000, 2)))
        self._since = now


@dataclass(frozen=True, slots=True)
class Ranked:
    """`scored` is the short list, best first; `rest` follows in retrieval's order. `together` is what the first of the
    best sentences say, read as one."""

    question: Question
    scored: tuple[Scored, ...]
    together: Said
    rest: tuple[Candidate, ...]
    clock: Clock

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return (*(s.sentence for s in self.scored), *(c.sentence for c in self.rest))


def _best(scored: Sequence[Scored]) -> str:
    return ", ".join(f"{s.quoted:.2f}" for s in scored[:5])


class OpenPolicy:
    """A policy that was read and can be asked; what every question needs is made once."""

    def __init__(self, reading: Reading, keeper: Keeper | None = None, *, short_list: int = SHORT_LIST) -> None:
        self.reading = reading
        self.keeper = keeper
        """Where findings outlast this program."""
        self._short_list = short_list

    @property
    def policy(self) -> Policy:
        return self.reading.policy

    def overview(self) -> Overview:
        return overview(self.reading)

    def practices(self) -> tuple[Practice, ...]:
        """What it says is done, segment by segment."""
        return self._practices

    def label(self) -> Label:
        """What matters most in it, in words that people understand."""
        return label_of(self.reading, self.practices())

    def ask(self, text: str) -> Answer:
        return self.answer(self.rank(text))

    def rank(self, text: str) -> Ranked:
        """Every sentence, best first."""
        clock = Clock()
        return self.rank_question(understand(text, encoders().reader, self.words), clock)

    def rank_question(self, understood: Understood, clock: Clock) -> Ranked:
        """As `rank`, for a question that was read already."""
        question = understood.question
        if is_cut(question.asked):
            clock.step("clean", f"read only the first {LONGEST_QUESTION:,} characters of the question")
        if understood.repairs:
            clock.step("spelling", "read " + ", ".join(f"“{r.typed}” as “{r.read}”" for r in understood.repairs))
        clock.step("understand", f"“{question.text}” is about {', '.join(question.categories) or 'no one practice'}")
        candidates = self._retriever.rank(question.text, understood.vector)
        clock.step("retrieve", f"{len(candidates)} sentences by words and meaning")
        short_list = judged(question, candidates, encoders().judge, encoders().marker, self._short_list)
        clock.step("judge", f"the first {len(short_list)} of them, word by word")
        scored = score(short_list, answer_weights.shipped())
        clock.step("score", f"{_best(scored)} are the best chances")
        together = read_together(question, scored, encoders().arbiter)
        settled = tuple(settle(scored, together, answer_weights.shipped()))
        clock.step("arbitrate", f"{_best(settled)} once the best were read together")
        return Ranked(question, settled, together.said, tuple(candidates[len(short_list) :]), clock)

    def answer(self, ranked: Ranked) -> Answer:
        answer = with_conflicts(decide(ranked.question, ranked.scored, answer_weights.shipped(), ranked.together))
        ranked.clock.step("decide", f"{answer.verdict}, {answer.stance}, confidence {answer.confidence:.2f}")
        cut = (CUT,) if is_cut(ranked.question.asked) else ()
        return replace(answer, next=(*answer.next, *cut), trace=tuple(ranked.clock.steps))

    @cached_property
    def _practices(self) -> tuple[Practice, ...]:
        if self._kept.practices is not None:
            return self._kept.practices
        made = practices.practices_of(self.reading, encoders().reader)
        self._keep(Findings(self._kept.fingerprint, practices=made))
        return made

    def categories_of(self, sentences: Sequence[Sentence]) -> list[dict[str, float]]:
        """For each sentence the chance of each category of practice, by its key; "other" is left out."""
        reader = encoders().reader
        keys = [category(name).key for name in reader.labels.categories]
        chances = reader.read([sentence.text for sentence in sentences]).categories
        return [
            {key: float(chance) for key, chance in zip(keys, row, strict=True) if key != "other"} for row in chances
        ]

    @cached_property
    def words(self) -> frozenset[str]:
        """The policy's own words: right as they are, though no list has them."""
        return frozenset(re.findall(r"[a-z]+", self.policy.text.lower()))

    @cached_property
    def _sentences(self) -> list[Sentence]:
        return [s for s in self.reading.sentences if s.kind is not BlockKind.HEADING]

    @cached_property
    def _retriever(self) -> Retriever:
        return Retriever(self._sentences, self._vectors_of)

    def _vectors_of(self, places: Places) -> Floats:
        """[places, 384]; each sentence is read once, when a question first needs it."""
        missing = places[np.isnan(self._vectors[places, 0])]
        if len(missing):
            self._vectors[missing] = encoders().reader.vectors([self._sentences[place].text for place in missing])
            self._keep(Findings(self._kept.fingerprint, vectors=self._vectors.tobytes()))
        return self._vectors[places].astype(np.float32)

    @cached_property
    def _vectors(self) -> NDArray[np.float16]:
        """[sentences, 384], NaN for those not read yet. In half precision from the first question on, so that the same
        question gets the same answer whether they were just made or kept."""
        shape = (len(self._sentences), VECTOR_WIDTH)
        kept = np.frombuffer(self._kept.vectors or b"", dtype="<f2")
        return kept.reshape(shape).copy() if kept.size == shape[0] * shape[1] else np.full(shape, np.nan, "<f2")

    @cached_property
    def _kept(self) -> Findings:
        """What this reader made of exactly these sentences before."""
        now = practices.fingerprint(self.reading, encoders().reader)
        kept = self.keeper.load() if self.keeper else None
        return kept if kept is not None and kept.fingerprint == now else Findings(now)

    def _keep(self, made: Findings) -> None:
        if self.keeper:
            self.keeper.keep(made)
