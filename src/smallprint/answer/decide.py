"""The verdict: is there an answer, what does the policy say, what to show, how sure to be, what to do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from smallprint.answer.features import asks_for_few_words, kind_features, right_features, stance_features
from smallprint.answer.quote import marked, quote
from smallprint.answer.score import Scored
from smallprint.answer.weights import Weights
from smallprint.models.said import Said
from smallprint.records import Answer, Evidence, Question, Stance, Tone, Verdict

# Below this chance that its best sentence would be quoted, an answer is called a partial one.
PARTLY_BELOW = 0.35
# On the held-out fifth of `asked` the F1 of what is shown is .545 with five, eight or ten at most: as many as may be
# needed where a policy says a thing in many places, and not more than a person reads.
MOST_SHOWN = 8
HELD_BACK = 12
_MAY_I = re.compile(r"\b(?:can|could|may) i\b(?! (?:please |just )?(?:ask|know|check)\b)", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:(?:ca|do|does|did|wo|would|could|is|are)n['’]?t (?:i|you|u|they|we|it)|(?:can|could|may|do|does|will|would) "
    r"(?:i|you|u|they|we|it) (?:not|never)|(?:i|you|u|they|we|it) (?:(?:ca|do|does|did|wo)n['’]?t|cannot|never))\b",
    re.IGNORECASE,
)
_DO_YOU = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bto )(?<!\byou )(?<!\bthey )"
    r"(?<!\bwhy )(?<!\bhow )(?<!\bwhat )(?<!\bwho )(?<!\bwhere )(?<!\bwhen )(?<!\bwhich )"
    r"\b(?:(?:do|does|will|would)(?:n['’]?t)? (?:you|u|ya|they|it|this|that)"
    r"|does(?:n['’]?t)? the (?:app|company|policy|service|site|website))\b",
    re.IGNORECASE,
)
_IS_IT = re.compile(r"\b(?:is|are|was|were|has|have) (?:there|my|the|your|it|you|any)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Decision:
    """The numbers behind a verdict: chances of the six kinds and of the stances, and of being right."""

    kinds: dict[str, float]
    stances: dict[str, float]
    right: float

    @property
    def kind(self) -> str:
        return max(self.kinds, key=lambda kind: self.kinds[kind])

    @property
    def stance(self) -> Stance:
        return Stance(max(self.stances, key=lambda stance: self.stances[stance]))

    @property
    def stance_right(self) -> float | None:
        """The chance that the policy answers, and answers so; an open question has no yes or no to be right about."""
        return None if self.stance is Stance.NA else self.kinds["answerable"] * self.stances[self.stance]


def weigh(question: Question, scored: Sequence[Scored], weights: Weights, together: Said) -> Decision:
    kinds = weights.kind.chances(kind_features(question, scored, together))
    stances = weights.stance.chances(stance_features(question, together))
    return Decision(kinds, stances, weights.right.chance(right_features(scored, together)))


def decide(question: Question, scored: Sequence[Scored], weights: Weights, together: Said) -> Answer:
    """`scored` is best first; `together` is what the first of them say in one."""
    decision = weigh(question, scored, weights, together)
    evidence = [_evidence(s) for s in scored[: MOST_SHOWN + HELD_BACK]]
    if decision.kind != "answerable" or not evidence:
        return _no_answer(question, evidence, decision)
    shown = _shown(scored)
    first, more = tuple(evidence[:shown]), tuple(evidence[shown : shown + HELD_BACK])
    sure = decision.stance_right
    return Answer(
        question=question,
        verdict=Verdict.PARTLY if scored[0].quoted < PARTLY_BELOW else Verdict.ANSWERED,
        stance=decision.stance,
        summary=summary(question.text, decision.stance, sure, first),
        confidence=round(decision.right, 3),
        stance_confidence=None if sure is None else round(sure, 3),
        evidence=first,
        more=more,
    )


def _shown(scored: Sequence[Scored]) -> int:
    """As many of the best as make the expected F1 against what people would quote largest."""
    quotable = sum(s.quoted for s in scored)
    hits = accumulate(s.quoted for s in scored[:MOST_SHOWN])
    expected = [2 * hit / (count + quotable) for count, hit in enumerate(hits, 1)]
    return 1 + expected.index(max(expected))


def _evidence(scored: Scored) -> Evidence:
    said = scored.mark.said.stance
    return Evidence(
        sentence=scored.sentence,
        span=scored.mark.span,
        score=round(scored.quoted, 4),
        stance=Stance(max(said, key=lambda stance: said[stance])),
    )


def summary(asked: str, stance: Stance, sure: float | None, evidence: Sequence[Evidence]) -> str:
    """One line made of the policy's own words; what it makes of them is told as surely as it is known."""
    briefly = stance is Stance.NA and asks_for_few_words(asked)
    words = [marked(one) if briefly else quote(one) for one in evidence]
    match stance:
        case Stance.YES:
            return f"It {_told('say', sure)} {_claims(asked)[0]}: “{words[0]}”."
        case Stance.NO:
            return f"It {_told('say', sure)} {_claims(asked)[1]}: “{words[0]}”."
        case Stance.CHOICE:
            return f"It {_told('leave', sure)} you a choice: “{words[0]}”."
        case Stance.MIXED:
            turns = (n for n, one in enumerate(evidence) if _turns(one.stance, evidence[0].stance))
            other = next((n for n in turns if words[n] != words[0]), None)
            return f"It {_told('depend', sure)}: “{words[0]}”" + (
                f"; but also “{_also(evidence[other], words[other], words[0])}”." if other else "."
            )
        case _:
            return f"It says: “{words[0]}”."


