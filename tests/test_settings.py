from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from smallprint.errors import SettingsError
from smallprint.settings import Settings, load

DOCS = Path(__file__).parents[1] / "docs"


def test_flags_beat_environment_beats_file_beats_defaults(tmp_path: Path) -> None:
    env = {"SMALLPRINT_HOME": str(tmp_path)}
    assert load(env).max_redirects == 5
    (tmp_path / "settings.toml").write_text("max_redirects = 4\ntimeout_seconds = 2.5\n")
    assert (load(env).max_redirects, load(env).timeout_seconds) == (4, 2.5)
    env["SMALLPRINT_MAX_REDIRECTS"] = "3"
    assert load(env).max_redirects == 3
    assert load(env, max_redirects=2).max_redirects == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("max_redirects = -1", "not negative"),
        ("requests_per_minute = 0", "above zero"),
        ("requests_per_minute = -1", "above zero"),
        ("allow_private_addresses = 'maybe'", "true or false"),
        ("colour = 'red'", "no setting 'colour'"),
        ("home = '/'", "no setting 'home'"),
        ("max_bytes =", "can't be read"),
    ],
)
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "settings.toml").write_text(content)
    with pytest.raises(SettingsError, match=message):
        load({"SMALLPRINT_HOME": str(tmp_path)})


def test_every_setting_is_written_down_with_its_default(tmp_path: Path) -> None:
    told = re.findall(r"^\| `(\w+)` \| `(.+?)` \|", (DOCS / "settings.md").read_text("utf-8"), re.MULTILINE)
    written = tomllib.loads("\n".join(f"{name} = {default}" for name, default in told))
    defaults = Settings(home=tmp_path)
    assert written == {one.name: getattr(defaults, one.name) for one in fields(Settings) if one.name != "home"}


def test_yes_and_no_in_the_environment(tmp_path: Path) -> None:
    env = {"SMALLPRINT_HOME": str(tmp_path), "SMALLPRINT_ALLOW_PRIVATE_ADDRESSES": "yes"}
    assert load(env).allow_private_addresses is True
