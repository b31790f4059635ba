"""`search` and `index rebuild` as a person uses them: real processes over the sample policies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from smallprint.assistant import Assistant
from smallprint.library import Annotation, Library
from smallprint.records import Facets
from smallprint.settings import Settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the sample policies; tests of this module only read it."""
    home = tmp_path_factory.mktemp("home")
    assistant = Assistant(Settings(home=home))
    stored = assistant.add_samples()
    with Library.open(assistant.settings) as library:
        for place, one in enumerate(stored):
            facets = Facets(sector=("medical", "finance")[place % 2], regulations=("gdpr",))
            library.annotate(one.version, Annotation(facets, "test"))
    assistant.index_rebuild()
    return home


@pytest.fixture
def run(stocked: Path, tmp_path: Path) -> Run:
    def command(*arguments: str, home: Path = stocked) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "smallprint.cli", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "SMALLPRINT_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "100"},
        )

    return command


def test_json_has_total_hits_and_facets(run: Run) -> None:
    result = run("search", "cookies", "--json", "--limit", "2")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["total"] >= len(found["hits"]) == 2
    hit = found["hits"][0]
    assert {"title", "url", "date", "snippets", "sentence", "facets"} <= set(hit)
    assert hit["snippets"][0]["marks"]
    assert {"count", "total", "share", "selected"} <= set(found["facets"]["words"][0])
    again = json.loads(run("search", "cookies", "--json", "--limit", "2", "--cursor", found["next"]).stdout)
    assert {h["id"] for h in again["hits"]}.isdisjoint(h["id"] for h in found["hits"])


def test_people_get_titles_sentences_and_bars(run: Run) -> None:
    result = run("search", "sell")
    assert result.returncode == 0
    assert "policies" in result.stdout.splitlines()[0]
    assert "“" in result.stdout
    assert "medical" in result.stdout
    assert "█" in result.stdout


def test_facets_narrow_and_keep_their_own_counts(run: Run) -> None:
    found = json.loads(run("search", "--sector", "medical", "--regulation", "GDPR", "--json").stdout)
    assert found["total"] == 4
    sectors = {v["value"]: (v["count"], v["selected"]) for v in found["facets"]["sector"]}
    assert sectors == {"medical": (4, True), "finance": (4, False)}


def test_sentences_by_stance(run: Run) -> None:
    result = run("search", "sell", "--stance", "does-not", "--json")
    hits = json.loads(result.stdout)["hits"]
    assert hits
    assert all(hit["stance"] == "does-not" and "sell" in hit["sentence"]["text"].lower() for hit in hits)


def test_concordance(run: Run) -> None:
    result = run("search", "sell", "--concordance")
    assert result.returncode == 0
    assert "never sell" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("AND",),
        ('"open',),
        ("x", "--grade", "easy"),
        ("x", "--sector", "nowhere"),
        ("x", "--since", "soon"),
        ("sell NEAR/0 data",),
    ],
)
def test_a_bad_query_is_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("search", *arguments)
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_misuse_is_two(run: Run) -> None:
    assert run("search", "x", "--sort", "colour").returncode == 2


def test_an_empty_result_names_the_filter_to_drop(run: Run) -> None:
    result = run("search", "cookies", "--language", "xx")
    assert result.returncode == 0
    assert "Drop --language" in result.stdout


def test_export(run: Run, tmp_path: Path) -> None:
    result = run("search", "cookies", "--export", "out.jsonl")
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert lines[0]["smallprint"]["query"] == "cookies"
    assert lines[0]["smallprint"]["total"] == len(lines) - 1
    assert lines[0]["smallprint"]["fingerprint"]
    assert run("search", "cookies", "--export", "out.doc").returncode == 1


def test_rebuild(run: Run, tmp_path: Path) -> None:
    result = run("index", "rebuild", home=tmp_path / "new")
    assert result.returncode == 0
    assert "0 versions" in result.stderr


def test_an_empty_library_says_so(run: Run, tmp_path: Path) -> None:
    result = run("search", "cookies", home=tmp_path / "new")
    assert result.returncode == 0
    assert "smallprint add" in result.stdout
