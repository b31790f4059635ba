"""A Chromium to test with: the system's, else Playwright's own, else Debian's package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class NoBrowser(Exception):
    """Says what was tried."""


def find(playwright: Playwright) -> str:
    """The path of a Chromium that runs here; one is installed where that can be."""
    if named := _installed():
        return named
    own = playwright.chromium.executable_path
    if not Path(own).exists():
        _run(sys.executable, "-m", "playwright", "install", "chromium")
    if _runs(own):
        return own
    if _root() and shutil.which("apt-get"):
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium")
        if named := _installed():
            return named
    raise NoBrowser("no Chromium: none installed, Playwright could not fetch its own, and apt-get could not either")


def _installed() -> str | None:
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path and _runs(path)), None)


def _runs(path: str) -> bool:
    return _run(path, "--version")


def _run(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=600, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