def _also(one: Evidence, words: str, before: str) -> str:
    """Its words without those that lead to it, where they were just quoted."""
    lead_in = one.sentence.led_by.strip(" :")
    quoted = bool(lead_in) and (before.startswith(lead_in) or lead_in.endswith(before.rstrip(" :…")))
    return words.replace(f"{lead_in}: ", "… ", 1) if quoted else words


def _told(verb: str, sure: float | None) -> str:
    match Tone.of(sure):
        case Tone.PLAIN:
            return f"{verb}s"
        case Tone.PROBABLY:
            return f"seems to {verb}"
        case Tone.PERHAPS:
            return f"may {verb}"


def _turns(stance: Stance, first: Stance) -> bool:
    """Whether a sentence says something else than the first."""
    return stance not in (first, Stance.NA)


def _claims(asked: str) -> tuple[str, str]:
    """A yes and a no to what was asked, to the first of two questions; a yes to one that denies may mean either."""
    ways = (_MAY_I, ("you can", "you can't")), (_DO_YOU, ("it does", "it doesn't")), (_IS_IT, ("yes", "no"))
    found = [(match.start(), claims) for way, claims in ways if (match := way.search(asked))]
    return ("yes", "no") if _DENIED.search(asked) or not found else min(found)[1]


def _no_answer(
    question: Question,
    evidence: Sequence[Evidence],
    decision: Decision,
) -> Answer:
    verdict = Verdict(decision.kind) if decision.kind != "answerable" else Verdict.SILENT
    sure = decision.kinds.get(str(verdict), 0.0)
    line, steps = _why(verdict, evidence, sure)
    return Answer(
        question=question,
        verdict=verdict,
        stance=Stance.NA,
        summary=line,
        confidence=round(sure, 3),
        more=tuple(evidence[:HELD_BACK]),
        next=steps,
    )


def _why(verdict: Verdict, evidence: Sequence[Evidence], sure: float) -> tuple[str, tuple[str, ...]]:
    """The reason in one line, and what the person can do."""
    contact = "Ask the company itself; its policy should name a contact."
    near = next((e.sentence.section for e in evidence if e.sentence.section), "")
    closest = (f"The section that comes closest is “{near}”.",) if near else ()
    plainly = Tone.of(sure) is Tone.PLAIN
    match verdict:
        case Verdict.NOT_IN_POLICIES if not plainly:
            return "This seems to be what privacy policies don't tell.", (*closest, contact)
        case Verdict.NOT_IN_POLICIES:
            return "Privacy policies don't tell this kind of thing.", (*closest, contact)
        case Verdict.OUT_OF_SCOPE:
            about = "Ask about your data: what is collected, who gets it, how long it is kept, what you can do."
            if plainly:
                return "This is not about privacy, so the policy has nothing on it.", (about,)
            return "This does not seem to be about privacy.", (*closest, about)
        case Verdict.UNCLEAR:
            return "This could mean several things.", (
                "Say what it is about (“my location”, “my messages”) and what you want to know of it.",
            )
        case Verdict.INCOMPREHENSIBLE:
            return "There is no question here that can be understood.", ("Ask it in other words.",)
        case _:
            return "Nothing that answers this was found in it.", (*closest, contact)
