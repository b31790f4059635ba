"""What an answer and its figures are called, at every door that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from smallprint.records import Answer, Evidence, Stance, Verdict

VERDICTS: Final[Mapping[Verdict, str]] = {
    Verdict.SILENT: "It doesn't say",
    Verdict.NOT_IN_POLICIES: "Not in policies",
    Verdict.OUT_OF_SCOPE: "Not about privacy",
    Verdict.UNCLEAR: "Which do you mean?",
    Verdict.INCOMPREHENSIBLE: "Not understood",
}
STANCES: Final[Mapping[Stance, str]] = {
    Stance.YES: "Yes",
    Stance.NO: "No",
    Stance.CHOICE: "Your choice",
    Stance.MIXED: "Both",
    Stance.NA: "It says",
}


NAMED: Final[Mapping[Stance, str]] = {
    Stance.YES: "the yes",
    Stance.NO: "the no",
    Stance.CHOICE: "the choice",
    Stance.MIXED: "the “both”",
}


def word_for(answer: Answer) -> str:
    if not answer.verdict.is_answer:
        return VERDICTS[answer.verdict]
    return f"{answer.tone} {STANCES[answer.stance].lower()}".strip().capitalize()


def how_sure(answer: Answer) -> str:
    """Of an answer: that its first sentence is the right one, and that this is what it says to a yes-no question."""
    sentence = _sure(answer.confidence)
    if answer.stance_confidence is None:
        return sentence
    return f"the passage: {sentence}; {NAMED[answer.stance]}: {_sure(answer.stance_confidence)}"


def _sure(chance: float) -> str:
    return f"{sureness(chance)} ({percent(chance)})"


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")


def held_back(answer: Answer) -> str:
    """What there is beyond the evidence. It is the best of the rest, however good that is."""
    number = len(answer.more)
    if answer.evidence:
        return f"{number} more, the closest first" if number > 1 else "1 more"
    return f"The {number} sentences that come closest" if number > 1 else "The sentence that comes closest"


def led(shown: Iterable[Evidence]) -> list[tuple[Evidence, str]]:
    """Each sentence with the words that lead to it, where it is an item of a list or a row of a table; “…” where they
    led to the one before too."""
    found: list[tuple[Evidence, str]] = []
    before = ""
    for evidence in shown:
        lead_in = evidence.sentence.led_by
        found.append((evidence, "…" if lead_in and lead_in == before else lead_in))
        before = lead_in
    return found


def minutes(number: int) -> str:
    return "1 minute" if number == 1 else f"{number} minutes"


def sureness(confidence: float) -> str:
    """Confidence in words."""
    for least, word in ((0.85, "very sure"), (0.65, "quite sure"), (0.4, "not very sure"), (0.2, "unsure")):
        if confidence >= least:
            return word
    return "a guess"


def schooling(grade: float) -> str:
    """Who reads a text of that grade with ease."""
    for most, word in ((6, "easy"), (9, "plain"), (12, "high school"), (16, "college")):
        if grade <= most:
            return word
    return "graduate"
