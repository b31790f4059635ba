"""What takes more than one policy: norms, surprise, ambiguity, comparison, needs, checklists. Wires the norms' room to
policies that were opened, the library and the index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smallprint.annotate.sector import shipped as sectors
from smallprint.answer.judging import passage_of
from smallprint.asking import OpenPolicy, encoders
from smallprint.library import Library, ShelfKeeper, names
from smallprint.library.names import domain
from smallprint.norms import figures
from smallprint.norms.ambiguity import Ambiguity, ambiguity
from smallprint.norms.build import Progress, build
from smallprint.norms.checklist import Check, check, checklist
from smallprint.norms.compare import Comparison, compare
from smallprint.norms.figures import Kin, Norms
from smallprint.norms.find import Finding, find
from smallprint.norms.surprise import Surprise, matters, surprises
from smallprint.norms.traits import traits_of

if TYPE_CHECKING:
    from smallprint.index.protocol import Index
    from smallprint.records import Policy, Sentence
    from smallprint.settings import Settings


@dataclass(frozen=True, slots=True)
class Surprised:
    """What surprises in a policy, and what it was measured against."""

    kin: Kin
    found: tuple[Surprise, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """How vague a policy is, and what it was measured against."""

    kin: Kin
    found: Ambiguity


class Across:
    """Made by the assistant. `library` opens the library, `searchable` gives the index, caught up."""

    def __init__(self, settings: Settings, library: Callable[[], Library], searchable: Callable[..., Index]) -> None:
        self._settings = settings
        self._library = library
        self._searchable = searchable

    def norms(self) -> Norms:
        """Those made of this library, else the shipped ones."""
        return figures.current(self._settings.home)

    def counted_now(self, norms: Norms) -> bool:
        """Whether they were counted by what reads policies now."""
        from smallprint.corpus.analyse import model_of

        return norms.model == model_of()

    def build_norms(self, *, progress: Progress | None = None) -> Norms:
        """Replace the norms by those of this library."""
        from smallprint.corpus.analyse import model_of

        with self._library() as library:
            made = build(library, model_of(), progress=progress)
        figures.keep(made, self._settings.home)
        return made

    def reset_norms(self) -> bool:
        """Back to the shipped ones; false where there were no others."""
        return figures.drop(self._settings.home)

    def kin(self, opened: OpenPolicy, sector: str = "") -> Kin:
        """The policies that this one is measured against: of the sector given, else of its own."""
        return self.norms().kin(figures.sector_named(sector) if sector else self._sector(opened))

    def surprise(self, opened: OpenPolicy, *, sector: str = "") -> Surprised:
        """What this policy does that few of its kind do, and what it leaves out that most say."""
        kin = self.kin(opened, sector)
        found = surprises(
            traits_of(opened.reading, opened.practices()),
            {sentence.id: sentence for sentence in opened.reading.sentences},
            kin,
            matters(self._settings.matters),
            relevance=_relevance,
            denied=_denied,
            ask=opened.ask,
        )
        return Surprised(kin, found)

    def ambiguity(self, opened: OpenPolicy, *, sector: str = "") -> Measured:
        """Which practices it describes vaguely, against others of its kind."""
        kin = self.kin(opened, sector)
        return Measured(kin, ambiguity(opened.reading, opened.practices(), kin))

    def compare(
        self,
        policies: Sequence[tuple[str, OpenPolicy]],
        *,
        on: str = "",
        questions: Sequence[str] = (),
        progress: Callable[[str], None] = lambda _: None,
    ) -> Comparison:
        """Side by side, practice by practice; the same questions put to all."""
        return compare(policies, on=on, questions=questions, progress=progress)

    def check(self, opened: OpenPolicy, against: str, *, progress: Callable[[str], None] = lambda _: None) -> Check:
        """Against what a law wants it to tell: gdpr, ccpa or coppa."""
        wanted = checklist(against)
        return check(opened.reading, opened.practices(), wanted, opened.ask, progress=progress)

    def find(
        self,
        need: str,
        *,
        sector: str = "",
        limit: int = 10,
        progress: Callable[[int], None] | None = None,
    ) -> Finding:
        """Policies of the library that say they do, or do not do, what is needed. Silence is no promise."""
        index = self._searchable(progress)
        with self._library() as library:

            def text_of(version: str) -> Policy | None:
                return next((text.policy for text in library.texts([int(version)])), None)

            chosen = figures.sector_named(sector) if sector else ""
            return find(need, index, encoders().judge, encoders().marker, text_of, sector=chosen, limit=limit)

    def _sector(self, opened: OpenPolicy) -> str:
        """Of a stored policy what the library has; else by what it would be stored with: its name, domain and text."""
        if isinstance(opened.keeper, ShelfKeeper):
            with self._library() as library:
                shelved = library.shelved([opened.keeper.version])
            if shelved and shelved[0].annotation:
                return shelved[0].annotation.facets.sector
        policy, host = opened.policy, domain(opened.policy)
        return sectors().sector(names.from_title(policy.title, host) or policy.title, host or "", policy.text)


def _relevance(question: str, sentences: Sequence[Sentence]) -> list[float]:
    """The chance of each sentence that people would quote it as the answer."""
    passages = [passage_of(sentence) for sentence in sentences]
    return [judgement.relevance for judgement in encoders().judge.judge(question, passages)]


def _denied(question: str, sentence: Sentence) -> bool:
    """Whether the sentence, read as the answer, is a no sooner than a yes."""
    said = encoders().marker.mark(question, [passage_of(sentence)])[0].said.stance
    return said["no"] > max(said["yes"], said["choice"])
