"""Clients that send too much, too slowly or too often."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi import FastAPI, Request
from starlette.middleware import Middleware

from served import Served, serving
from smallprint.http import guard
from smallprint.http.limits import Bounds, Buckets, Rate
from smallprint.http.protocol import Protocol
from smallprint.server import create_app
from smallprint.settings import Settings

LIMIT = 1_000
CHUNK = b"%x\r\n%s\r\n" % (600, b"x" * 600)
CHUNKED = b"POST /count HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def bounded() -> Iterator[Served]:
    """Counts the bytes it is sent; /wait answers late."""
    app = FastAPI(middleware=[Middleware(Bounds, max_bytes=LIMIT, body_seconds=1.0, answer_seconds=3.0)])

    @app.post("/count")
    async def count(request: Request) -> int:
        return len(await request.body())

    @app.get("/wait")
    async def wait() -> None:
        await asyncio.sleep(60)

    with serving(app) as one:
        yield one


def test_a_body_up_to_the_limit_is_taken(bounded: Served) -> None:
    assert bounded.ask("POST", "/count", b"x" * LIMIT).json == LIMIT
    assert b" 200 " in bounded.raw(CHUNKED, CHUNK + b"0\r\n\r\n")


def test_a_body_that_says_it_is_larger_is_not_read(bounded: Served) -> None:
    head = b"POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\n\r\n"
    answer = bounded.raw(head)
    assert b" 413 " in answer
    assert b"urn:smallprint:problem:too-large" in answer


def test_a_chunked_body_is_counted_as_it_comes(bounded: Served) -> None:
    answer = bounded.raw(CHUNKED, CHUNK, CHUNK)  # without its end: the server must not wait for that
    assert b" 413 " in answer
    assert b"urn:smallprint:problem:too-large" in answer


def test_a_slow_body_is_given_up(bounded: Served) -> None:
    answer = bounded.raw(CHUNKED, b"1\r\nx\r\n")
    assert b" 408 " in answer
    assert b"urn:smallprint:problem:slow-body" in answer


def test_a_slow_answer_is_given_up(bounded: Served) -> None:
    reply = bounded.ask("GET", "/wait")
    assert (reply.status, reply.kind) == (503, "took-too-long")
    assert reply.headers["retry-after"]


def test_a_slow_head_is_given_up(bounded: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Protocol, "HEAD_SECONDS", 0.5)
    assert bounded.raw() == b""
    assert bounded.raw(b"GET /wait HTTP/1.1\r\n") == b""
    assert bounded.raw(b"GET /wait HTTP/1.1\r\n", b"X-A: b\r\n", b"X-C: d\r\n", pause=0.4) == b""


@pytest.mark.parametrize(
    "request_", [b"\0\0\0\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"G" * 100_000]
)
def test_what_is_no_request_is_a_problem(bounded: Served, request_: bytes) -> None:
    answer = bounded.raw(request_)
    assert b" 400 " in answer
    assert b"application/problem+json" in answer


def test_the_server_has_bounds(settings: Settings) -> None:
    with serving(create_app(replace(settings, max_bytes=3_000))) as one:
        head = b"POST /api/v1/questions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"
        assert b" 413 " in one.raw(head)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_again() -> None:
    clock = Clock()
    buckets = Buckets(60, 2, clock)
    for _ in range(2):
        assert buckets.wait("a") == 0
        buckets.take("a")
    assert buckets.wait("a") == pytest.approx(1)
    assert buckets.wait("b") == 0
    clock.now = 1
    assert buckets.wait("a") == 0
    clock.now = 1_000
    buckets.take("a")
    assert buckets.wait("a") == 0  # never more than the burst


def test_too_many_requests_are_refused_until_later() -> None:
    clock = Clock()
    app = FastAPI(middleware=[Middleware(Rate, per_minute=20, clock=clock)])

    @app.get("/")
    async def hello() -> str:
        return "hello"

    with serving(app) as one:
        assert [one.ask("GET", "/").status for _ in range(3)] == [200, 200, 429]
        reply = one.ask("GET", "/", X_Forwarded_For="198.51.100.1")
        assert (reply.kind, reply.headers["retry-after"]) == ("too-many-requests", "3")
        clock.now = 3
        assert one.ask("GET", "/").status == 200


def test_tokens_cannot_be_guessed_for_long(settings: Settings) -> None:
    token = "a-token-that-is-long-enough"
    with serving(create_app(replace(settings, token=token))) as one:
        guesses = [one.ask("GET", "/api/v1/version", Authorization=f"Bearer {n}").status for n in range(12)]
        assert guesses == [401] * 10 + [429] * 2
        assert one.ask("GET", "/api/v1/version", Authorization=f"Bearer {token}").status == 429


@pytest.mark.parametrize("shown", ["Authorization: Bearer {}", f"Cookie: {guard.LOGIN_COOKIE}={{}}"])
def test_nor_by_asking_for_pages(settings: Settings, shown: str) -> None:
    name, _, value = shown.partition(": ")
    with serving(create_app(replace(settings, token="a-token-that-is-long-enough"))) as one:
        guesses = [one.ask("GET", "/", Accept="text/html", **{name: value.format(n)}).status for n in range(12)]
        assert guesses == [401] * 10 + [429] * 2


def test_nor_by_typing_them_into_the_form(settings: Settings) -> None:
    with serving(create_app(replace(settings, token="a-token-that-is-long-enough"))) as one:
        page = one.ask("GET", guard.LOGIN)
        found = re.search(rb'name="form_token" value="(\w+)"', page.body)
        assert found
        headers = {
            "Accept": "text/html",
            "Content_Type": "application/x-www-form-urlencoded",
            "Cookie": page.headers["set-cookie"].partition(";")[0],
            "X_Form_Token": found[1].decode(),
        }
        guesses = [one.ask("POST", guard.LOGIN, b"token=%d" % n, **headers).status for n in range(12)]
        assert guesses == [401] * 10 + [429] * 2
