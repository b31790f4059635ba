"""What a source is taken for, and what is taken again."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from smallprint.assistant import Assistant
from smallprint.errors import FileUnreadable, NotAPolicy, UnknownPolicy
from smallprint.library import Library
from smallprint.settings import Settings

STORED = "Privacy policy of Acme. We collect your name and e-mail address. We never share your personal data. " * 5
OTHER = "Privacy policy of a draft. We collect your location. We share your personal data with advertisers. " * 5


@pytest.fixture
def assistant(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Assistant:
    """Acme is stored; a file `acme` lies in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("stored.txt").write_text(STORED)
    made = Assistant(settings)
    made.add("stored.txt", name="Acme")
    Path("acme").write_text(OTHER)
    return made


def test_a_bare_name_is_the_stored_policys_and_says_so(assistant: Assistant) -> None:
    policy = assistant.read("acme").policy
    assert "never share" in policy.text
    assert policy.notes == ("“acme” is also a file here. This is the stored policy; for the file write ./acme",)
    Path("acme").unlink()
    assert assistant.read("acme").policy.notes == ()


@pytest.mark.parametrize("source", ["./acme", "acme.txt"])
def test_a_folder_or_a_suffix_makes_it_the_file(assistant: Assistant, source: str) -> None:
    Path("acme.txt").write_text(OTHER)
    policy = assistant.read(source).policy
    assert "never share" not in policy.text
    assert policy.notes == ()


def test_the_beginning_of_a_name_does_not_go_before_a_file(assistant: Assistant) -> None:
    Path("acm").write_text(OTHER)
    assert "advertisers" in assistant.read("acm").policy.text
    Path("acm").unlink()
    assert "never share" in assistant.read("acm").policy.text


def test_what_was_stored_by_force_is_refreshed_so(assistant: Assistant) -> None:
    recipe = "Our cake recipe: mix flour, sugar and eggs, then bake the cake until golden. " * 20
    Path("cake.txt").write_text(recipe)
    assistant.add("cake.txt", name="Cake", force=True)
    Path("cake.txt").write_text(f"{recipe} Let it cool.")
    assert assistant.refresh("Cake").new
    Path("stored.txt").write_text(recipe)
    with pytest.raises(NotAPolicy):
        assistant.refresh("Acme")


def test_pasted_text_cannot_be_refreshed(assistant: Assistant) -> None:
    assistant.add("-", name="Pasted", stdin=BytesIO(OTHER.encode()))
    with pytest.raises(FileUnreadable, match="“Pasted” was pasted"):
        assistant.refresh("pasted")


@pytest.mark.parametrize("local_files", [True, False])
def test_what_came_without_an_address_is_not_looked_for_on_the_web(assistant: Assistant, local_files: bool) -> None:
    with Library.open(assistant.settings) as library:
        library.add(replace(assistant.stored("Acme").policy, source="c.jsonl:12"), "Bolt")
    with pytest.raises(FileUnreadable, match="“Bolt” came from a collection without an address"):
        Assistant(replace(assistant.settings, local_files=local_files)).refresh("bolt")


def test_where_no_files_are_read_a_refresh_tells_the_name_only(assistant: Assistant) -> None:
    shut = Assistant(replace(assistant.settings, local_files=False))
    with pytest.raises(FileUnreadable, match="“Acme” was added from a file") as refused:
        shut.refresh("acme")
    assert "stored.txt" not in str(refused.value)


def test_what_is_neither_is_told(assistant: Assistant) -> None:
    with pytest.raises(UnknownPolicy, match="neither a file nor a web address"):
        assistant.read("nobody")
    with pytest.raises(FileUnreadable):
        assistant.read("./nobody")
