"""SMALLPRINT_INDEX and what belongs to it; no cluster is needed to say that it is wrong."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from smallprint.errors import SettingsError
from smallprint.index.opensearch.address import address
from smallprint.settings import Settings, load

SECRET = "s3cret"


def test_all_parts(settings: Settings, tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.touch()
    place = f"opensearch+https://me:p%40ss@one:9201,two,[::1]:9203/policies-2026?shards=3&timeout=2.5&ca={ca}"
    made = address(replace(settings, index=place))
    assert made.hosts == (("one", 9201), ("two", 9200), ("::1", 9203))
    assert (made.name, made.user, made.password, made.secure) == ("policies-2026", "me", "p@ss", True)
    assert (made.shards, made.timeout, made.ca) == (3, 2.5, str(ca))
    assert str(made) == "one:9201 and 2 more"


def test_from_the_environment(tmp_path: Path) -> None:
    named = {
        "SMALLPRINT_HOME": str(tmp_path),
        "SMALLPRINT_INDEX": "opensearch+https://me@search.example/policies",
        "SMALLPRINT_INDEX_PASSWORD": SECRET,
    }
    settings = load(named)
    made = address(settings)
    assert (made.user, made.password, made.hosts) == ("me", SECRET, (("search.example", 9200),))
    assert SECRET not in f"{settings!r}{made!r}{made}"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("https://host:9200/name", "must look like"),
        ("opensearch+ftp://host/name", "must look like"),
        ("opensearch+http://localhost", "must look like"),
        ("opensearch+http://localhost/Upper", "must look like"),
        ("opensearch+http://localhost/a/b", "must look like"),
        ("opensearch+http://localhost:99999/name", "no host with a port"),
        ("opensearch+http://one,,two/name", "no host with a port"),
        ("opensearch+http://localhost/name?colour=red", "no option 'colour'"),
        ("opensearch+http://localhost/name?shards=many", "must be a number"),
        ("opensearch+http://localhost/name?shards=0", "shards are"),
        ("opensearch+http://localhost/name?timeout=nan", "timeout"),
        ("opensearch+https://me@host/name", "no password for the user 'me'"),
        ("opensearch+https://host/name?ca=nowhere.pem", "no file nowhere.pem"),
        (f"opensearch+http://me:{SECRET}@host/name", "in the clear"),
        (f"opensearch+http://me:{SECRET}@localhost:x/name", "no host with a port"),
    ],
)
def test_what_makes_no_sense_is_said_without_the_password(settings: Settings, place: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        address(replace(settings, index=place))
    assert SECRET not in str(caught.value)


def test_a_user_and_a_key_are_one_too_many(settings: Settings) -> None:
    both = replace(settings, index="opensearch+https://me@host/name", index_password="x", index_api_key="y")
    with pytest.raises(SettingsError, match="choose one"):
        address(both)


def test_a_password_may_go_to_this_machine_in_the_clear(settings: Settings) -> None:
    assert address(replace(settings, index=f"opensearch+http://me:{SECRET}@127.0.0.1/name")).password == SECRET


def test_the_package_that_is_missing_is_named(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['opensearchpy'] = None\n"
        "from smallprint.index.follow import open_index; from smallprint.settings import load\n"
        f"open_index(load({{'SMALLPRINT_HOME': {str(tmp_path)!r}, 'SMALLPRINT_INDEX': 'opensearch+http://localhost/x'}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'smallprint[opensearch]'" in done.stderr
