"""A built wheel works where nothing else is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_its_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "taxonomy.json",
        "samples/questions.jsonl",
        "retrieve/stopwords.txt",
        "question/names.txt",
        "bench/floors.toml",
        "py.typed",
    ):
        assert f"smallprint/{needed}" in names
    assert not [name for name in names if name.startswith(("tests/", "train/"))]


def test_it_answers_in_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    installed = subprocess.run(install, capture_output=True, text=True)
    if installed.returncode and "No matching distribution" in installed.stderr:
        pytest.skip("no package registry can be reached from here")
    assert installed.returncode == 0, installed.stderr
    sample = ROOT / "src/smallprint/samples/plazaly.html"
    asked = subprocess.run(
        [str(tmp_path / "env/bin/smallprint"), "ask", str(sample), "do you sell my profile information?"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "SMALLPRINT_HOME": str(tmp_path / "home")},
    )
    assert asked.returncode == 0, asked.stderr
    assert "We may sell profile information" in asked.stdout
