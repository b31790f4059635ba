"""The command line as a person uses it: real processes, real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
GERMAN_SENTENCE = "Wir verarbeiten Ihre personenbezogenen Daten nur so lange, wie es für unsere Dienste nötig ist."
GERMAN = f"<html><body><h1>Datenschutz</h1>{f'<p>{GERMAN_SENTENCE}</p>' * 20}"


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Run:
    def command(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "smallprint.cli", *arguments],
            input=raw,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "SMALLPRINT_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "200"},
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return command


def load(result: subprocess.CompletedProcess[str]) -> Any:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_ask_answers_with_the_sentences(run: Run) -> None:
    result = run("ask", str(SAMPLES / "plazaly.html"), "do you sell my profile information?")
    assert result.returncode == 0
    assert "We may sell profile information" in result.stdout
    assert "\x1b" not in result.stdout


def test_ask_json_is_one_document_of_the_answer_shape(run: Run) -> None:
    answer = load(run("ask", str(SAMPLES / "northwind-bank.html"), "how long are transaction records kept", "--json"))
    assert {"verdict", "stance", "summary", "evidence", "conflicts", "confidence", "next", "more", "trace"} <= set(
        answer
    )
    assert answer["policy"]["title"]
    sentence = answer["evidence"][0]["sentence"]
    assert sentence["end"] - sentence["start"] == len(sentence["text"])


def test_more_shows_what_was_held_back_and_explain_the_stages(run: Run) -> None:
    few = run("ask", str(SAMPLES / "northwind-bank.html"), "account records")
    many = run("ask", str(SAMPLES / "northwind-bank.html"), "account records", "--more", "--explain")
    assert len(many.stdout) > len(few.stdout)
    assert "--more" in few.stdout
    assert "retrieve" in many.stdout


def test_read_gives_an_outline(run: Run) -> None:
    overview = load(run("read", str(SAMPLES / "larkhaven.html"), "--json"))
    assert overview["words"] > 1_000
    assert overview["minutes"] >= 4
    assert 0 < overview["grade"] < 25
    assert "Children" in [heading["text"] for heading in overview["outline"]]
    assert "cookies and other trackers" in [entry["name"] for entry in overview["label"]["collected"]]
    assert {"segment", "category", "values", "stance"} <= set(overview["practices"][0])


def test_read_shows_the_label_in_plain_words(run: Run) -> None:
    shown = run("read", str(SAMPLES / "plazaly.html")).stdout
    assert "Collects" in shown
    assert "contact details" in shown


def test_a_text_can_be_pasted(run: Run) -> None:
    text = (SAMPLES / "quietlane.html").read_text()
    answer = load(run("ask", "-", "do you keep logs of my ip address", "--json", stdin=text))
    assert answer["evidence"]


def test_the_library_from_add_to_forget(run: Run, home: Path) -> None:
    path = str(SAMPLES / "owlglass.html")
    assert "Stored Owl" in run("add", path, "--name", "Owl").stderr
    assert load(run("add", path, "--name", "Owl", "--json"))[0]["new"] is False
    assert [entry["name"] for entry in load(run("list", "--json"))] == ["Owl"]
    assert "camera" in run("show", "owl").stdout.lower()
    assert len(load(run("show", "Owl", "--versions", "--json"))) == 1
    assert load(run("ask", "Owl", "is video encrypted", "--json"))["evidence"]
    assert "unchanged" in run("refresh", "Owl").stderr
    assert run("remove", "Owl").returncode == 0
    assert load(run("list", "--json")) == []
    assert "back" in run("remove", "--undo").stderr
    assert run("forget", "Owl", "--yes").returncode == 0
    stored = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert b"camera" not in stored.lower()


def test_a_changed_file_becomes_a_version(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "policy.html"
    page.write_text((SAMPLES / "stillwren.html").read_text())
    run("add", str(page), "--name", "Still")
    page.write_text(page.read_text().replace("</article>", "<p>We now also share your data with banks.</p></article>"))
    assert "new version" in run("refresh").stderr
    first, second = load(run("show", "Still", "--versions", "--json"))
    assert "banks" not in run("show", "Still", "--version", str(first["id"])).stdout
    assert "banks" in run("show", "Still", "--version", str(second["id"])).stdout


def test_refreshing_all_passes_over_what_was_pasted(run: Run) -> None:
    run("add", "-", "--name", "Pasted", stdin=(SAMPLES / "quietlane.html").read_text())
    run("add", str(SAMPLES / "owlglass.html"), "--name", "Owl")
    result = run("refresh", "--json")
    assert [stored["name"] for stored in load(result)] == ["Owl"]
    assert "Pasted: pasted, so passed over" in result.stderr
    named = run("refresh", "Pasted")
    assert named.returncode == 1
    assert "no place to read it from again" in named.stderr


def test_refreshing_all_passes_over_rows_without_an_address(run: Run, tmp_path: Path) -> None:
    text = (SAMPLES / "owlglass.html").read_text()
    rows = [{"service": name, "html": text.replace("Owlglass", name)} for name in ("Firn", "Gorse")]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run("ingest", "c.jsonl", "--quick")
    run("add", str(SAMPLES / "stillwren.html"), "--name", "Still")
    result = run("refresh", "--json")
    assert [stored["name"] for stored in load(result)] == ["Still"]
    assert "Passed over 2 policies that came from a collection without an address" in result.stderr
    named = run("refresh", "Firn")
    assert named.returncode == 1
    assert named.stderr.strip().count("\n") == 0
    assert "no place to read it from again" in named.stderr


def test_where_a_policy_is_from_reaches_no_terminal_unread(run: Run, tmp_path: Path) -> None:
    history = {
        "paras": [(SAMPLES / "owlglass.html").read_text()],
        "versions": [{"date": "2020\n\x1b[31m", "paras": [0]}],
    }
    (tmp_path / "c.jsonl").write_text(json.dumps({"service": "Firn", **history}))
    run("ingest", "c.jsonl", "--quick")
    listed = run("list").stdout
    assert "c.jsonl:1@2020 [31m" in listed
    assert "\x1b" not in listed


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\x00" * 500, ""),
        (GERMAN.encode(), "German"),
        (b"<html><body><form><input type=password></form>Please sign in to continue</body></html>", ""),
        (b"<html><body><div id=root></div><script src=app.js></script></body></html>", "script"),
        (("Our cake recipe: mix flour, sugar and eggs, then bake the cake until golden. " * 60).encode(), "--force"),
        (b"%PDF-1.4 broken", ""),
        (b"PK\x03\x04 zipped", ""),
    ],
    ids=["empty", "null bytes", "german", "login", "script-only", "not a policy", "broken pdf", "zip"],
)
def test_what_cannot_be_read_is_one_clear_line(run: Run, tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "page.html").write_bytes(content)
    for command in (("ask", "page.html", "do you sell data?"), ("add", "page.html")):
        result = run(*command)
        assert result.returncode == 1
        assert result.stdout == ""
        assert result.stderr.startswith("smallprint: ")
        assert len(result.stderr.strip().splitlines()) == 1
        assert says.lower() in result.stderr.lower()
    assert load(run("list", "--json")) == []


def test_force_reads_what_is_no_policy(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cake.txt").write_text("Our cake recipe: mix flour, sugar and eggs, then bake the cake golden. " * 40)
    answer = load(run("ask", "cake.txt", "which flour for the cake?", "--force", "--json"))
    assert answer["verdict"] == "out_of_scope"
    assert "flour" in answer["more"][0]["sentence"]["text"]


def test_a_file_that_is_called_like_a_stored_policy_is_noted(run: Run, tmp_path: Path) -> None:
    run("add", str(SAMPLES / "owlglass.html"), "--name", "Owl")
    (tmp_path / "Owl").write_bytes((SAMPLES / "plazaly.html").read_bytes())
    for command in (("read", "Owl"), ("ask", "Owl", "is video encrypted"), ("ambiguity", "Owl")):
        done = run(*command)
        assert "./Owl" in done.stderr, command
        assert "Plazaly" not in done.stdout, command
    assert run("changes", "Owl", "./Owl").stderr.count("./Owl") == 1


def test_unknown_names_and_misuse(run: Run) -> None:
    unknown = run("ask", "Nobody Knows", "do you sell data?")
    assert unknown.returncode == 1
    assert "Nobody Knows" in unknown.stderr
    assert run("ask", "x").returncode == 2
    assert run("ask", "x", " ").returncode == 2
    assert run("forget").returncode == 2
    assert run("nonsense").returncode == 2


def test_one_bad_source_does_not_stop_the_others(run: Run) -> None:
    result = run("add", "missing.html", str(SAMPLES / "pipwick.html"))
    assert result.returncode == 1
    assert len(load(run("list", "--json"))) == 1


def test_chat_answers_until_told_to_quit(run: Run) -> None:
    said = "northwind\nwho do you share my data with?\nmore\n/why\n/trace\nand my contacts?\npolicies\n1\nquit\n"
    result = run("chat", "--demo", stdin=said)
    assert result.returncode == 0, result.stderr
    assert "share" in result.stdout
    assert "Here are 3 more." in result.stdout
    assert "people would quote it" in " ".join(result.stdout.split())  # however it is wrapped
    assert "What each stage did" in result.stdout
    assert "Who do you share my contacts with?" in result.stdout
    assert "Now reading Ardmore University." in result.stdout


def test_a_forgotten_conversation_can_begin_anew(run: Run) -> None:
    said = "can I delete my account?\nforget this conversation\nmore\nquit\n"
    result = run("chat", str(SAMPLES / "plazaly.html"), stdin=said)
    assert "forgotten" in result.stdout
    assert "Nothing was asked yet" in result.stdout


def test_chat_can_not_read_the_policy_where_the_questions_come_from(run: Run) -> None:
    result = run("chat", "-", stdin="We sell your data.")
    assert result.returncode == 2
    assert "name a file" in result.stderr
    assert "standard input" not in run("chat", "--help").stdout


def test_every_command_has_help(run: Run) -> None:
    listed = run("--help").stdout
    for command in ("ask", "read", "chat", "add", "list", "show", "refresh", "remove", "forget", "bench"):
        assert command in listed
        assert run(command, "--help").returncode == 0


def test_bench_without_data_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMALLPRINT_DATA", raising=False)
    result = run("bench", "privacyqa")
    assert result.returncode == 1
    assert "SMALLPRINT_DATA" in result.stderr
    assert "no bench 'nope' (known: extraction, samples" in run("bench", "nope").stderr
