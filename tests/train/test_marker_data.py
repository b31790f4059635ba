"""Examples the marker learns from: spans inside passages, and quoted sentences together with a stance."""

from __future__ import annotations

import random

from train.judge_data import Asked, Context, policy_of
from train.labelled import Labelled, Shown
from train.marker_data import Example, asked_briefly, asked_said, asked_spans, labelled_stances, policyqa_spans

from smallprint.models.passage import together
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


def shown(example: Example) -> str:
    return together(example.passages).text


def test_the_span_is_marked_inside_the_passage() -> None:
    for seed in range(5):
        example = next(asked_spans(ASKED, random.Random(seed)))
        assert [shown(example)[slice(*span)] for span in example.spans] == ["set cookies"]


def said(seed: int, most: int = 6) -> dict[str, tuple[str, str]]:
    """For each query what the example says and shows."""
    examples = list(asked_said(ASKED, random.Random(seed), most))
    return {SAID[e.said]: (e.question, shown(e)) for e in examples}


def test_only_answered_questions_have_spans() -> None:
    assert [e.question for e in asked_spans(ASKED, random.Random(1))] == ["do you set cookies?"]


def test_quoted_sentences_are_shown_among_what_else_is_found() -> None:
    found = [said(seed) for seed in range(60)]
    assert {frozenset(one) for one in found} == {frozenset(("choice", "silent"))}
    texts = {one["choice"][1] for one in found}
    assert all("We set cookies." in text or "You can refuse them." in text for text in texts)
    assert "We set cookies. You can refuse them." in texts
    assert any("greet you;" in text and "Write to us." in text for text in texts)
    assert any(text.startswith("Cookies: We set cookies. You can refuse") for text in texts), "their heading once"


def test_a_silent_question_is_shown_what_looks_like_an_answer() -> None:
    texts = {said(seed)["silent"][1].removeprefix("Cookies: ") for seed in range(20)}
    assert texts == {"We set cookies. Write to us."}


def test_no_more_is_shown_than_is_asked_for() -> None:
    texts = [text for seed in range(40) for _, text in said(seed, most=1).values()]
    assert all(sum(sentence in text for sentence in SENTENCES[1:]) == 1 for text in texts)


def test_briefly_nothing_but_the_answer_is_shown() -> None:
    texts = {SAID[e.said]: set[str]() for e in asked_briefly(ASKED, random.Random(0))}
    for seed in range(40):
        for example in asked_briefly(ASKED, random.Random(seed)):
            texts[SAID[example.said]].add(shown(example).removeprefix("Cookies: "))
            assert example.grades == (), "they are what was quoted, not what was found"
    assert texts == {
        "choice": {"We set cookies. You can refuse them."},
        "silent": {"We set cookies.", "Write to us.", "We set cookies. Write to us."},
    }


def test_an_open_question_is_not_shown_briefly() -> None:
    open_question = Asked(ASKED.policies, [QUESTION | {"stance": "na"}], ASKED.hard)
    assert not list(asked_briefly(open_question, random.Random(0)))


def test_labelled_sentences_stand_in_the_policys_order_all_of_them_or_those_that_answer() -> None:
    told = tuple(Shown(9 - n, f"Sentence {n}.", "", "") for n in range(3))
    one = Labelled("lamps.example", "do you?", told, "mixed", quoted=(1, 2), helps=(0,), graded=True)
    examples = [next(labelled_stances([one], random.Random(seed))) for seed in range(40)]
    assert {(shown(e), e.grades) for e in examples} == {
        ("Sentence 2. Sentence 1. Sentence 0.", (2, 2, 1)),
        ("Sentence 2. Sentence 1.", (2, 2)),
    }


def test_sentences_that_nobody_looked_at_one_by_one_have_no_grades() -> None:
    one = Labelled("lamps.example", "do you?", (Shown(0, "We do.", "", ""),), "yes", (0,), (), graded=False)
    assert next(labelled_stances([one], random.Random(0))).grades == ()


def test_each_sentence_shown_keeps_its_grade() -> None:
    grades = {"We set cookies.": 2, "You can refuse them.": 2, "greet you;": 1, "Write to us.": 0, "We use them to:": 0}
    for seed in range(40):
        for example in asked_said(ASKED, random.Random(seed), 6):
            silent = SAID[example.said] == "silent"
            expected = [0 if silent else grades[p.sentence] for p in example.passages]
            assert list(example.grades) == expected


def test_any_annotators_span_of_a_segment_is_right() -> None:
    answers = [{"text": "a lamp", "start": 8}, {"text": "lamp today", "start": 10}]
    row = {"triple": ["a", "b", "c"], "question": "what?", "answers": answers}
    context = Context("We sell a lamp today.", "lamps.example", [row], [(0, 21)])
    example = next(policyqa_spans([context], {("a", "b", "c"): ["which thing?"]}, random.Random(0)))
    assert example.question == "which thing?"
    assert [shown(example)[slice(*span)] for span in example.spans] == ["a lamp", "lamp today"]
