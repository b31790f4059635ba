"""Examples the marker learns from: spans inside passages, and quoted sentences together with a stance."""

from __future__ import annotations

import random

from train.judge_data import Asked, Context, policy_of
from train.labelled import Labelled, Shown
from train.marker_data import asked_said, asked_spans, labelled_stances, policyqa_spans

from smallprint.models.said import SAID

SENTENCES = ["Cookies", "We set cookies.", "You can refuse them.", "We use them to:", "greet you;", "Write to us."]
KINDS = ["heading", "p", "p", "p", "li", "p"]
POLICY = policy_of({"doc_id": "lamps.example", "sentences": SENTENCES, "headings": ["Cookies"] * 6, "kinds": KINDS})
QUESTION = {
    "query_id": "1",
    "doc_id": "lamps.example",
    "question": "do you set cookies?",
    "kind": "answerable",
    "relevant": [[1, 2], [2, 2], [4, 1]],
    "span": "set cookies",
    "stance": "choice",
}
SILENT = QUESTION | {"query_id": "2", "kind": "silent", "relevant": [], "span": "", "stance": "na"}
ASKED = Asked({POLICY.doc_id: POLICY}, [QUESTION, SILENT], {"1": [5, 1, 3], "2": [5, 1]})


def test_the_span_is_marked_inside_the_passage() -> None:
    for seed in range(5):
        example = next(asked_spans(ASKED, random.Random(seed)))
        assert [example.passage.text[slice(*span)] for span in example.spans] == ["set cookies"]


def said(seed: int, most: int = 6) -> dict[str, tuple[str, str]]:
    """For each query what the example says and shows."""
    examples = list(asked_said(ASKED, random.Random(seed), most))
    return {SAID[e.said]: (e.question, e.passage.text) for e in examples}


def test_only_answered_questions_have_spans() -> None:
    assert [e.question for e in asked_spans(ASKED, random.Random(1))] == ["do you set cookies?"]


def test_quoted_sentences_are_shown_among_what_else_is_found() -> None:
    shown = [said(seed) for seed in range(60)]
    assert {frozenset(one) for one in shown} == {frozenset(("choice", "silent"))}
    texts = {one["choice"][1] for one in shown}
    assert all("We set cookies." in text or "You can refuse them." in text for text in texts)
    assert "We set cookies. You can refuse them." in texts
    assert any("greet you;" in text and "Write to us." in text for text in texts)
    assert any(text.startswith("Cookies: We set cookies. You can refuse") for text in texts), "their heading once"


def test_a_silent_question_is_shown_what_looks_like_an_answer() -> None:
    shown = {said(seed)["silent"][1].removeprefix("Cookies: ") for seed in range(20)}
    assert shown == {"We set cookies. Write to us."}


def test_no_more_is_shown_than_is_asked_for() -> None:
    texts = [text for seed in range(40) for _, text in said(seed, most=1).values()]
    assert all(sum(sentence in text for sentence in SENTENCES[1:]) == 1 for text in texts)


def test_labelled_sentences_stand_in_the_policys_order_all_of_them_or_those_that_answer() -> None:
    shown = tuple(Shown(9 - n, f"Sentence {n}.", "", "") for n in range(3))
    one = Labelled("lamps.example", "do you?", shown, "mixed", quoted=(1, 2), helps=(), graded=True)
    texts = {next(labelled_stances([one], random.Random(seed))).passage.text for seed in range(40)}
    assert texts == {"Sentence 2. Sentence 1. Sentence 0.", "Sentence 2. Sentence 1."}


def test_any_annotators_span_of_a_segment_is_right() -> None:
    answers = [{"text": "a lamp", "start": 8}, {"text": "lamp today", "start": 10}]
    row = {"triple": ["a", "b", "c"], "question": "what?", "answers": answers}
    context = Context("We sell a lamp today.", "lamps.example", [row], [(0, 21)])
    example = next(policyqa_spans([context], {("a", "b", "c"): ["which thing?"]}, random.Random(0)))
    assert example.question == "which thing?"
    assert [example.passage.text[slice(*span)] for span in example.spans] == ["a lamp", "lamp today"]
