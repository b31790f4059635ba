from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smallprint.bench.data import DataDir
from smallprint.bench.documents import reading_of, unseen_questions
from smallprint.models.catalogue import Catalogue, seen_key
from smallprint.records import BlockKind


@pytest.mark.parametrize("row", [{}, {"kinds": None, "headings": None}, {"kinds": [], "headings": []}])
def test_a_document_may_lack_kinds_and_headings(row: dict[str, Any]) -> None:
    (sentence,) = reading_of({"doc_id": "a", "sentences": ["We sell lamps."], **row}).sentences
    assert (sentence.kind, sentence.headings) == (BlockKind.PARAGRAPH, ())


def test_an_unknown_kind_is_a_paragraph_and_a_path_may_be_missing() -> None:
    row = {"doc_id": "a", "sentences": ["Lamps", "Ours."], "kinds": ["heading", "td"], "headings": [None, "Lamps"]}
    kinds = [sentence.kind for sentence in reading_of(row).sentences]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_questions_that_weights_learned_from_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Catalogue, "_seen", lambda _, model: frozenset({seen_key(f"Known to the {model}?")}))
    asked = ["Known to the reader?", "known to the judge", "Known to nobody?", "And of another kind?"]
    rows = [{"doc_id": "a", "question": text, "kind": "answerable"} for text in asked]
    rows[-1]["kind"] = "silent"
    folder = tmp_path / "asked"
    folder.mkdir()
    (folder / "docs.jsonl").write_text(json.dumps({"doc_id": "a", "sentences": ["We sell lamps."]}))
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = list(unseen_questions(DataDir(tmp_path), ("answerable",)))
    assert [row["question"] for _, row in found] == ["Known to nobody?"]
    assert [s.text for s in found[0][0].reading.sentences] == ["We sell lamps."]
