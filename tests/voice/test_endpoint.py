"""The endpoint on a real server: right requests are answered, and each single tampering is a 400."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from signing import ADDRESS, APPLICATION, Vendor, body_of, rsa_key, sign

from served import Reply, Served, serving
from smallprint.assistant import Assistant
from smallprint.errors import ForbiddenAddress
from smallprint.records import Turn
from smallprint.server import create_app
from smallprint.settings import Settings
from smallprint.voice import PATH, Verifier, endpoint, speech

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
LAUNCH = {"type": "LaunchRequest"}
TOKEN = "a-token-that-is-long-enough"


@pytest.fixture(scope="module")
def vendor() -> Vendor:
    return Vendor.make()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = Settings(home=tmp_path_factory.mktemp("home"), voice_skill_id=APPLICATION, token=TOKEN)
    Assistant(settings).add(str(SAMPLES / "plazaly.html"), name="Plazaly")
    return settings


@pytest.fixture(scope="module")
def app(vendor: Vendor, library: Settings) -> FastAPI:
    verifier = Verifier(APPLICATION, {ADDRESS: vendor.chain}.__getitem__, roots=lambda: [vendor.root.certificate])
    return create_app(library, verifier)


@pytest.fixture(scope="module")
def served(app: FastAPI) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch, serving(app) as one:
        patch.setattr(endpoint, "ANSWER_SECONDS", 600)  # a busy machine must not fail a test
        yield one


def post(served: Served, body: bytes, headers: dict[str, str]) -> Reply:
    return served.ask("POST", PATH, body, **{name.replace("-", "_"): value for name, value in headers.items()})


def test_a_dialogue_over_the_wire(served: Served, vendor: Vendor) -> None:
    attributes: dict[str, Any] = {}

    def tell(request: dict[str, Any]) -> dict[str, Any]:
        whole = json.loads(body_of(request))
        whole["session"]["attributes"] = attributes
        body = json.dumps(whole).encode()
        reply = post(served, body, sign(body, vendor.leaf.key))
        assert reply.status == 200, reply.body
        attributes.clear()
        attributes.update(reply.json["sessionAttributes"])
        response = reply.json["response"]
        assert isinstance(response, dict)
        return response

    def intent(name: str, **slots: str) -> dict[str, Any]:
        filled = {slot: {"name": slot, "value": value} for slot, value in slots.items()}
        return {"type": "IntentRequest", "intent": {"name": name, "slots": filled}}

    hello = tell(LAUNCH)
    assert "the policy of Plazaly" in speech.plain(hello["outputSpeech"]["ssml"])
    assert hello["shouldEndSession"] is False
    answer = tell(intent("AskDoIntent", question="they sell my profile information"))
    assert "We may sell profile information" in speech.plain(answer["outputSpeech"]["ssml"])
    assert "We may sell profile information" in answer["card"]["content"]
    assert "more" in speech.plain(tell(intent("AMAZON.YesIntent"))["outputSpeech"]["ssml"])
    assert tell(intent("AMAZON.StopIntent"))["shouldEndSession"] is True
    assert tell({"type": "SessionEndedRequest", "reason": "USER_INITIATED"}) == {}


NOW = datetime.now(UTC)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (None, {"signature-256": "AAAA"}),
        (None, {"signature-256": ""}),
        (None, {"signaturecertchainurl": ""}),
        (None, {"signaturecertchainurl": ADDRESS.replace("https", "http")}),
        (None, {"signaturecertchainurl": ADDRESS.replace("s3.", "s4.")}),
        (None, {"signaturecertchainurl": ADDRESS.replace("echo.api/", "echo.apj/")}),
        (None, {"signaturecertchainurl": ADDRESS.replace(".com/", ".com:444/")}),
        (body_of(LAUNCH, when=NOW - timedelta(days=1)), {}),
        (body_of(LAUNCH, when=NOW + timedelta(days=1)), {}),
        (lambda: body_of(LAUNCH, application="another"), {}),
        (b"{}", {}),
        (b"x" * 300_000, {}),
    ],
    ids=[
        "signature",
        "no signature",
        "no address",
        "scheme",
        "host",
        "path",
        "port",
        "old",
        "future",
        "application",
        "no request",
        "too long",
    ],
)
def test_each_tampering_is_a_400(
    served: Served, vendor: Vendor, body: bytes | Callable[[], bytes] | None, headers: dict[str, str]
) -> None:
    body = body() if callable(body) else body or body_of(LAUNCH)
    signed = {**sign(body, vendor.leaf.key), **headers}
    reply = post(served, body, {name: value for name, value in signed.items() if value})
    assert (reply.status, reply.kind) == (400, "untrusted")


def test_a_changed_body_or_key_is_a_400(served: Served, vendor: Vendor) -> None:
    body = body_of(LAUNCH)
    assert post(served, body + b" ", sign(body, vendor.leaf.key)).status == 400
    assert post(served, body, sign(body, rsa_key("another"))).status == 400
    assert post(served, body, sign(body, vendor.leaf.key)).status == 200


def test_the_signature_opens_this_path_alone(served: Served, vendor: Vendor) -> None:
    body = body_of(LAUNCH)
    signed = {name.replace("-", "_"): value for name, value in sign(body, vendor.leaf.key).items()}
    assert served.ask("POST", "/mcp", body, **signed).status == 401
    assert served.ask("POST", PATH, body, Authorization=f"Bearer {TOKEN}").status == 400
    assert served.ask("GET", PATH).status == 405


def test_without_a_skill_there_is_no_endpoint(library: Settings) -> None:
    with serving(create_app(replace(library, voice_skill_id="", token=""))) as one:
        assert one.ask("POST", PATH, b"{}").status == 404


def test_the_usual_verifier_fetches_by_the_guarded_way(library: Settings) -> None:
    with pytest.raises(ForbiddenAddress):
        Assistant(library).download("https://127.0.0.1/echo.api/cert.pem", most=1_000, seconds=1)


def test_who_waits_too_long_is_told_so(
    served: Served, app: FastAPI, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: str) -> Turn:
        time.sleep(0.3)
        raise AssertionError("nobody waits for this")

    monkeypatch.setattr(endpoint, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(app.state.desk.assistant, "list", slow)
    body = body_of(LAUNCH)
    reply = post(served, body, sign(body, vendor.leaf.key))
    assert reply.status == 200
    assert "ask again in a moment" in reply.json["response"]["outputSpeech"]["ssml"]


def test_nothing_that_was_said_is_logged(served: Served, vendor: Vendor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    intent = {"name": "AskDoIntent", "slots": {"question": {"name": "question", "value": "they sell my zebrafish"}}}
    body = body_of({"type": "IntentRequest", "intent": intent})
    assert post(served, body, sign(body, vendor.leaf.key)).status == 200
    assert post(served, body + b"x", sign(body, vendor.leaf.key)).status == 400
    assert "zebrafish" not in caplog.text
