"""A few plain sentences and plain questions, open ones too: what stands there in so many words is found."""

from __future__ import annotations

import pytest

from smallprint.asking import OpenPolicy
from smallprint.ingest.source import read_bytes
from smallprint.records import Stance, Verdict
from smallprint.segment import segment

KEPT, USED = "We keep your photos for two years.", "We collect your email address to answer you."
UNSOLD, DELETED = "We do not sell your personal information.", "Write to us to have your account deleted."


@pytest.fixture(scope="module")
def policy() -> OpenPolicy:
    text = " ".join(["Privacy policy of Lamps Ltd.", KEPT, USED, UNSOLD, DELETED])
    read = read_bytes(text.encode(), "-", content_type="text/plain", charset="utf-8", force=True)
    return OpenPolicy(segment(read.policy))


@pytest.mark.parametrize(
    ("question", "sentence", "stance"),
    [
        ("How long do you keep photos?", KEPT, Stance.NA),
        ("What do you need my email address for?", USED, Stance.NA),
        ("how do i delete my account?", DELETED, Stance.NA),
        ("do you collect my email address?", USED, Stance.YES),
        ("do you sell my data?", UNSOLD, Stance.NO),
    ],
)
def test_a_plain_sentence_answers(policy: OpenPolicy, question: str, sentence: str, stance: Stance) -> None:
    answer = policy.ask(question)
    assert answer.verdict is Verdict.ANSWERED
    assert answer.evidence[0].sentence.text == sentence
    assert answer.stance is stance


def test_what_is_not_there_is_not_answered(policy: OpenPolicy) -> None:
    assert policy.ask("do you read my messages?").verdict is Verdict.SILENT


def test_an_answer_says_that_the_end_of_a_long_question_was_not_read(policy: OpenPolicy) -> None:
    asked = "How long do you keep photos?"
    answer = policy.ask(asked + " Please" * 200)
    assert any("first 1,000 characters" in step for step in answer.next)
    assert answer.trace[0].stage == "clean"
    assert not policy.ask(asked).next
