"""What a text says to a question, as the marker tells it of one sentence and the arbiter of several."""

from __future__ import annotations

from dataclasses import dataclass

from smallprint.models.session import Floats, softmax

STANCES = ("yes", "no", "choice", "mixed", "na")
SILENT = "silent"
SAID = (*STANCES, SILENT)


@dataclass(frozen=True, slots=True)
class Said:
    """`silent` is the chance that the text says nothing to the question, `stance` gives each of yes, no, choice, mixed,
    na its chance if it does."""

    silent: float
    stance: dict[str, float]


def said_of(logits: Floats, temperature: float) -> Said:
    """From a model's six logits, in the order of `SAID`."""
    *stances, silent = (float(chance) for chance in softmax(logits / temperature))
    return Said(silent, {name: chance / sum(stances) for name, chance in zip(STANCES, stances, strict=True)})
