"""Judge the short list and add the signals up: relevance, closeness, words, length, what stands beside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smallprint.answer.weights import Weights
from smallprint.models.judge import Judge, Judgement
from smallprint.models.passage import Passage, passage
from smallprint.records import Question, Sentence
from smallprint.retrieve.shortlist import Candidate

# A quarter of U (`bench speed`); what retrieval brings into a list of this length stands beside LEXICAL_WEIGHT.
SHORT_LIST = 32
# Steps to the sentences right beside one, and a little further off.
BESIDE, AROUND = (-1, 1), (-3, -2, 2, 3)


@dataclass(frozen=True, slots=True)
class Scored:
    """`quoted` and `helps` are chances; `logit` orders sentences."""

    sentence: Sentence
    features: Mapping[str, float]
    logit: float
    quoted: float
    helps: float


def judged(
    question: Question, candidates: Sequence[Candidate], judge: Judge, short_list: int = SHORT_LIST
) -> list[tuple[Candidate, Judgement]]:
    short = candidates[:short_list]
    passages = [passage_of(c.sentence) for c in short]
    return list(zip(short, judge.judge(question.text, passages, [c.cosine for c in short]), strict=True))


def passage_of(sentence: Sentence) -> Passage:
    return passage(sentence.text, heading=" > ".join(sentence.headings), lead_in=sentence.lead_in)


def features_of(pairs: Sequence[tuple[Candidate, Judgement]]) -> list[dict[str, float]]:
    """What speaks for each sentence: itself, and what stands beside it, as answers come in runs."""
    relevance = {candidate.sentence.id: judgement.relevance for candidate, judgement in pairs}
    found = []
    for candidate, judgement in pairs:
        beside, around = ([relevance.get(candidate.sentence.id + n, 0.0) for n in steps] for steps in (BESIDE, AROUND))
        found.append(
            {
                "relevance": judgement.score,
                "cosine": candidate.cosine,
                "coverage": candidate.coverage,
                "length": math.log1p(len(candidate.sentence.text.split())),
                "beside": sum(beside) / len(beside),
                "around": sum(around) / len(around),
            }
        )
    return found


def score(pairs: Sequence[tuple[Candidate, Judgement]], weights: Weights) -> list[Scored]:
    """Best first."""
    scored = []
    for (candidate, _), features in zip(pairs, features_of(pairs), strict=True):
        logit = float(weights.quoted.logits(features)[0])
        quoted, helps = weights.quoted.chance(features), weights.helps.chance(features)
        scored.append(Scored(candidate.sentence, features, logit, quoted, max(quoted, helps)))
    return sorted(scored, key=lambda s: -s.logit)
