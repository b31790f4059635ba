"""Nothing that was asked, read or looked for is in the log, whatever happens."""

from __future__ import annotations

import logging

import pytest
from fastapi import FastAPI
from starlette.middleware import Middleware

from served import serving
from smallprint.http.log import Logged
from smallprint.server import create_app
from smallprint.settings import Settings

SECRET = "zanzibar"


def test_the_log_names_routes_and_never_what_was_asked(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    text = f"Privacy Policy. We share your {SECRET} data with partners under this privacy policy."
    with serving(create_app(settings)) as one:
        for method, path, body in (
            ("POST", "/api/v1/questions", {"source": {"text": text}, "question": f"my {SECRET}?", "force": True}),
            ("POST", "/api/v1/questions", {"source": {"policy": SECRET}, "question": SECRET}),
            ("POST", "/api/v1/questions", {"source": {"text": text}, "question": [SECRET]}),
            ("POST", "/api/v1/policies", {"source": {"url": f"http://{SECRET}.invalid/{SECRET}"}}),
            ("POST", "/api/v1/sessions", {"source": {"text": text}}),
            ("GET", f"/api/v1/search?q={SECRET}", None),
            ("GET", f"/api/v1/search?q=({SECRET}", None),
            ("GET", f"/api/v1/policies/{SECRET}", None),
            ("GET", f"/{SECRET}", None),
        ):
            one.ask(method, path, body, Referer=f"http://x/{SECRET}", User_Agent=SECRET)
        one.raw(f"GET /{SECRET} {SECRET} HTTP/9\r\n\r\n".encode())
    assert "POST /api/v1/questions 200" in caplog.text
    assert "GET /api/v1/search 200" in caplog.text
    assert "GET /api/v1/policies/{name} 404" in caplog.text
    assert SECRET not in caplog.text.lower()


def test_an_error_nobody_expected_is_told_by_its_place_alone(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    app = FastAPI(middleware=[Middleware(Logged)])

    @app.get("/{word}")
    async def fail(word: str) -> None:
        raise ValueError(f"cannot do {word}")

    with serving(app) as one:
        reply = one.ask("GET", f"/{SECRET}")
    assert (reply.status, reply.kind) == (500, "internal")
    assert SECRET not in reply.body.decode()
    assert "ValueError at" in caplog.text
    assert "GET /{word} 500" in caplog.text
    assert SECRET not in caplog.text
    assert "Traceback" not in caplog.text
