"""The timeline of changes and its feed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser
from test_axe import violations

from served import Served
from smallprint.assistant import Assistant
from smallprint.library import Library

ATOM = "{http://www.w3.org/2005/Atom}"
NAME = "Brook/side <b>"
TEXT = (
    "Privacy Policy\n\nThis privacy policy explains how Brookside collects and uses your personal information.\n\n"
    "We will not share your location with advertisers.\n\nWe keep your photos for two years."
)
VERSIONS = (
    ("2021-03-04", TEXT),
    ("2023-05-06", TEXT.replace("will not", "may")),
    ("2024-07-08", TEXT.replace("will not", "may") + "\n\nWe share your health data with <script> insurers & banks."),
)


@pytest.fixture(scope="module", autouse=True)
def brookside(assistant: Assistant) -> None:
    with Library.open(assistant.settings) as library:
        for day, text in VERSIONS:
            policy = assistant.read("-", force=True, stdin=BytesIO(text.encode())).policy
            library.add(policy, NAME, datetime.fromisoformat(day).replace(tzinfo=UTC))


PAGE = "/changes/Brook%2Fside%20%3Cb%3E"
FEED = "/feed/Brook%2Fside%20%3Cb%3E"


def test_the_page_tells_the_story_newest_first(served: Served) -> None:
    page = served.ask("GET", PAGE)
    html = page.body.decode()
    assert page.status == 200
    assert html.index("8 July 2024</a>") < html.index("6 May 2023</a>", html.index("<section"))
    assert "We will not share your location with advertisers." in html
    assert "Weaker" in html
    assert "stood since 4 March 2021" in html
    assert "&lt;script&gt; insurers &amp; banks" in html
    assert "<script> insurers" not in html
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", html)


def test_it_is_linked_from_the_library_and_the_policy(served: Served) -> None:
    assert f'href="{PAGE}"' in served.ask("GET", "/library").body.decode()
    assert served.ask("GET", "/changes/Nobody").status == 404


def test_a_single_version_says_so(served: Served) -> None:
    assert "One version so far" in served.ask("GET", "/changes/Plazaly").body.decode()


def test_the_feed_is_atom(served: Served) -> None:
    reply = served.ask("GET", FEED)
    assert reply.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(reply.body)
    assert feed.tag == f"{ATOM}feed"
    assert feed.findtext(f"{ATOM}updated") == "2024-07-08T00:00:00Z"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == NAME
    links = {link.get("rel"): link.get("href") or "" for link in feed.findall(f"{ATOM}link")}
    assert links["self"].endswith(FEED)
    assert links["alternate"].endswith(PAGE)
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == ["2024-07-08T00:00:00Z", "2023-05-06T00:00:00Z"]
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len({*ids, feed.findtext(f"{ATOM}id")}) == 3
    assert "Before: We will not share your location" in (entries[1].findtext(f"{ATOM}content") or "")
    assert all(entry.findtext(f"{ATOM}title") and entry.find(f"{ATOM}link") is not None for entry in entries)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 320)])
def test_it_can_be_used_by_everyone(browser: Browser, base: str, scheme: str, width: int) -> None:
    context = browser.new_context(
        base_url=base,
        bypass_csp=True,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 900},
    )
    context.set_default_timeout(120_000)
    page = context.new_page()
    for path in (PAGE, "/changes/Plazaly"):
        page.goto(path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()
