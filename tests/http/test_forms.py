from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI, Request
from starlette.middleware import Middleware

from served import Reply, Served, serving
from smallprint.http import guard, problems
from smallprint.http.forms import FIELD, Forms, VisitorCookie
from smallprint.server import _refused, create_app
from smallprint.settings import Settings

TOKEN = "a-token-that-is-long-enough"


@pytest.fixture
def served() -> Iterator[Served]:
    app = FastAPI(middleware=[Middleware(VisitorCookie)], exception_handlers={problems.Refused: _refused})
    forms = Forms()

    @app.get("/plain")
    async def plain() -> str:
        return "no form"

    @app.get("/")
    async def show(request: Request) -> str:
        return forms.token(request)

    @app.post("/")
    async def take(request: Request) -> str:
        return str((await forms.form(request))["said"])

    with serving(app) as one:
        yield one


def post(one: Served, cookie: str, form: str, path: str = "/", **fields: str) -> Reply:
    body = urlencode({FIELD: form, "said": "hello", **fields}).encode()
    return one.ask("POST", path, body, Cookie=cookie, Content_Type="application/x-www-form-urlencoded")


def cookie_of(reply: Reply) -> str:
    return reply.headers["set-cookie"].partition(";")[0]


def test_a_form_of_ours_is_taken(served: Served) -> None:
    page = served.ask("GET", "/")
    assert "HttpOnly; SameSite=Lax" in page.headers["set-cookie"]
    assert post(served, cookie_of(page), page.json).json == "hello"
    again = served.ask("GET", "/", Cookie=cookie_of(page))
    assert "set-cookie" not in again.headers
    assert again.json == page.json
    assert "set-cookie" not in served.ask("GET", "/plain").headers


def test_a_script_of_ours_sends_it_in_a_header(served: Served) -> None:
    page = served.ask("GET", "/")
    form = {"Content_Type": "application/x-www-form-urlencoded", "Cookie": cookie_of(page)}
    assert served.ask("POST", "/", b"said=hello", X_Form_Token=page.json, **form).json == "hello"


def test_any_other_form_is_refused(served: Served) -> None:
    one, other = served.ask("GET", "/"), served.ask("GET", "/")
    planted = "smallprint_visitor=" + "a" * 43
    for cookie, token in (
        ("", one.json),
        (cookie_of(one), ""),
        (cookie_of(one), other.json),
        (cookie_of(one), "ünï"),
        (planted, "a" * 43),
        ("smallprint_visitor=", one.json),
    ):
        assert post(served, cookie, token).kind == "form-expired"


def test_a_browser_signs_in(settings: Settings) -> None:
    with serving(create_app(replace(settings, token=TOKEN))) as one:
        turned_away = one.ask("GET", "/api/v1/version", Accept="text/html,*/*")
        assert (turned_away.status, turned_away.headers["location"]) == (303, guard.LOGIN)
        page = one.ask("GET", guard.LOGIN)
        found = re.search(rb'name="form_token" value="(\w+)"', page.body)
        assert found
        form, cookie = found[1].decode(), cookie_of(page)
        assert post(one, cookie, form, guard.LOGIN, token="wrong").status == 401
        assert post(one, "", form, guard.LOGIN, token=TOKEN).kind == "form-expired"
        signed_in = post(one, cookie, form, guard.LOGIN, token=TOKEN)
        assert (signed_in.status, signed_in.headers["location"]) == (303, "/")
        login = signed_in.headers["set-cookie"]
        assert "HttpOnly" in login
        assert "SameSite=lax" in login
        assert TOKEN not in login
        assert one.ask("GET", "/api/v1/version", Cookie=cookie_of(signed_in)).status == 200
        assert one.ask("GET", "/api/v1/version", Cookie=f"{guard.LOGIN_COOKIE}={TOKEN}").status == 401
