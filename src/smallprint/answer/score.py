"""Judge the short list and add the signals up: relevance, the span's score, closeness, words, practices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smallprint.answer.weights import Weights
from smallprint.models.judge import Judge, Judgement
from smallprint.models.passage import passage
from smallprint.records import Question, Sentence
from smallprint.retrieve.shortlist import Candidate

# A quarter of U (`bench speed`); what retrieval brings into a list of this length stands beside LEXICAL_WEIGHT.
SHORT_LIST = 32
TOGETHER = 3
# Steps to the sentences right beside one, and a little further off.
BESIDE, AROUND = (-1, 1), (-3, -2, 2, 3)


@dataclass(frozen=True, slots=True)
class Scored:
    """`quoted` and `helps` are chances; `logit` orders sentences."""

    sentence: Sentence
    judgement: Judgement
    features: Mapping[str, float]
    logit: float
    quoted: float
    helps: float


def judged(question: Question, candidates: Sequence[Candidate], judge: Judge) -> list[tuple[Candidate, Judgement]]:
    short = candidates[:SHORT_LIST]
    passages = [
        passage(c.sentence.text, heading=" > ".join(c.sentence.headings), lead_in=c.sentence.lead_in) for c in short
    ]
    return list(zip(short, judge.judge(question.text, passages, [c.cosine for c in short]), strict=True))


def said_together(question: Question, pairs: Sequence[tuple[Candidate, Judgement]], judge: Judge) -> dict[str, float]:
    """The stance of the most relevant sentences, read as one passage; nothing where there are none."""
    if not pairs:
        return {}
    best = sorted(pairs, key=lambda pair: -pair[1].relevance)[:TOGETHER]
    sentences = sorted((candidate.sentence for candidate, _ in best), key=lambda s: s.id)
    return judge.stance(question.text, [s.text for s in sentences])


def features_of(pairs: Sequence[tuple[Candidate, Judgement]]) -> list[dict[str, float]]:
    """What speaks for each sentence: itself, and what stands beside it, as answers come in runs."""
    relevance = {candidate.sentence.id: judgement.relevance for candidate, judgement in pairs}
    found = []
    for candidate, judgement in pairs:
        beside, around = ([relevance.get(candidate.sentence.id + n, 0.0) for n in steps] for steps in (BESIDE, AROUND))
        found.append(
            {
                "relevance": judgement.score,
                "informativeness": judgement.span_score,
                "cosine": candidate.cosine,
                "coverage": candidate.coverage,
                "beside": sum(beside) / len(beside),
                "around": sum(around) / len(around),
            }
        )
    return found


def score(pairs: Sequence[tuple[Candidate, Judgement]], weights: Weights) -> list[Scored]:
    """Best first."""
    scored = []
    for (candidate, judgement), features in zip(pairs, features_of(pairs), strict=True):
        logit = float(weights.quoted.logits(features)[0])
        quoted, helps = weights.quoted.chance(features), weights.helps.chance(features)
        scored.append(Scored(candidate.sentence, judgement, features, logit, quoted, max(quoted, helps)))
    return sorted(scored, key=lambda s: -s.logit)
