from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_helpers import policy

from smallprint.errors import LibraryError
from smallprint.library import names


@pytest.mark.parametrize(
    ("title", "domain", "name"),
    [
        ("Privacy Policy | Acme", None, "Acme"),
        ("Acme - Privacy Notice", None, "Acme"),
        ("Acme: Privacy & Cookies", None, "Acme"),
        ("Acme Privacy Policy", None, "Acme"),
        ("Acme's Privacy Statement", None, "Acme"),
        ("Acme’s Privacy Policy", None, "Acme"),
        ("Privacy Policy for Acme Health", None, "Acme Health"),
        ("The Acme Shop Privacy Policy", None, "Acme Shop"),
        ("Privacy and Cookie Policy – Acme", None, "Acme"),
        ("Legal | Privacy Policy | Acme", None, "Acme"),
        ("Help Center - Privacy - Acme", None, "Acme"),
        ("Sleep better | Privacy Policy | Acme", "acme.com", "Acme"),
        ("Sleep better | Privacy Policy | Acme", None, "Sleep better"),
        ("Privacy notice for pupils and parents - Brackenfield School", None, "Brackenfield School"),
        ("Privacy policy | duckduckgo", None, "duckduckgo"),
        ("Coca-Cola Privacy Policy", None, "Coca-Cola"),
        ("The Guardian", None, "The Guardian"),
        ("Privacy Badger", None, "Privacy Badger"),
        ("Cookie Clicker Privacy Policy", None, "Cookie Clicker"),
        ("Privacy at Acme", None, "Acme"),
        ("Privacy Policy", "acme.com", ""),
        ("Our Privacy Policy", None, ""),
        ("Privacy", None, ""),
        ("|", None, ""),
        ("", None, ""),
    ],
)
def test_the_title_names_the_service(title: str, domain: str | None, name: str) -> None:
    assert names.from_title(title, domain) == name


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=200))
def test_any_title_gives_one_short_line_or_nothing(title: str) -> None:
    name = names.from_title(title, "acme.com")
    assert len(name) <= 80
    assert "\n" not in name
    assert name == "" or any(c.isalnum() for c in name)


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.Acme.com/privacy", "acme.com"),
        ("http://help.acme.co.uk:8080/x", "help.acme.co.uk"),
        ("https://[bad/", None),
        (None, None),
    ],
)
def test_the_domain_is_the_host(url: str | None, domain: str | None) -> None:
    assert names.domain(policy(url=url)) == domain


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("acme.com", "acme.com", True),
        ("acme.com", "help.acme.com", True),
        ("help.acme.com", "acme.com", True),
        ("acme.com", None, True),
        ("acme.com", "acme.org", False),
        ("acme.com", "notacme.com", False),
    ],
)
def test_domains_of_one_service(one: str, other: str | None, same: bool) -> None:
    assert names.may_be_one(one, other) is same


@pytest.mark.parametrize(
    ("source", "url", "name"),
    [
        ("-", None, "Pasted policy"),
        ("/tmp/acme policy.html", None, "acme policy"),
        ("/tmp/___.html", None, "Pasted policy"),
        ("https://acme.com/p", "https://acme.com/p", "acme.com"),
    ],
)
def test_without_a_title_the_place_gives_the_name(source: str, url: str | None, name: str) -> None:
    made = policy(source=source, url=url)
    assert names.fallback(made, names.domain(made)) == name


def test_a_given_name_is_one_line_of_visible_characters() -> None:
    assert names.given("  Acme\n\u200bInc ") == "Acme Inc"
    assert len(names.given("very long " * 20)) <= 80


@pytest.mark.parametrize("name", ["", "  ", "-", "\u200b", "?!"])
def test_a_name_without_letters_is_refused(name: str) -> None:
    with pytest.raises(LibraryError, match="letter or digit"):
        names.given(name)


def test_names_differ_in_more_than_case() -> None:
    assert names.key("ÄCME  Straße") == names.key("äcme strasse")
    assert names.key("Acme") != names.key("Acne")


def test_a_file_is_known_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "policy.html").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert names.origin("policy.html") == str(tmp_path / "policy.html")
    assert names.origin("missing.html") == "missing.html"
    assert names.origin("-") == "-"
    assert names.origin("https://acme.com") == "https://acme.com"
    assert names.origin("nul\0") == "nul\0"


@pytest.mark.parametrize(
    ("source", "leads"),
    [
        ("https://acme.com/p", True),
        ("acme.com:8443/p", True),
        ("/home/me/acme@2020-01-01.html", True),
        ("c.jsonl", True),
        ("https://acme.com/c.jsonl:12", True),
        ("-", False),
        ("c.jsonl:12", False),
        ("my.folder/C.NDJSON.xz:12@2019", False),
        ("/data/crawl.warc.gz@4711", False),
        ("versions:Acme/Privacy Policy.md@2020-01-01", False),
    ],
)
def test_some_places_lead_back_to_one_policy(source: str, leads: bool) -> None:
    assert names.leads_back(source) is leads
