""" "Why?": an answer's reasons in plain words, from its trace and scores."""

from __future__ import annotations

from smallprint.answer.quote import quote
from smallprint.records import Answer, Evidence, Verdict
from smallprint.taxonomy import category
from smallprint.words import NAMED

STANDS_OUT = 3.0


def why(answer: Answer) -> str:
    """A few sentences to read aloud: how the question was read, why this sentence, how sure and why."""
    said = [*_misread(answer), *(_because(answer) if answer.verdict.is_answer else _because_not(answer))]
    return " ".join(said)


def _misread(answer: Answer) -> list[str]:
    read = [f"I {step.did}." for step in answer.trace if step.stage in ("clean", "spelling")]
    about = [f"“{category(name).plain.lower()}”" for name in answer.question.categories if name != "other"]
    return [*read, f"I took it to be about {' and '.join(about)}."] if about else read


def _because(answer: Answer) -> list[str]:
    first, others = answer.evidence[0], (*answer.evidence[1:], *answer.more)
    lines = [f"Of all its sentences, this one answers you best: “{quote(first)}”{_place(first)}."]
    lines.append(f"I give it {_percent(first.score)} that people would quote it{_against(first, others)}.")
    if answer.conflicts:
        lines.append(_contradicted(answer, first))
    elif answer.verdict is Verdict.PARTLY:
        lines.append("That is little, so take it as part of an answer at most.")
    lines.append(f"All in all I am {_percent(answer.confidence)} sure of it.")
    if answer.stance_confidence is not None:
        lines.append(f"Of {NAMED[answer.stance]} I am {_percent(answer.stance_confidence)} sure.")
    return lines


def _contradicted(answer: Answer, first: Evidence) -> str:
    sides = {side.sentence.id for one in answer.conflicts for side in (one.first, one.second)}
    if first.sentence.id in sides:
        return "Other sentences of the policy contradict it."
    return "Two other sentences contradict each other."


def _against(first: Evidence, others: tuple[Evidence, ...]) -> str:
    if not others:
        return ""
    second = max(e.score for e in others)
    if first.score >= STANDS_OUT * second:
        return f", and it stands out: the next best has {_percent(second)}"
    return f"; the next best comes close with {_percent(second)}" if second < first.score else "; others do as well"


def _because_not(answer: Answer) -> list[str]:
    match answer.verdict:
        case Verdict.UNCLEAR:
            return [f"Your question can be taken in several ways; I am {_percent(answer.confidence)} sure of that."]
        case Verdict.INCOMPREHENSIBLE:
            return ["I found no question in it that I could look up."]
        case Verdict.OUT_OF_SCOPE:
            return [f"It does not seem to be about what is done with data; I am {_percent(answer.confidence)} sure."]
        case Verdict.NOT_IN_POLICIES:
            return [f"Policies do not usually tell such things; I am {_percent(answer.confidence)} sure of that."]
    closest = max(answer.more, key=lambda e: e.score, default=None)
    if closest is None:
        return ["The policy has no sentence to answer it with."]
    return [
        f"The sentence that comes closest is “{quote(closest)}”{_place(closest)}, "
        f"but I give it only {_percent(closest.score)} that people would quote it as an answer.",
        f"So I am {_percent(answer.confidence)} sure that the policy does not say.",
    ]


def _place(evidence: Evidence) -> str:
    section = evidence.sentence.section
    return f", under “{section}”" if section else ""


def _percent(chance: float) -> str:
    return "less than 1 %" if chance < 0.01 else f"{chance:.0%}".replace("%", " %")
