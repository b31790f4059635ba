"""`bench spelling`: what a slip of the finger costs, and what repairing it brings back.

Every question of `asked` that has an answer and that no weights learned from, and every question of `privacyqa` with a
relevant sentence, is asked as it is and with one slip in one of its words; each with and without repair. The rival
repairs with the same list of words through symspellpy, at two slips at most.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from smallprint.asking import Clock, OpenPolicy, encoders
from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of, unseen_questions
from smallprint.bench.measures import ranking_scores
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.question.clean import clean
from smallprint.question.spelling import repaired
from smallprint.question.understand import read_as
from smallprint.question.words import counts, is_known

SHOWN = ("F@5", "MRR")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONG = re.compile(r"\b[a-z]{4,}\b")

Repairing = Callable[[str, frozenset[str]], str]


def run(data: DataDir, system: str | None = None) -> Report:
    asked = list(_asked(data))
    privacyqa = list(_privacyqa(data))
    chosen = {name: row for name, row in ROWS.items() if system in (None, name)}
    if not chosen:
        raise DataMissing(f"There is no system {system!r} here (known: {', '.join(ROWS)}).")
    systems: dict[str, dict[str, float]] = {name: {} for name in chosen}
    for label, cases in (("asked", asked), ("privacyqa", privacyqa)):
        for name, (slips, repair) in chosen.items():
            scores = ranking_scores([(_ranking(case, slips, repair), case.relevant) for case in cases])
            systems[name] |= {f"{measure}_{label}": scores[measure] for measure in SHOWN}
    for name, (slips, repair) in chosen.items():
        systems[name]["read_as_meant"] = _share_as_meant([*asked, *privacyqa], slips, repair)
    return Report("spelling", data.used, len(asked) + len(privacyqa), systems)


class Case:
    """A question of a policy with the sentences that count as right."""

    def __init__(self, policy: OpenPolicy, question: str, relevant: set[int], unknown: set[int]) -> None:
        self.policy = policy
        self.text = clean(question)
        self.slip = misspelt(self.text)
        self.relevant = relevant
        self.unknown = unknown


def misspelt(text: str) -> str:
    """With one slip in one word of four letters or more: two letters swapped, or one left out, doubled or wrong."""
    dice = random.Random(text)
    words = [match for match in _LONG.finditer(text) if is_known(match[0])]
    if not words:
        return text
    word = dice.choice(words)
    at = dice.randrange(1, len(word[0]))
    before, letter, after = word[0][:at], word[0][at], word[0][at + 1 :]
    slip = dice.choice(
        (
            before[:-1] + letter + before[-1] + after,
            before + after,
            before + letter + letter + after,
            before + dice.choice(_LETTERS) + after,
        )
    )
    return text[: word.start()] + slip + text[word.end() :]


def _as_typed(text: str, own: frozenset[str]) -> str:
    del own
    return text


def _repaired(text: str, own: frozenset[str]) -> str:
    return repaired(text, own)[0]


def _symspell(text: str, own: frozenset[str]) -> str:
    from symspellpy import Verbosity

    def read(word: str) -> str:
        if word in own or is_known(word):
            return word
        found = _symspell_index().lookup(word, Verbosity.TOP, max_edit_distance=2)
        return str(found[0].term) if found else word

    return re.sub(r"\b[a-z]{3,}\b", lambda match: read(match[0]), text)


@cache
def _symspell_index() -> Any:
    from symspellpy import SymSpell

    index = SymSpell(max_dictionary_edit_distance=2)
    for word, count in counts().items():
        index.create_dictionary_entry(word, count)
    return index


ROWS: dict[str, tuple[bool, Repairing]] = {
    "clean": (False, _as_typed),
    "smallprint": (False, _repaired),
    "misspelt": (True, _as_typed),
    "misspelt+symspell": (True, _symspell),
    "misspelt+smallprint": (True, _repaired),
}


def _ranking(case: Case, slips: bool, repair: Repairing) -> list[int]:
    read = repair(case.slip if slips else case.text, case.policy.words)
    return [number for number in _ranked(case.policy, read) if number not in case.unknown]


@cache
def _ranked(policy: OpenPolicy, text: str) -> tuple[int, ...]:
    """Rows often read a question alike; then it is asked once."""
    understood = read_as(text, text, encoders().reader)
    return tuple(sentence.id for sentence in policy.rank_question(understood, Clock()).sentences)


def _share_as_meant(cases: list[Case], slips: bool, repair: Repairing) -> float:
    """The share of the questions that are read exactly as they were meant."""
    meant = [repair(case.slip if slips else case.text, case.policy.words) == case.text for case in cases]
    return sum(meant) / max(1, len(meant))


def _asked(data: DataDir) -> Iterator[Case]:
    for policy, row in unseen_questions(data, ("answerable",)):
        yield Case(policy, row["question"], {number for number, _ in row["relevant"]}, set())


def _privacyqa(data: DataDir) -> Iterator[Case]:
    policies = {row["doc_id"]: OpenPolicy(reading_of(row)) for row in data.rows("privacyqa/docs.jsonl")}
    for row in data.rows("privacyqa/questions.jsonl"):
        if row["any_relevant"]:
            yield Case(policies[row["doc_id"]], row["question"], set(row["any_relevant"]), set(row["unknown"]))
