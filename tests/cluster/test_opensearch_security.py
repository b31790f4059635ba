"""Who asks, over what line, and what is said when a cluster says no. A small proxy plays the security plugin."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import opensearch_proxy as proxy
import pytest
from index_contract import ACME, ALL, ids
from opensearch_proxy import KEY, PASSWORD, READ_ONLY, USER, Answer, Proxy, Trouble, running

from smallprint.bench.opensearch_nodes import Nodes
from smallprint.errors import IndexUnavailable
from smallprint.index.document import IndexDocument
from smallprint.index.follow import open_index
from smallprint.index.language import parse
from smallprint.index.opensearch import client, writing
from smallprint.index.opensearch.address import address
from smallprint.index.opensearch.client import Client, Effort
from smallprint.index.protocol import Index, Request
from smallprint.settings import Settings

VERSION: Answer = (200, {"version": {"distribution": "opensearch", "number": "3.8.0"}})


@pytest.fixture
def guard(nodes: Nodes, tmp_path: Path) -> Iterator[Proxy]:
    """TLS and passwords in front of a real node."""
    server = Proxy(nodes.ports()[1])
    server.guarded = True
    with running(server, proxy.certificate(tmp_path / "server.pem")):
        yield server


def secured(settings: Settings, server: Proxy, login: str = "", ca: Path | None = None, **secrets: str) -> Index:
    vouched = f"&ca={ca}" if ca else ""
    place = f"opensearch+https://{login}127.0.0.1:{server.port}/guarded?shards=1{vouched}"
    return open_index(replace(settings, index=place, **secrets))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("login", "secrets"),
    [
        (f"{USER}@", {"index_password": PASSWORD}),
        (f"{USER}:{PASSWORD}@", {}),
        ("", {"index_api_key": KEY}),
    ],
)
def test_tls_with_a_password_or_a_key(
    guard: Proxy, settings: Settings, tmp_path: Path, login: str, secrets: dict[str, str]
) -> None:
    index = secured(settings, guard, login, tmp_path / "server.pem", **secrets)
    index.rebuild(ALL)
    assert ids(index.search(Request(parse('"phone number"')))) == ["acme"]


def test_a_wrong_password_or_none_is_said_and_not_repeated(guard: Proxy, settings: Settings, tmp_path: Path) -> None:
    ca = tmp_path / "server.pem"
    with pytest.raises(IndexUnavailable, match="does not accept the user 'reader' or the password"):
        secured(settings, guard, f"{USER}@", ca, index_password="wrong").ensure()
    with pytest.raises(IndexUnavailable, match="does not accept the API key"):
        secured(settings, guard, "", ca, index_api_key="wrong").ensure()
    with pytest.raises(IndexUnavailable, match="does not accept a stranger"):
        secured(settings, guard, "", ca).ensure()
    assert len(guard.asked) == 3  # a user that is tried again and again gets locked out


def test_a_missing_right_is_named(guard: Proxy, settings: Settings, tmp_path: Path) -> None:
    index = secured(settings, guard, f"{READ_ONLY}@", tmp_path / "server.pem", index_password=PASSWORD)
    with pytest.raises(IndexUnavailable, match=r"does not allow indices:data/write/bulk on guarded\*"):
        index.rebuild([ACME])


@pytest.mark.parametrize("name", ["localhost", "elsewhere.example"])
def test_a_certificate_nobody_vouches_for_is_refused(settings: Settings, tmp_path: Path, name: str) -> None:
    """Unknown to this machine, or known and made for another host. Not a byte of the password is sent."""
    made = proxy.certificate(tmp_path / "server.pem", name)
    with running(Proxy(None), made) as server:
        index = secured(settings, server, f"{USER}@", made if name != "localhost" else None, index_password=PASSWORD)
        with pytest.raises(IndexUnavailable, match="does not prove who it is"):
            index.ensure()
        assert server.asked == []


def test_no_secret_and_no_question_is_logged_or_shown(
    guard: Proxy,
    settings: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    changed = replace(settings, index_password=PASSWORD)
    index = secured(changed, guard, f"{USER}@", tmp_path / "server.pem")
    index.rebuild(ALL)
    index.search(Request(parse("quetzalcoatl")))
    guard.trouble = lambda _method, _path: (500, {"error": "no"})
    with pytest.raises(IndexUnavailable) as caught:
        index.search(Request(parse("quetzalcoatl")))
    place = address(replace(changed, index=f"opensearch+https://u:{PASSWORD}@h/n"))
    told = [caplog.text, *capfd.readouterr(), str(caught.value), repr(caught.value), repr(place), str(place)]
    told += [repr(Client(place)), repr(replace(changed, index=f"opensearch+https://u:{PASSWORD}@h/n"))]
    secrets = re.compile(f"{PASSWORD}|{KEY}|quetzalcoatl|cmVhZGVy")  # the last is how `reader` begins in base64
    assert not any(secrets.search(text) for text in told)


# A server that only plays one: no node behind.


def asked(settings: Settings, trouble: Trouble, *, patience: float = 3.0) -> list[str]:
    """What a call gets to hear, and how often it was made."""
    with running(Proxy(None, trouble)) as server:
        place = address(replace(settings, index=f"opensearch+http://127.0.0.1:{server.port}/name?timeout=0.5"))
        try:
            Client(place).call("GET", "/name/_mapping", effort=Effort(patience))
            said = "done"
        except IndexUnavailable as error:
            said = str(error)
        return [said, *(path for _, path, _ in server.asked)]


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ({"number": "7.10.2"}, "another engine 7.10.2"),
        ({"number": "1.3.20", "distribution": "opensearch"}, "opensearch 1.3.20"),
        ({}, "another engine ?"),
    ],
)
def test_a_wrong_version_is_said(settings: Settings, version: dict[str, object], said: str) -> None:
    told = asked(settings, lambda _method, _path: (200, {"version": version}))
    assert said in told[0]
    assert "needs OpenSearch" in told[0]
    assert told[1:] == ["/"]


def test_what_is_no_opensearch_at_all_is_said(settings: Settings) -> None:
    with running(Proxy(None, lambda _method, _path: (200, {}))) as server:
        server.page = b"<html>It works!</html>"
        place = address(replace(settings, index=f"opensearch+http://127.0.0.1:{server.port}/name"))
        with pytest.raises(IndexUnavailable, match="does not answer like OpenSearch"):
            Client(place).call("GET", "/name")


def test_what_passes_is_repeated_and_what_does_not_is_not(settings: Settings) -> None:
    left = iter([503, 429, 502])

    def busy(_method: str, path: str) -> Answer:
        return VERSION if path == "/" else (next(left, 200), {})

    assert asked(settings, busy) == ["done", "/", *["/name/_mapping"] * 4]
    told = asked(settings, lambda _method, path: VERSION if path == "/" else (400, {"error": {"type": "bad"}}))
    assert len(told) == 3


def test_repetitions_are_bounded_and_slow_down(settings: Settings) -> None:
    began = time.monotonic()
    told = asked(settings, lambda _method, _path: (503, {"error": {"type": "busy", "reason": "try"}}), patience=1.5)
    assert "Try again" in told[0]
    assert time.monotonic() - began < 10
    assert 3 <= len(told) <= 9


def test_a_node_that_does_not_answer_is_not_waited_for(settings: Settings) -> None:
    def asleep(_method: str, _path: str) -> None:
        time.sleep(2)

    began = time.monotonic()
    told = asked(settings, asleep, patience=1.0)
    assert "did not answer within 0.5 seconds" in told[0]
    assert time.monotonic() - began < 10


def test_pauses_grow_and_end() -> None:
    made = list(client.pauses(Effort(0.0), at_once=2))
    assert made == [0.0, 0.0, None]


def test_another_index_of_that_name_is_left_alone(nodes: Nodes, settings: Settings) -> None:
    taken = open_index(replace(settings, index=nodes.index("ours", "?shards=1")))
    foreign = Client(address(replace(settings, index=nodes.index("foreign"))))
    foreign.call("PUT", "/foreign", {"settings": {"number_of_shards": 1}})
    foreign.call("PUT", "/ours", {"settings": {"number_of_shards": 1}})
    for index in (taken, open_index(replace(settings, index=nodes.index("foreign")))):
        with pytest.raises(IndexUnavailable, match="something else by the name"):
            index.rebuild([ACME])
    assert nodes.ask("/foreign,ours/_count")["count"] == 0


def test_an_index_whose_fields_do_not_fit_is_built_anew(nodes: Nodes, settings: Settings) -> None:
    index = open_index(replace(settings, index=nodes.index("fields", "?shards=1")))
    index.rebuild([ACME])
    there = Client(address(replace(settings, index=nodes.index("fields"))))
    there.call("PUT", "/fields/_mapping", {"_meta": {"smallprint": {"schema": 0, "name": "fields"}}})
    assert index.ensure()
    index.rebuild([ACME])
    assert not index.ensure()


def test_a_document_that_does_not_fit_is_said(settings: Settings) -> None:
    place = address(replace(settings, index="opensearch+http://127.0.0.1:9/name"))
    error = Client(place).refusal(
        400, {"error": {"type": "strict_dynamic_mapping_exception", "reason": "[colour] is not allowed"}}
    )
    assert "does not fit this version" in str(error)
    assert "index rebuild" in str(error)


def test_bulk_requests_are_bounded_in_bytes(nodes: Nodes, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BULK_BYTES", 20_000)
    large = IndexDocument(id="large", text="zebra " * 10_000)
    small = [IndexDocument(id=str(n), text="zebra " * 300) for n in range(50)]
    with running(Proxy(nodes.ports()[1])) as server:
        index = open_index(replace(settings, index=f"opensearch+http://127.0.0.1:{server.port}/bulk?shards=1"))
        assert index.rebuild([*small, large]) == 51
        sizes = [size for _, path, size in server.asked if path.startswith("/_bulk")]
    assert len([size for size in sizes if size > 20_000]) == 1
    assert len(sizes) >= 10
