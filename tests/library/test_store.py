from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from library_helpers import at, policy, raw

from smallprint.errors import LibraryDamaged, LibraryError, UnknownPolicy
from smallprint.library import Library
from smallprint.library.entries import moment


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(at(tmp_path / "home")) as library:
        yield library


def day(n: int) -> datetime:
    return datetime(2024, 1, n, tzinfo=UTC)


def texts(library: Library, name: str) -> list[str]:
    """The last line of each version, oldest first."""
    return [library.get(name, v.id).text.splitlines()[-1] for v in library.versions(name)]


class TestAdding:
    def test_what_was_added_can_be_had_again(self, library: Library) -> None:
        acme = policy(title="Privacy Policy | Acme", url="https://www.acme.com/privacy")
        stored = library.add(acme, seen=day(1))
        assert (stored.name, stored.domain, stored.digest) == ("Acme", "acme.com", acme.digest)
        assert (stored.new, stored.words, stored.seen) == (True, acme.words, "2024-01-01T00:00:00Z")
        assert library.get("Acme") == acme
        assert library.get("Acme", stored.version) == acme

    def test_the_same_text_adds_nothing_but_is_seen_again(self, library: Library) -> None:
        first = library.add(policy(), "Acme", day(1))
        again = library.add(policy(), "acme", day(5))
        assert (again.version, again.new, again.seen) == (first.version, False, first.seen)
        (entry,) = library.list()
        assert (entry.versions, entry.last_seen) == (1, "2024-01-05T00:00:00Z")
        assert len(library.pending(9)) == 1

    def test_a_changed_text_is_a_new_version_and_the_newest_counts(self, library: Library) -> None:
        library.add(policy("Old."), "Acme", day(1))
        library.add(policy("New."), "Acme", day(2))
        assert library.get("Acme").text.endswith("New.")
        assert texts(library, "Acme") == ["Old.", "New."]

    def test_a_text_that_comes_back_is_a_version_of_its_own(self, library: Library) -> None:
        for n, text in enumerate(["A.", "B.", "A."], start=1):
            assert library.add(policy(text), "Acme", day(n)).new
        assert texts(library, "Acme") == ["A.", "B.", "A."]
        assert library.get("Acme").text.endswith("A.")

    def test_history_may_arrive_in_any_order(self, library: Library) -> None:
        for n, text in [(5, "C."), (1, "A."), (3, "B."), (4, "B."), (2, "B.")]:
            library.add(policy(text), "Acme", day(n))
        assert texts(library, "Acme") == ["A.", "B.", "C."]
        assert library.versions("Acme")[1].seen == "2024-01-02T00:00:00Z"
        assert library.list()[0].last_seen == "2024-01-05T00:00:00Z"

    def test_what_is_seen_now_is_newest_even_if_the_clock_was_put_back(self, library: Library) -> None:
        library.add(policy("Old."), "Acme", datetime.now(UTC) + timedelta(days=400))
        library.add(policy("New."), "Acme")
        assert library.get("Acme").text.endswith("New.")

    def test_times_are_in_utc(self) -> None:
        east = timezone(timedelta(hours=2))
        assert moment(datetime(2024, 1, 1, 1, tzinfo=east)) == "2023-12-31T23:00:00Z"
        assert moment(datetime(2024, 1, 1, 1)) == "2024-01-01T01:00:00Z"


class TestNaming:
    def test_the_same_place_is_the_same_service_whatever_it_is_called(self, library: Library) -> None:
        library.add(policy("A.", url="https://acme.com/p", title="Acme"), "Mine", day(1))
        again = library.add(policy("B.", url="https://acme.com/p", title="New Acme"), seen=day(2))
        assert again.name == "Mine"
        found = policy("C.", source="https://acme.com", url="https://acme.com/p", title="Acme")
        assert library.add(found, seen=day(3)).name == "Mine"
        assert library.list()[0].source == "https://acme.com"

    def test_one_title_on_two_domains_makes_two_services(self, library: Library) -> None:
        for url in (
            "https://acme.com/p",
            "https://acme.org/p",
            "https://help.acme.com/p",
            "https://acme.org/q",
        ):
            library.add(policy(url, url=url, title="Acme"))
        assert [(e.name, e.versions) for e in library.list()] == [("Acme", 2), ("Acme (acme.org)", 2)]

    def test_a_saved_page_and_its_site_are_one_service(self, library: Library) -> None:
        library.add(policy("A.", title="Acme", source="acme.html"))
        stored = library.add(policy("B.", title="Acme", url="https://acme.com/p"))
        assert (stored.name, stored.domain) == ("Acme", "acme.com")

    def test_pages_that_name_nobody_stay_apart(self, library: Library) -> None:
        host = "https://policies.example/"
        names = [library.add(policy(f"{n}.", url=f"{host}{n}", title="Privacy Policy")).name for n in (1, 2)]
        assert names[0] == "policies.example"
        assert names[1].startswith("policies.example (")

    def test_pasted_texts_without_a_title_stay_apart_but_not_from_themselves(self, library: Library) -> None:
        names = [library.add(policy(text)).name for text in ("A.", "B.", "B.", "A.")]
        assert names[0] == names[3] == "Pasted policy"
        assert names[1] == names[2] != "Pasted policy"

    def test_pasting_does_not_lose_where_it_came_from(self, library: Library) -> None:
        library.add(policy("A.", url="https://acme.com/p"), "Acme")
        library.add(policy("B."), "Acme")
        assert library.list()[0].source == "https://acme.com/p"

    def test_a_collection_without_addresses_does_not_lose_one(self, library: Library) -> None:
        library.add(policy("A.", url="https://acme.com/p"), "Acme")
        library.add(policy("B.", source="/data/old.jsonl:7@2019-05-01"), "Acme")
        assert library.list()[0].source == "https://acme.com/p"


