"""Add the signals up: relevance, closeness, words, length, whether it answers at all, what stands beside; then what
reading the best of them together tells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from smallprint.answer.judging import Judged, passage_of
from smallprint.answer.weights import Weights
from smallprint.models.arbiter import TOGETHER, Arbiter, Worth
from smallprint.models.marker import Mark
from smallprint.models.said import Said
from smallprint.records import Question, Sentence

# Steps to the sentences right beside one, and a little further off.
BESIDE, AROUND = (-1, 1), (-3, -2, 2, 3)
# What is so much less likely to be quoted than the best is not read with it: where a policy has few sentences, the
# others are about something else. On the held-out fifth of `asked` .02 and .08 do as well, .2 loses silences.
READ_FROM = 0.05
# So many of the best take new places when they were read together: those read, and two that may pass them.
SETTLED = TOGETHER + 2


@dataclass(frozen=True, slots=True)
class Scored:
    """`quoted` and `helps` are chances; `logit` orders sentences."""

    sentence: Sentence
    features: Mapping[str, float]
    logit: float
    quoted: float
    helps: float
    mark: Mark


def features_of(short_list: Sequence[Judged]) -> list[dict[str, float]]:
    """What speaks for each sentence: itself, and what stands beside it, as answers come in runs."""
    relevance = {one.sentence.id: one.judgement.relevance for one in short_list}
    found = []
    for one in short_list:
        beside, around = ([relevance.get(one.sentence.id + n, 0.0) for n in steps] for steps in (BESIDE, AROUND))
        found.append(
            {
                "relevance": one.judgement.score,
                "cosine": one.candidate.cosine,
                "coverage": one.candidate.coverage,
                "silent": logit(one.mark.said.silent),
                "length": math.log1p(len(one.sentence.text.split())),
                "beside": sum(beside) / len(beside),
                "around": sum(around) / len(around),
            }
        )
    return found


def score(short_list: Sequence[Judged], weights: Weights) -> list[Scored]:
    """Best first."""
    scored = []
    for one, features in zip(short_list, features_of(short_list), strict=True):
        quoted, helps = weights.quoted.chance(features), weights.helps.chance(features)
        order = float(weights.quoted.logits(features)[0])
        scored.append(Scored(one.sentence, features, order, quoted, max(quoted, helps), one.mark))
    return sorted(scored, key=lambda s: -s.logit)


@dataclass(frozen=True, slots=True)
class Together:
    """What the best sentences say, read as one text; what each of them is worth in it, by its id."""

    said: Said
    worth: Mapping[int, Worth]


def read_together(question: Question, best: Sequence[Scored], arbiter: Arbiter) -> Together:
    """The first of the best sentences, in the policy's order."""
    likely = (s.sentence for s in best[:TOGETHER] if s.quoted >= READ_FROM * best[0].quoted)
    near = sorted(likely, key=lambda sentence: sentence.id)
    heard = arbiter.hear(question.text, [passage_of(sentence) for sentence in near])
    return Together(heard.said, {s.id: worth for s, worth in zip(near, heard.worth, strict=True) if worth})


def settle(best: Sequence[Scored], together: Together, weights: Weights) -> list[Scored]:
    """What reading the best together tells of each puts the first of them in order; none falls behind the others."""
    settled = []
    for one in best[:SETTLED]:
        if one.sentence.id in together.worth:
            features = worth_features(one, together.worth[one.sentence.id])
            quoted, helps = weights.quoted_together.chance(features), weights.helps_together.chance(features)
            order = float(weights.quoted_together.logits(features)[0])
            settled.append(replace(one, logit=order, quoted=quoted, helps=max(quoted, helps)))
        else:
            settled.append(one)
    return [*sorted(settled, key=lambda s: -s.logit), *best[SETTLED:]]


def worth_features(alone: Scored, worth: Worth) -> dict[str, float]:
    """What speaks for a sentence by itself, and beside the others."""
    return {
        "quoted": alone.logit,
        "helps": logit(alone.helps),
        "quoted_together": worth.quoted,
        "helps_together": worth.helps,
    }


def logit(chance: float) -> float:
    return math.log(max(chance, 1e-4) / max(1 - chance, 1e-4))
