"""What goes over the wire, without a browser."""

from __future__ import annotations

import json
import re
import urllib.parse
from pathlib import Path

import pytest

from served import Reply, Served
from smallprint.assistant import Assistant

WEIGHT = 150_000  # bytes of the policy page before the policy's text
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A browser without a screen: keeps its cookie, sends forms with their token."""

    def __init__(self, served: Served) -> None:
        self._served = served
        first = served.ask("GET", "/")
        self.cookie = first.headers["set-cookie"].partition(";")[0]
        self.token = re.findall(rb'name="form_token" value="(\w+)"', first.body)[0].decode()

    def get(self, path: str) -> Reply:
        return self._served.ask("GET", path, Cookie=self.cookie)

    def post(self, path: str, **fields: str) -> Reply:
        body = urllib.parse.urlencode({"form_token": self.token, **fields}).encode()
        return self._served.ask("POST", path, body, Cookie=self.cookie, Content_Type=FORM)

    def opened(self, path: str) -> Reply:
        """The page once the policy is read."""
        while True:
            page = self.get(path)
            handle = re.search(rb'hx-get="/reading/(\w+)"', page.body)
            if handle is None:
                return page


@pytest.fixture
def visitor(served: Served) -> Visitor:
    return Visitor(served)


def links(page: Reply) -> list[str]:
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', page.body.decode())


def test_no_page_has_inline_script_or_style_or_another_host(visitor: Visitor) -> None:
    for path in ("/", "/search?q=data", "/library", "/about", "/library/Plazaly"):
        page = visitor.opened(path)
        assert page.status == 200
        html = page.body.decode()
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", html), path
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', html), path
        assert "script-src 'self';" in page.headers["content-security-policy"]
        assert page.headers["cache-control"] == "no-store"


def test_the_page_is_light_before_the_policys_text(visitor: Visitor, served: Served) -> None:
    page = visitor.opened("/library/Stillwren")
    start, end = page.body.index(b'<article class="policy"'), page.body.index(b"</article>")
    weight = len(page.body) - (end - start)
    for link in links(page):
        weight += len(served.ask("GET", link).body)
    assert weight <= WEIGHT


def test_static_files_are_kept_for_ever_under_their_mark_only(visitor: Visitor, served: Served) -> None:
    for link in links(visitor.get("/")):
        file = served.ask("GET", link)
        assert file.status == 200
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        name = link.split("/", 3)[3]
        assert served.ask("GET", f"/static/old/{name}").headers["cache-control"] == "no-store"
    assert served.ask("GET", "/static/x/../../server.py").status == 404
    assert served.ask("GET", "/static/x/README.md").status == 404


def test_a_path_of_this_machine_is_never_read(visitor: Visitor, tmp_path: Path) -> None:
    secret = tmp_path / "policy.txt"
    secret.write_text("This privacy policy: we collect your personal data. It holds a secret word, xylograph.\n" * 9)
    for source in (str(secret), f"file://{secret}", "-"):
        reply = visitor.post("/read", source=source)
        assert reply.status == 303
        page = visitor.opened(reply.headers["location"])
        assert page.status in (403, 409), source
        assert b"xylograph" not in page.body


def test_forms_without_their_token_are_refused(visitor: Visitor, served: Served) -> None:
    visitor.token = "0" * 64
    for path in ("/read", "/library", "/library/Plazaly", "/policy/x/keep", "/reading/x/cancel"):
        reply = visitor.post(path, source="x", do="forget", name="Plazaly", said="hello")
        assert reply.status in (403, 404), path
    assert served.ask("GET", "/library/Plazaly").status == 200


def test_what_is_not_stored_is_gone_after_a_while(visitor: Visitor) -> None:
    page = visitor.get("/policy/0123456789abcdef")
    assert page.status == 404
    assert b"put away" in page.body


def test_conversations_belong_to_their_visitor(visitor: Visitor, served: Served) -> None:
    visitor.opened("/library/Pipwick")
    reply = visitor.post("/library/Pipwick", said="can parents see the chat of their child?")
    assert reply.status == 303
    assert reply.headers["location"].endswith("#turn-1")
    assert b"can parents see the chat" in visitor.opened("/library/Pipwick").body
    assert b"can parents see the chat" not in Visitor(served).opened("/library/Pipwick").body


def test_what_is_no_policy_can_be_read_anyway(visitor: Visitor) -> None:
    recipe = "Peel the apples and cut them into slices. Mix the butter with the sugar and the flour. " * 20
    reply = visitor.post("/read", source=recipe)
    page = visitor.opened(reply.headers["location"])
    assert page.status == 409
    assert b"--force" not in page.body
    again = re.findall(rb'action="(/policy/\w+/again)"', page.body)
    assert len(again) == 1
    forced = visitor.opened(visitor.post(again[0].decode()).headers["location"])
    assert forced.status == 200
    assert b"Peel the apples" in forced.body


def test_pasting_stores_nothing_until_told(visitor: Visitor, assistant: Assistant) -> None:
    before = assistant.list()
    text = "Privacy policy. We collect your personal data and share it with third parties. " * 8
    page = visitor.opened(visitor.post("/read", source=text).headers["location"])
    assert page.status == 200
    assert assistant.list() == before
    assert not any(assistant.settings.cache.glob("*")) if assistant.settings.cache.exists() else True


def test_an_empty_form_says_what_to_do(visitor: Visitor) -> None:
    page = visitor.post("/read", source="  ")
    assert page.status == 409
    assert b"nothing to read yet" in page.body


@pytest.mark.parametrize(
    "query", ["%22open", "sort=best", "grade_from=x", "page=0", "page=99999999", "in=moon", "page=%C2%B2"]
)
def test_a_search_that_cannot_be_understood_says_so(visitor: Visitor, query: str) -> None:
    page = visitor.get(f"/search?{query}" if "=" in query else f"/search?q={query}")
    assert page.status == 400
    assert b"be understood" in page.body


def test_exports(visitor: Visitor) -> None:
    page = visitor.get("/search/export.jsonl?q=information&sector=media&page=3")
    assert page.headers["content-disposition"].startswith("attachment")
    lines = page.body.decode().splitlines()
    head, *hits = map(json.loads, lines)
    assert len(hits) == head["smallprint"]["total"] > 0
    assert {hit["sector"] for hit in hits} == {"media"}
    assert visitor.get("/search/export.exe").status == 409


def test_a_name_is_found_however_it_is_written(visitor: Visitor) -> None:
    page = visitor.opened("/library/PLAZALY")
    assert b'<h1 id="name" dir="auto">Plazaly</h1>' in page.body
    assert visitor.get("/library/Plaz").status == 404