class TestFinding:
    @pytest.fixture(autouse=True)
    def _shelf(self, library: Library) -> None:
        for name in ("Acme", "Acme Shop", "Bolt", "Ärzte"):
            library.add(policy(f"{name} collects."), name)

    @pytest.mark.parametrize(
        ("asked", "name"), [("Acme", "Acme"), ("ACME", "Acme"), ("acme s", "Acme Shop"), ("ä", "Ärzte")]
    )
    def test_by_name_in_any_case_or_its_beginning(self, library: Library, asked: str, name: str) -> None:
        assert library.get(asked).text.endswith(f"{name} collects.")

    @pytest.mark.parametrize(
        ("asked", "hint"),
        [
            ("a", "could be Acme, Acme Shop: write more"),
            ("acmee", "Did you mean Acme"),
            ("zzzzz", "no policy named 'zzzzz' in the library.$"),
            ("", "no policy named ''"),
            ("%", "no policy named '%'"),
        ],
    )
    def test_what_is_not_there_is_said_with_what_is_close(self, library: Library, asked: str, hint: str) -> None:
        with pytest.raises(UnknownPolicy, match=hint):
            library.get(asked)

    def test_a_version_of_another_service_is_not_its_own(self, library: Library) -> None:
        (bolt,) = library.versions("Bolt")
        with pytest.raises(UnknownPolicy, match="Acme has no version"):
            library.get("Acme", bolt.id)

    def test_the_list_is_in_order_of_names(self, library: Library) -> None:
        assert [entry.name for entry in library.list()] == ["Acme", "Acme Shop", "Bolt", "Ärzte"]

    def test_taking_away_wants_the_whole_name(self, library: Library) -> None:
        for take in (library.remove, library.forget):
            with pytest.raises(UnknownPolicy, match="Did you mean Bolt"):
                take("bol")
        assert len(library.list()) == 4

    def test_an_empty_library_says_so(self, tmp_path: Path) -> None:
        with Library.open(at(tmp_path / "new")) as empty, pytest.raises(UnknownPolicy, match="is empty"):
            empty.get("Acme")


class TestRemoving:
    def test_what_is_removed_is_gone_until_restored(self, library: Library) -> None:
        acme = policy("A.")
        library.add(acme, "Acme")
        assert library.remove("acme") == "Acme"
        assert library.list() == ()
        with pytest.raises(UnknownPolicy):
            library.get("Acme")
        assert library.restore() == "Acme"
        assert library.get("Acme") == acme

    def test_the_next_removal_makes_the_last_one_final(self, library: Library, tmp_path: Path) -> None:
        for name in ("Acme", "Bolt"):
            library.add(policy(name), name)
            library.remove(name)
        assert library.restore() == "Bolt"
        with pytest.raises(LibraryError, match="nothing to restore"):
            library.restore()
        with raw(tmp_path / "home") as db:
            assert db.execute("SELECT count(*) FROM versions").fetchone() == (1,)

    def test_a_removed_name_is_free_and_then_taken(self, library: Library) -> None:
        library.add(policy("A."), "Acme")
        library.remove("Acme")
        library.add(policy("B."), "Acme")
        with pytest.raises(LibraryError, match="added anew"):
            library.restore()
        assert texts(library, "Acme") == ["B."]


class TestPending:
    def test_the_last_word_on_a_version_counts(self, library: Library) -> None:
        version = library.add(policy(), "Acme").version
        (first,) = library.pending(9)
        assert (first.version, first.op) == (version, "upsert")
        library.remove("Acme")
        (then,) = library.pending(9)
        assert (then.version, then.op) == (version, "delete")
        library.done([first.id])
        assert library.pending(9) == (then,)
        library.done([then.id])
        assert library.pending(9) == ()
        library.restore()
        assert [p.op for p in library.pending(9)] == ["upsert"]

    def test_work_comes_oldest_first_and_in_portions(self, library: Library) -> None:
        versions = [library.add(policy(str(n)), str(n)).version for n in range(5)]
        assert [p.version for p in library.pending(3)] == versions[:3]

    def test_forgetting_is_told_to_the_index(self, library: Library) -> None:
        gone = [library.add(policy(text), "Acme", day(n)).version for n, text in enumerate("AB", start=1)]
        kept = library.add(policy(), "Bolt").version
        library.forget("Acme")
        told = {p.version: p.op for p in library.pending(9)}
        assert told == {kept: "upsert"} | dict.fromkeys(gone, "delete")

    def test_a_version_id_is_never_used_twice(self, library: Library) -> None:
        first = library.add(policy(), "Acme").version
        library.forget_all()
        assert library.add(policy(), "Acme").version > first


def test_folder_and_files_are_for_the_owner_alone(library: Library, tmp_path: Path) -> None:
    library.add(policy(), "Acme")
    home = tmp_path / "home"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    assert set(modes.values()) == {0o600}
    assert {"library.sqlite3", "library.sqlite3-wal"} <= set(modes)


def test_a_damaged_row_is_one_plain_error(library: Library, tmp_path: Path) -> None:
    library.add(policy(), "Acme")
    with raw(tmp_path / "home") as db:
        db.execute("UPDATE versions SET blocks = '[[1,2]]'")
    with pytest.raises(LibraryDamaged, match="Acme is damaged"):
        library.get("Acme")
