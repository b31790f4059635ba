from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from served import Served, serving
from smallprint.errors import SettingsError
from smallprint.http import guard
from smallprint.server import create_app
from smallprint.settings import Settings

TOKEN = "a-token-that-is-long-enough"
HEALTH = "/api/v1/health"
VERSION = "/api/v1/version"


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    with serving(create_app(settings)) as one:
        yield one


@pytest.fixture
def guarded(settings: Settings) -> Iterator[Served]:
    with serving(create_app(replace(settings, host="0.0.0.0", host_names="policies.example", token=TOKEN))) as one:
        yield one


@pytest.mark.parametrize("host", ["localhost", "localhost:80", "127.0.0.1:1", "[::1]:8765", "LOCALHOST"])
def test_it_goes_by_the_names_of_this_machine(served: Served, host: str) -> None:
    assert served.ask("GET", HEALTH, Host=host).json == {"status": "ok"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.0.7",
        "evil@localhost.example",
        "",
        "[",
    ],
)
def test_a_rebound_name_is_refused(served: Served, host: str) -> None:
    reply = served.ask("GET", HEALTH, Host=host)
    assert (reply.status, reply.kind) == (421, "wrong-host")


def test_no_host_at_all_is_refused(served: Served) -> None:
    assert b" 421 " in served.raw(b"GET /api/v1/health HTTP/1.0\r\n\r\n")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
        {"Origin": ""},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_what_another_site_sends_is_refused(served: Served, method: str, headers: dict[str, str]) -> None:
    assert served.ask(method, HEALTH, **headers).kind == "cross-site"


def test_our_own_pages_and_programs_may_send(served: Served) -> None:
    own = f"http://127.0.0.1:{served.port}"
    assert served.ask("POST", HEALTH, Origin=own, Sec_Fetch_Site="same-origin").kind == "method-not-allowed"
    assert served.ask("POST", HEALTH).kind == "method-not-allowed"


def test_no_other_site_may_read(served: Served) -> None:
    asked = served.ask("OPTIONS", HEALTH, Origin="http://evil.example", Access_Control_Request_Method="GET")
    for reply in (asked, served.ask("GET", HEALTH, Origin="http://evil.example")):
        assert not [name for name in reply.headers if name.startswith("access-control")]
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", [HEALTH, "/nowhere"])
def test_every_answer_is_fenced_in(served: Served, path: str) -> None:
    headers = served.ask("GET", path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "policies.example"])
def test_beyond_loopback_it_does_not_start_without_a_token(settings: Settings, host: str) -> None:
    with pytest.raises(SettingsError, match="SMALLPRINT_TOKEN"):
        create_app(replace(settings, host=host))


def test_a_short_token_is_none(settings: Settings) -> None:
    with pytest.raises(SettingsError, match="too short"):
        create_app(replace(settings, token="short"))


def test_the_token_opens(guarded: Served) -> None:
    assert guarded.ask("GET", HEALTH).status == 200
    assert guarded.ask("GET", VERSION, Authorization=f"Bearer {TOKEN}").status == 200
    assert guarded.ask("GET", VERSION, Authorization=f"bearer {TOKEN}", Host="192.0.2.7:8765").status == 200
    assert guarded.ask("GET", VERSION, Authorization=f"Bearer {TOKEN}", Host="policies.example").status == 200
    assert guarded.ask("GET", VERSION, Authorization=f"Bearer {TOKEN}", Host="evil.example").kind == "wrong-host"


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer ünï"]
)
def test_a_wrong_token_does_not(guarded: Served, given: str) -> None:
    reply = guarded.ask("GET", VERSION, Authorization=given.encode("latin-1").decode("latin-1"))
    assert (reply.status, reply.kind) == (401, "token-wanted")
    assert reply.headers["www-authenticate"] == "Bearer"


def test_only_who_shows_nothing_is_sent_to_the_form(guarded: Served) -> None:
    for headers in ({}, {"Authorization": "Basic b3duZXI6c2VjcmV0"}):  # a proxy's, which says nothing here
        reply = guarded.ask("GET", "/", Accept="text/html", **headers)
        assert (reply.status, reply.headers["location"]) == (303, guard.LOGIN)
    assert guarded.ask("GET", "/", Accept="text/html", Authorization=f"Bearer {TOKEN}x").status == 401


def test_a_login_of_another_token_is_taken_back(guarded: Served) -> None:
    void = f"{guard.LOGIN_COOKIE}={guard.login_cookie('another-token-of-before')}"
    page = guarded.ask("GET", "/", Accept="text/html", Cookie=void)
    assert page.status == 401
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["set-cookie"].startswith(f"{guard.LOGIN_COOKIE}=; Path=/; Max-Age=0")
