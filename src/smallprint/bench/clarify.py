"""`bench clarify`: who is asked back? Of those who ask unclearly all should be, of the others hardly any.

Questions of `asked` that no weights learned from, and those of the samples. The rivals ask back on one sign alone: the
verdict that a question is unclear, or a low `certainty` of what it is about, as in 003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from smallprint.asking import OpenPolicy
from smallprint.bench.data import DataDir
from smallprint.bench.documents import unseen_questions
from smallprint.bench.report import Report
from smallprint.bench.samples import sample_questions, sample_readings
from smallprint.dialogue import clarify
from smallprint.dialogue.conversation import LOOKED_AT
from smallprint.errors import DataMissing
from smallprint.records import Verdict

SHOWN = {"unclear": "unclear_asked", "answerable": "answerable_bothered", "silent": "silent_bothered"}


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a known kind and which systems would ask back."""

    kind: str
    asks: dict[str, bool]


def run(data: DataDir, system: str | None = None) -> Report:
    if system not in (None, *SYSTEMS):
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(SYSTEMS)}).")
    asked = [_case(policy, row["question"], row["kind"]) for policy, row in unseen_questions(data, SHOWN)]
    samples = list(_samples())
    systems = {
        name: {**_shares(asked, name), **{f"{k}_samples": v for k, v in _shares(samples, name).items()}}
        for name in SYSTEMS
        if system in (None, name)
    }
    return Report("clarify", data.used, len(asked) + len(samples), systems)


SYSTEMS = ("verdict", "certainty", "smallprint")


def _case(policy: OpenPolicy, question: str, kind: str) -> Case:
    answer = policy.ask(question)
    asks = clarify.may_ask_back(answer)
    if asks:
        best = [e.sentence for e in (*answer.evidence, *answer.more)[:LOOKED_AT]]
        asks = bool(clarify.choices(answer, "", policy.categories_of(best)))
    return Case(
        kind,
        {
            "verdict": answer.verdict is Verdict.UNCLEAR,
            "certainty": answer.question.certainty < clarify.LOW_CERTAINTY,
            "smallprint": asks,
        },
    )


def _shares(cases: Iterable[Case], system: str) -> dict[str, float]:
    shares = {}
    for kind, measure in SHOWN.items():
        asks = [case.asks[system] for case in cases if case.kind == kind]
        shares[measure] = sum(asks) / max(1, len(asks))
    return shares


def _samples() -> Iterator[Case]:
    policies = {name: OpenPolicy(reading) for name, reading in sample_readings().items()}
    for row in sample_questions():
        if row["kind"] in SHOWN:
            yield _case(policies[row["sample"]], row["question"], row["kind"])
