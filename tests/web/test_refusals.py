"""Who is refused: a program gets a problem, a browser a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from served import Served, serving
from smallprint.server import create_app
from smallprint.settings import Settings

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def narrow(settings: Settings) -> Iterator[Served]:
    """Takes little, and one request in six seconds."""
    with serving(create_app(replace(settings, requests_per_minute=10, max_bytes=1_000))) as one:
        yield one


def test_too_many_requests_are_a_page_for_a_browser(narrow: Served) -> None:
    assert narrow.ask("GET", "/about").status == 200
    page = narrow.ask("GET", "/about", Accept=BROWSER)
    assert page.status == 429
    assert page.headers["content-type"].startswith("text/html")
    assert int(page.headers["retry-after"]) > 0
    assert page.headers["content-length"] == str(len(page.body))
    assert b"<h1>That was too much at once</h1>" in page.body
    assert b"smallprint.css" in page.body
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert narrow.ask("GET", "/about").kind == "too-many-requests"


def test_too_large_a_file_is_a_page_for_a_browser(narrow: Served) -> None:
    head = "POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\nAccept: {}\r\n\r\n"
    page = narrow.raw(head.format(BROWSER).encode())
    assert b" 413 " in page
    assert b"<h1>That is too large</h1>" in page
    assert b"connection: close" in page.lower()


def test_a_program_is_told_of_size_as_ever(narrow: Served) -> None:
    answer = narrow.raw(b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n")
    assert b"application/problem+json" in answer


def test_a_page_that_there_is_not(served: Served) -> None:
    page = served.ask("GET", "/nowhere", Accept=BROWSER)
    assert page.status == 404
    assert b"There is no such page" in page.body
    assert served.ask("GET", "/nowhere").kind == "not-found"
    assert served.ask("GET", "/api/v1/policies/nobody", Accept="application/json").kind == "unknown-policy"


def test_what_a_page_repeats_is_escaped(served: Served) -> None:
    page = served.ask("GET", "/api/v1/policies/%3Cscript%3E", Accept=BROWSER)
    assert page.status == 404
    assert b"&lt;script&gt;" in page.body
    assert b"<script>" not in page.body
