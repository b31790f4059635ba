"""Groups the judge learns from: graded sentences and others of the same policy."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from train.data import Row
from train.exclusions import Exclusions
from train.judge_data import (
    Asked,
    Context,
    as_asked,
    asked_group,
    labelled_groups,
    not_asked_in,
    policy_of,
    policyqa_groups,
    read_asked,
    without,
)
from train.labelled import Labelled, Shown

SENTENCES = ["Cookies", "We set cookies.", "We sell nothing.", "We use them to:", "greet you;", "Write to us."]
KINDS = ["heading", "p", "p", "p", "li", "p"]
POLICY = policy_of({"doc_id": "lamps.example", "sentences": SENTENCES, "headings": ["Cookies"] * 6, "kinds": KINDS})
QUESTION = {
    "query_id": "1",
    "doc_id": "lamps.example",
    "question": "do you set cookies?",
    "kind": "answerable",
    "relevant": [[1, 2], [4, 1]],
    "span": "set cookies",
    "stance": "yes",
}


def _asked() -> Asked:
    return Asked({POLICY.doc_id: POLICY}, [QUESTION], {"1": [2, 3]})


def test_a_group_has_graded_sentences_and_others_of_the_policy() -> None:
    group = asked_group(_asked(), QUESTION, random.Random(1))
    targets = {e.passage.sentence: e.target for e in group.examples}
    assert targets["We set cookies."] == 1.0
    assert targets["greet you;"] == 0.4
    assert set(targets) <= set(SENTENCES[1:])
    assert sum(t == 0.0 for t in targets.values()) == 3


def test_headings_are_never_offered() -> None:
    group = asked_group(_asked(), QUESTION, random.Random(2))
    assert "Cookies" not in {e.passage.sentence for e in group.examples}


def test_policies_that_are_measured_elsewhere_are_left_out() -> None:
    kept = without(_asked(), Exclusions(SENTENCES[1:4]))
    assert not kept.policies
    assert not kept.questions


def test_sentences_about_other_practices_are_no_answers() -> None:
    row = {"triple": ["a", "b", "c"], "question": "what?", "answers": [{"text": "a lamp", "start": 8}]}
    other = {"triple": ["d", "e", "f"], "question": "who?", "answers": [{"text": "We", "start": 0}]}
    contexts = [
        Context("We sell a lamp today. It is red.", "lamps.example", [row], [(0, 21), (22, 32)]),
        Context("We ask you first.", "lamps.example", [other], [(0, 17)]),
        Context("We ask nobody.", "chairs.example", [other], [(0, 14)]),
    ]
    groups = [g for g in policyqa_groups(contexts, {}, random.Random(0)) if g.question == "what?"]
    targets = {e.passage.text: e.target for e in groups[0].examples}
    assert targets == {"We sell a lamp today.": 1.0, "We ask you first.": 0.0}


def test_found_sentences_keep_their_grades_and_written_passages_are_left_out() -> None:
    shown = tuple(Shown(n, f"Sentence {n}.", "", "") for n in range(4))
    graded = Labelled("lamps.example", "do you?", shown, "yes", quoted=(2,), helps=(0,), graded=True)
    written = Labelled("lamps.example", "don't you?", shown[:1], "no", quoted=(0,), helps=(), graded=False)
    groups = labelled_groups([graded, written], random.Random(0))
    for group in (next(groups), next(groups)):
        assert group.question == "do you?"
        assert [example.target for example in group.examples] == [0.4, 0.0, 1.0, 0.0]


def test_our_own_questions_take_the_form_of_the_others() -> None:
    shown = tuple(Shown(n, f"Sentence {n}.", "", "") for n in range(3))
    answered = Labelled("lamps.example", "do you?", shown, "mixed", quoted=(2,), helps=(0,), graded=True)
    silent = Labelled("lamps.example", "don't you?", shown, "silent", quoted=(), helps=(1,), graded=True)
    asked = as_asked([answered, silent])
    assert [(q["kind"], q["stance"]) for q in asked.questions] == [("answerable", "mixed"), ("silent", "na")]
    group = asked_group(asked, asked.questions[0], random.Random(0))
    assert {e.passage.text: e.target for e in group.examples} == {
        "Sentence 0.": 0.4,
        "Sentence 1.": 0.0,
        "Sentence 2.": 1.0,
    }


def test_each_policy_is_held_out_in_one_fold_with_all_its_questions(tmp_path: Path) -> None:
    names = [f"lamps-{n}.example" for n in range(40)]
    document = {"sentences": SENTENCES, "headings": ["Cookies"] * 6, "kinds": KINDS}
    stored: dict[str, list[Row]] = {
        "docs": [{"doc_id": name, **document} for name in names],
        "questions": [QUESTION | {"doc_id": name, "query_id": name} for name in names],
    }
    (tmp_path / "asked").mkdir()
    for name, rows in stored.items():
        with gzip.open(tmp_path / "asked" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
    held = [read_asked(tmp_path, held_out=True, fold=fold) for fold in range(5)]
    assert sorted(name for fold in held for name in fold.policies) == sorted(names)
    for fold, measured in enumerate(held):
        learned = read_asked(tmp_path, held_out=False, fold=fold)
        assert not learned.policies.keys() & measured.policies.keys()
        assert {q["doc_id"] for q in measured.questions} == measured.policies.keys()
        assert len(learned.questions) + len(measured.questions) == len(names)


def test_a_question_that_is_measured_on_is_learned_from_in_no_policy() -> None:
    shown = (Shown(0, "We set cookies.", "", ""),)
    same, other = (
        Labelled("chairs.example", text, shown, "yes", quoted=(0,), helps=(), graded=True)
        for text in ("do you set cookies?", "do you sell chairs?")
    )
    assert not_asked_in(_asked(), [same, other]) == [other]
