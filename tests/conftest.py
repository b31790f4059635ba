from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest

from smallprint.settings import Settings

# Tests assert behaviour, never time: a busy machine must not fail them.
hypothesis.settings.register_profile("smallprint", deadline=None)
hypothesis.settings.load_profile("smallprint")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home, for this process and those it starts."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SMALLPRINT_HOME", str(folder))
    return folder


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home)
