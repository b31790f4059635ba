"""Labels of our own: texts are found again by their keys, and what is measured on is left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from train.exclusions import Exclusions
from train.opp115 import CATEGORIES, LETTERS, value_codes
from train.paths import Paths

from train import labelled

LAMPS = "# Selling\n\nWe sell lamps and never sell your data.\n\n# Keeping\n\nWe keep orders for a year.\n"


def _write(folder: Path, name: str, *lines: str) -> None:
    (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    data, labels = tmp_path / "data", tmp_path / "labels"
    for folder in (data / "corpus", data / "asked", data / "privacyqa", labels):
        folder.mkdir(parents=True)
    for name, rows in {
        "corpus/policies": [{"id": "lamps", "text": LAMPS}],
        "corpus/websites": [],
        "asked/questions": [{"query_id": "q1", "question": "how long do you keep orders?"}],
        "privacyqa/question_categories": [{"question": "is it sold?"}],
    }.items():
        with gzip.open(data / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    sold, kept = (labelled.key(t) for t in ("We sell lamps and never sell your data.", "We keep orders for a year."))
    _write(
        labels,
        "stances",
        "policy\tsentences\tlabel\tquestion",
        f"lamps\t{sold}\tno\tu sell my data?",
        "lamps\tabc\tno\twhat?",
    )
    _write(
        labels,
        "asked",
        "policy\tquestion\tsentences\tlabel\tquoted\thelps",
        f"lamps\tq1\t{sold} {kept}\tna\t2\t-",
        f"lamps\tpq-{labelled.key('is it sold?')}\t{sold}\tno\t1\t-",
    )
    _write(
        labels,
        "pointed",
        "policy\tquestion\tsentences\tlabel\tquoted\thelps",
        f"lamps\tdo you sell my photos?\t{kept}\tsilent\t-\t1",
    )
    _write(
        labels,
        "whole",
        "policy\tquestion\tlabel\tquoted\thelps",
        f"lamps\tfor how long?\tmixed\t{kept}\t{sold}",
        "lamps\tdo you read my letters?\tsilent\t-\t-",
        "lamps\twhat?\tyes\tabc\t-",
    )
    _write(labels, "practices", "policy\tsegment\tcategories\tmaybe\tvalues", f"lamps\t{sold}\tT\tF\tT.says.does-not")
    monkeypatch.setattr(labelled, "LABELS", labels)
    return Paths(data, tmp_path / "cache")


def test_questions_come_with_the_sentences_of_their_policy(paths: Paths) -> None:
    written, asked, sold, pointed, again = labelled.questions(paths, Exclusions([]))
    assert (written.question, written.sentences[0].text) == (
        "u sell my data?",
        "We sell lamps and never sell your data.",
    )
    assert (asked.quoted, asked.helps) == ((1,), ())
    assert asked.sentences[1].heading == "Keeping"
    assert (sold.question, sold.label) == ("is it sold?", "no")
    assert (pointed.question, pointed.label, pointed.helps) == ("do you sell my photos?", "silent", (0,))
    assert again == pointed
    assert [one.graded for one in (written, asked, sold, pointed)] == [False, True, True, True]


def test_sentences_labelled_as_one_are_found_though_they_are_two_now(paths: Paths) -> None:
    text = "We sell lamps.We never sell your data.\n\nWe keep orders.\n"
    with gzip.open(paths.data / "corpus" / "policies.jsonl.gz", "wt") as file:
        file.write(json.dumps({"id": "lamps", "text": text}) + "\n")
    texts = labelled.Texts(paths)
    assert [one.text for one in texts.policy("lamps")] == [
        "We sell lamps.",
        "We never sell your data.",
        "We keep orders.",
    ]
    key = labelled.key("We sell lamps.We never sell your data.")
    assert [one.text for one in texts.sentences("lamps", [key])] == ["We sell lamps.We never sell your data."]


def test_questions_to_whole_policies_are_on_one_side_only(paths: Paths) -> None:
    texts = labelled.Texts(paths)
    sides = [labelled.whole(texts, held_out=side) for side in (False, True)]
    answered, silent = next(side for side in sides if side)
    assert sum(map(len, sides)) == 2, "what is not found again is left out"
    assert [shown.text[:7] for shown in answered.sentences] == ["We sell", "We keep"]
    assert (answered.label, answered.quoted, answered.helps) == ("mixed", (1,), (0,))
    assert (silent.label, silent.quoted, silent.helps) == ("silent", (), ())


def test_what_is_measured_on_is_left_out(paths: Paths) -> None:
    assert [one.question for one in labelled.questions(paths, Exclusions(["We keep orders for a year."]))] == [
        "u sell my data?",
        "is it sold?",
    ]
    assert labelled.practices(paths, Exclusions(["We sell lamps and never sell your data."])) == []


def test_practices_have_letters_and_values(paths: Paths) -> None:
    (one,) = labelled.practices(paths, Exclusions([]))
    assert (one.categories, one.maybe, one.values) == ("T", "F", ("T.says.does-not",))


def test_every_letter_is_a_category_and_values_have_one_code_each() -> None:
    labels = [
        ("Third Party Sharing/Collection", "Does/Does Not", "Does Not"),
        ("Third Party Sharing/Collection", "Third Party Entity", "Unnamed third party"),
        ("Other", "Other Type", "Other"),
    ]
    assert value_codes(labels) == {"T.says.does-not": 0}
    assert tuple(LETTERS.values()) == CATEGORIES
