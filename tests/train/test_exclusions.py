"""Nothing that is measured on may be learned from."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from train.data import HELD_OUT_FOLD, fold_of, rows
from train.exclusions import Exclusions

from train import exclusions

MEASURED = (
    "We may share the details of your account with carefully chosen partners, so that they can send you offers "
    "about lamps, chairs and other things for your home."
)


def test_a_measured_text_is_found_whatever_its_case_and_spacing() -> None:
    excluded = Exclusions([MEASURED])
    assert excluded.covers(MEASURED.upper().replace(" ", "  ").replace(",", " ,"))


def test_a_sentence_cut_out_of_a_measured_text_is_found() -> None:
    excluded = Exclusions([MEASURED])
    assert excluded.covers("share the details of your account with carefully chosen partners , so that they")


def test_a_text_that_shares_only_a_phrase_stays() -> None:
    excluded = Exclusions([MEASURED])
    kept = (
        "When you call us we keep the details of your account with carefully recorded dates, and nobody outside "
        "our own support team is ever given a copy of what was said."
    )
    assert not excluded.covers(kept)


def test_short_texts_are_compared_whole() -> None:
    excluded = Exclusions(["Contact us."])
    assert excluded.covers("contact us")
    assert not excluded.covers("Contact us today")


def test_folds_depend_on_the_name_alone() -> None:
    assert fold_of("shop.example") == fold_of("shop.example")
    assert {fold_of(f"site{n}.example") for n in range(60)} == set(range(5))


def _write(folder: Path, name: str, content: list[dict[str, Any]]) -> None:
    path = folder / f"{name}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in content)


@pytest.fixture
def small_data(tmp_path: Path) -> Path:
    _write(
        tmp_path,
        "opp115/segments",
        [{"text": "Test segment about lamps.", "split": "test"}, {"text": "Train segment.", "split": "train"}],
    )
    _write(tmp_path, "policyqa/dev", [{"context": "A dev context about chairs."}])
    _write(tmp_path, "privacyqa/docs", [{"sentences": ["We knit scarves."]}])
    _write(tmp_path, "privacyqa/questions", [{"question": "Do you knit?"}])
    _write(
        tmp_path,
        "vagueness/sentences",
        [{"text": "It may perhaps.", "split": "test"}, {"text": "It does.", "split": "train"}],
    )
    return tmp_path


def test_the_judge_never_meets_what_it_is_scored_on(small_data: Path) -> None:
    excluded = exclusions.for_judge(small_data)
    for text in ("Test segment about lamps.", "A dev context about chairs.", "We knit scarves.", "do you knit"):
        assert excluded.covers(text)
    assert not excluded.covers("Train segment.")


def test_the_reader_never_meets_what_it_is_scored_on(small_data: Path) -> None:
    excluded = exclusions.for_reader(small_data)
    for text in ("Test segment about lamps.", "It may perhaps.", "do you knit"):
        assert excluded.covers(text)
    assert not excluded.covers("It does.")


@pytest.mark.skipif("SMALLPRINT_DATA" not in os.environ, reason="SMALLPRINT_DATA names no data folder")
def test_real_overlaps_are_closed() -> None:
    """Test segments turn up among PolicyQA's training contexts; none of them may be left."""
    data = Path(os.environ["SMALLPRINT_DATA"])
    excluded = exclusions.for_judge(data)
    tested = {row["text"] for row in rows(data, "opp115/segments") if row["split"] == "test"}
    contexts = {row["context"] for row in rows(data, "policyqa/train")}
    kept = {text for text in contexts if not excluded.covers(text)}
    assert tested & contexts
    assert not tested & kept
    assert len(kept) > len(contexts) / 2


def test_the_held_out_fifth_is_one_fold() -> None:
    names = [f"policy-{n}" for n in range(200)]
    held = [name for name in names if exclusions.is_held_out(name)]
    assert held == [name for name in names if fold_of(name) == HELD_OUT_FOLD]
    assert 20 < len(held) < 60
