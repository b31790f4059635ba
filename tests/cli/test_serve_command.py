"""`smallprint serve` as a real process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def served(home: Path, *flags: str, **environment: str) -> Iterator[str]:
    """Its address."""
    screenless = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = subprocess.Popen(
        [sys.executable, "-m", "smallprint.cli", "serve", "--port", "0", *flags],
        stderr=subprocess.PIPE,
        text=True,
        env={**screenless, "SMALLPRINT_HOME": str(home), **environment},
    )
    assert process.stderr
    try:
        line = next(line for line in process.stderr if line.startswith("Smallprint is at "))
        yield line.removeprefix("Smallprint is at ").split(". ")[0]
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def opener(tmp_path: Path) -> Path:
    """The desktop's way to open an address, which writes down what it is given."""
    script = tmp_path / "xdg-open"
    script.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    script.chmod(0o755)
    return tmp_path


def test_it_says_where_it_is_and_answers_there(home: Path) -> None:
    with served(home) as address, urllib.request.urlopen(address) as page:
        assert page.status == 200


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
@pytest.mark.parametrize("screen", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_browser_is_opened_where_there_is_a_screen(home: Path, opener: Path, screen: str) -> None:
    path, opened = f"{opener}{os.pathsep}{os.environ['PATH']}", opener / "opened"
    with served(home, "--open", PATH=path, **{screen: ":0"}) as address:
        deadline = time.monotonic() + 30
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert opened.read_text() == f"{address}\n"
    opened.unlink()
    with served(home, "--open", PATH=path) as address, urllib.request.urlopen(address):
        pass
    assert not opened.exists()
