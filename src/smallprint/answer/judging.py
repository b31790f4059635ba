"""What two readers make of the short list: the judge how well each sentence answers, the marker where and with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smallprint.models.judge import Judge, Judgement
from smallprint.models.marker import Mark, Marker
from smallprint.models.passage import Passage, passage
from smallprint.records import Question, Sentence
from smallprint.retrieve.shortlist import Candidate

# What a list of 48 holds stands in `retrieve/shortlist.py`. Both readers take four tenths of U for it (`bench asking`).
SHORT_LIST = 48


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate of the short list, judged and marked."""

    candidate: Candidate
    judgement: Judgement
    mark: Mark

    @property
    def sentence(self) -> Sentence:
        return self.candidate.sentence


def judged(
    question: Question, candidates: Sequence[Candidate], judge: Judge, marker: Marker, short_list: int = SHORT_LIST
) -> list[Judged]:
    short = candidates[:short_list]
    passages = [passage_of(c.sentence) for c in short]
    begun = judge.begin(question.text, passages)
    judgements = judge.judge_begun(begun, [c.cosine for c in short])
    return [Judged(*row) for row in zip(short, judgements, marker.mark_begun(begun, passages), strict=True)]


def passage_of(sentence: Sentence) -> Passage:
    return passage(sentence.text, heading=" > ".join(sentence.headings), lead_in=sentence.lead_in)
