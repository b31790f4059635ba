"""Real repositories, made by git on the spot."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from corpus_helpers import at, policy_text

from smallprint.corpus.documents import Document
from smallprint.corpus.repository import Repository, name_of
from smallprint.corpus.run import ingest
from smallprint.corpus.sources import open_corpus
from smallprint.errors import FileUnreadable
from smallprint.library import Library, Refusal
from smallprint.library.names import leads_back


def git(folder: Path, *arguments: str, day: str = "2020-01-01") -> None:
    date = day if day.startswith("@") else f"{day}T12:00:00Z"
    who = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": os.devnull}
    names = ("-c", "user.name=a", "-c", "user.email=a@acme.example")
    subprocess.run(
        ["git", "-C", str(folder), *names, *arguments], check=True, capture_output=True, env={**os.environ, **who}
    )


def commit(folder: Path, path: str, text: str, day: str) -> None:
    (folder / path).parent.mkdir(exist_ok=True, parents=True)
    (folder / path).write_text(text, "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", f"Record {path}", day=day)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "versions"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "Acmé/Privacy Policy.md", policy_text("One"), "2020-01-01")
    commit(folder, "Acmé/Terms of Service.md", "These terms bind you.", "2020-02-01")
    commit(folder, "Acmé/Privacy Policy.md", policy_text("Two"), "2021-06-30")
    commit(folder, "Bolt/Privacy Policy.md", policy_text("Bolt"), "2022-01-01")
    commit(folder, "Acmé/Privacy Policy.md", policy_text("Three"), "2023-03-05")
    return folder


def test_commits_are_versions_with_their_dates(repository: Path) -> None:
    found = list(open_corpus([str(repository)], at(repository)).documents(1))
    assert all(isinstance(document, Document) for document in found)
    assert [(d.name, d.seen) for d in found if isinstance(d, Document)] == [
        ("Acmé", datetime(2020, 1, 1, 12, tzinfo=UTC)),
        ("Acmé", datetime(2021, 6, 30, 12, tzinfo=UTC)),
        ("Acmé", datetime(2023, 3, 5, 12, tzinfo=UTC)),
        ("Bolt", datetime(2022, 1, 1, 12, tzinfo=UTC)),
    ]
    assert len({document.key for document in found}) == 4
    assert not any(leads_back(document.source) for document in found if isinstance(document, Document))


def test_a_date_that_no_calendar_has_stops_nothing(repository: Path) -> None:
    commit(repository, "Crux/Privacy Policy.md", policy_text("Crux"), "@999999999999 +0000")
    *others, odd = open_corpus([str(repository)], at(repository)).documents(1)
    assert len(others) == 4
    assert isinstance(odd, Document)
    assert (odd.name, odd.seen) == ("Crux", datetime(1970, 1, 1, tzinfo=UTC))
    assert not leads_back(odd.source)


def test_they_go_into_the_library_with_their_dates(repository: Path, tmp_path: Path) -> None:
    settings = at(tmp_path / "home")
    with Library.open(settings) as library:
        ingest(open_corpus([str(repository)], settings), library, settings, workers=0)
        assert [v.seen[:10] for v in library.versions("Acmé")] == ["2020-01-01", "2021-06-30", "2023-03-05"]
        assert [v.seen[:10] for v in library.versions("Bolt")] == ["2022-01-01"]


def test_a_bare_repository_is_read_too(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    assert Repository.open(tmp_path / "bare.git", 10_000).size == 4


def test_a_file_that_is_too_long_is_refused(repository: Path) -> None:
    assert all(isinstance(item, Refusal) for item in Repository.open(repository, 10).documents(1))


def test_deleted_files_and_links_are_no_versions(repository: Path) -> None:
    git(repository, "rm", "-q", "Bolt/Privacy Policy.md")
    (repository / "Privacy.md").symlink_to("/etc/hostname")
    git(repository, "add", "-A")
    git(repository, "commit", "-m", "Remove", day="2024-01-01")
    assert Repository.open(repository, 10_000).size == 4


def test_nothing_of_the_repository_is_run(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    for setting in ("core.fsmonitor", "core.pager", "log.showSignature", "diff.external", "core.sshCommand"):
        value = "true" if setting == "log.showSignature" else f"touch {trap}"
        git(repository, "config", setting, value)
    git(repository, "config", "gpg.program", f"touch {trap}")
    assert Repository.open(repository, 10_000).size == 4
    assert not trap.exists()


def test_a_broken_repository_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    with pytest.raises(FileUnreadable, match="Git can't read"):
        Repository.open(tmp_path / "broken", 10)


def test_a_file_at_the_top_gives_its_own_name() -> None:
    assert (name_of("Acme.md"), name_of("a/Acme/Privacy Policy.md")) == ("Acme", "Acme")
