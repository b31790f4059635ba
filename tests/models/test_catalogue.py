"""Weights are checked when they are loaded: what is damaged or missing says so."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from smallprint.errors import ModelError
from smallprint.models.catalogue import Catalogue, seen_key, shipped
from smallprint.models.judge import Judge

MOST_BYTES = 60_000_000


def _catalogue(folder: Path, content: bytes = b"weights") -> Path:
    entry = {
        "files": [{"name": "toy.bin", "sha256": hashlib.sha256(b"weights").hexdigest(), "size": 7}],
        "licence": "MIT",
        "base": "",
        "data": {},
        "settings": {"a": 1},
        "scores": {},
    }
    (folder / "catalogue.json").write_text(json.dumps({"models": {"toy": entry}}))
    (folder / "toy.bin").write_bytes(content)
    return folder


def test_sound_weights_are_read(tmp_path: Path) -> None:
    assert Catalogue(_catalogue(tmp_path)).read("toy", "toy.bin") == b"weights"


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"toy\.bin are damaged"):
        Catalogue(_catalogue(tmp_path, b"Weights")).read("toy", "toy.bin")


def test_missing_weights_are_named(tmp_path: Path) -> None:
    catalogue = Catalogue(_catalogue(tmp_path))
    (tmp_path / "toy.bin").unlink()
    with pytest.raises(ModelError, match=r"toy\.bin are missing"):
        catalogue.read("toy", "toy.bin")


def test_a_broken_catalogue_is_a_model_error(tmp_path: Path) -> None:
    (tmp_path / "catalogue.json").write_text("{")
    with pytest.raises(ModelError, match="catalogue"):
        Catalogue(tmp_path)


def test_an_unknown_model_is_a_model_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="known: toy"):
        Catalogue(_catalogue(tmp_path)).card("other")


def test_settings_change_the_fingerprint(tmp_path: Path) -> None:
    folder = _catalogue(tmp_path)
    before = Catalogue(folder).card("toy").fingerprint
    content = json.loads((folder / "catalogue.json").read_text())
    content["models"]["toy"]["settings"] = {"a": 2}
    (folder / "catalogue.json").write_text(json.dumps(content))
    assert Catalogue(folder).card("toy").fingerprint != before


def test_seen_keys_ignore_case_and_spacing() -> None:
    assert seen_key("Do you  sell my data?") == seen_key("do you sell my data")


def test_shipped_weights_are_whole_and_small_enough() -> None:
    catalogue = shipped()
    total = 0
    for card in catalogue.cards.values():
        for file in card.files:
            total += len(catalogue.read(card.name, file.name))
    assert total <= MOST_BYTES


@pytest.mark.parametrize("name", ["base.onnx", "pairs.onnx", "judge.onnx"])
def test_one_flipped_byte_in_the_judge_or_what_it_stands_on_is_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(shipped().folder, folder)
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(bytes(content))
    with pytest.raises(ModelError, match=f"{name} are damaged"):
        Judge.load(Catalogue(folder))
