from __future__ import annotations

import json
from pathlib import Path

import pytest

from smallprint.bench.data import DataDir
from smallprint.bench.documents import unseen_questions
from smallprint.models.catalogue import Catalogue, seen_key


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
