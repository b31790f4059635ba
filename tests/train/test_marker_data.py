"""Examples the marker learns from: spans inside passages, and quoted sentences together with a stance."""

from __future__ import annotations

import random

from train.judge_data import Asked, Context, policy_of
from train.labelled import Labelled, Shown
from train.marker_data import asked_silences, asked_spans, asked_stances, labelled_stances, policyqa_spans

from smallprint.models.marker import SAID

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


def test_only_answered_questions_have_spans_and_stances() -> None:
    draw = random.Random(1)
    assert [e.question for e in (*asked_spans(ASKED, draw), *asked_stances(ASKED, draw))] == ["do you set cookies?"] * 2


def test_quoted_sentences_are_shown_among_what_else_is_found() -> None:
    shown = [next(asked_stances(ASKED, random.Random(seed))) for seed in range(60)]
    assert {e.said for e in shown} == {SAID.index("choice")}
    texts = {e.passage.text for e in shown}
    assert all("We set cookies." in text or "You can refuse them." in text for text in texts)
    assert "We set cookies. You can refuse them." in texts
    assert any("greet you;" in text and "Write to us." in text for text in texts)
    assert any(text.startswith("Cookies: We set cookies. You can refuse") for text in texts), "their heading once"


def test_a_silent_question_is_shown_what_looks_like_an_answer() -> None:
    shown = [next(asked_silences(ASKED, random.Random(seed))) for seed in range(20)]
    assert {e.passage.text.removeprefix("Cookies: ") for e in shown} == {"We set cookies. Write to us."}
    assert {SAID[e.said] for e in shown} == {"silent"}


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
