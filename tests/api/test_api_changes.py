from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from fernhill import POLICY

from served import Served
from smallprint.assistant import Assistant
from smallprint.settings import Settings

NEVER, MAY = POLICY, POLICY.replace("We do not sell your personal", "We may sell your personal")


@pytest.fixture(scope="module")
def brookside(library: Settings) -> Iterator[str]:
    """A service with two versions, which other tests of the server do not see."""
    assistant = Assistant(library)
    for text in (NEVER, MAY):
        assistant.add("-", name="Brook/side", force=True, stdin=BytesIO(text.encode()))
    yield "/api/v1/policies/Brook%2Fside/changes"
    assistant.forget("Brook/side")


def test_a_stored_policy_tells_what_changed(server: Served, brookside: str) -> None:
    reply = server.ask("GET", brookside)
    assert reply.status == 200
    assert reply.json["service"] == "Brook/side"
    assert len(reply.json["versions"]) == 2
    (revision,) = reply.json["revisions"]
    (change,) = revision["changes"]
    assert (change["kind"], change["old"]) == ("weakened", "We do not sell your personal information.")
    assert change["new"] == "We may sell your personal information."
    assert server.ask("GET", brookside, If_None_Match=reply.headers["etag"]).status == 304


def test_since_is_a_day(server: Served, brookside: str) -> None:
    assert server.ask("GET", f"{brookside}?since=2999").json["revisions"] == []
    assert server.ask("GET", f"{brookside}?since=yesterday").status == 422
    assert server.ask("GET", "/api/v1/policies/Nobody/changes").kind == "unknown-policy"


def test_two_texts_are_compared_without_being_stored(server: Served) -> None:
    body = {"old": {"text": MAY}, "new": {"text": NEVER}, "force": True}
    reply = server.ask("POST", "/api/v1/changes", body)
    assert reply.status == 200
    (change,) = reply.json["changes"]
    assert change["new"] == "We do not sell your personal information."
    assert server.ask("POST", "/api/v1/changes", {"old": {"policy": "Nobody"}, "new": {"text": MAY}}).status == 404
