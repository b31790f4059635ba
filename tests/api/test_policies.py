from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from served import Reply, Served
from smallprint.settings import Settings

POLICIES = "/api/v1/policies"
TEXT = (
    "Privacy Policy\n\nWe collect your name and your address when you order. We never sell personal information. "
    "You can ask us to delete your personal data at any time under this privacy policy."
)


def add(server: Served, name: str, text: str = TEXT, **headers: str) -> Reply:
    return server.ask("POST", POLICIES, {"source": {"text": text}, "name": name, "force": True}, **headers)


def events(reply: Reply) -> list[tuple[str, Any]]:
    assert reply.headers["content-type"].startswith("text/event-stream")
    found = []
    for block in reply.body.decode().strip().split("\n\n"):
        event, data = block.split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_policy_is_added_shown_removed_and_brought_back(server: Served) -> None:
    added = add(server, "Ode to AC/DC & Söhne?")
    assert added.status == 201
    place = added.headers["location"]
    assert place == f"{POLICIES}/{quote('Ode to AC/DC & Söhne?', safe='')}"
    shown = server.ask("GET", place).json
    assert shown["name"] == "Ode to AC/DC & Söhne?"
    assert shown["overview"]["words"] == added.json["words"]
    assert server.ask("GET", f"{place}/text").body.decode().startswith("Privacy Policy")
    assert [version["id"] for version in server.ask("GET", f"{place}/versions").json["items"]] == [
        added.json["version"]
    ]
    assert add(server, "Ode to AC/DC & Söhne?").status == 200  # the same text
    assert server.ask("DELETE", place).status == 204
    assert server.ask("GET", place).kind == "unknown-policy"
    assert server.ask("POST", "/api/v1/restore").json == {"name": "Ode to AC/DC & Söhne?"}
    assert server.ask("GET", place).status == 200
    assert server.ask("DELETE", f"{place}?forever=true").status == 204
    assert server.ask("POST", "/api/v1/restore").kind == "library"


def test_only_a_whole_name_names(server: Served) -> None:
    assert server.ask("GET", f"{POLICIES}/fernhill").status == 200
    for path in ("/Fern", "/Fern/text", "/Fern/versions", "/Fern/practices"):
        assert server.ask("GET", POLICIES + path).kind == "unknown-policy"
    assert server.ask("DELETE", f"{POLICIES}/Fern").kind == "unknown-policy"


def test_a_version_is_shown_by_its_id(server: Served) -> None:
    first = add(server, "Versioned").json["version"]
    add(server, "Versioned", TEXT.replace("never", "may"))
    place = f"{POLICIES}/Versioned"
    assert "We may sell" in server.ask("GET", f"{place}/text").body.decode()
    assert "We never sell" in server.ask("GET", f"{place}/text?version={first}").body.decode()
    assert server.ask("GET", f"{place}?version=999999").kind == "unknown-policy"


def test_the_list_comes_in_pages(server: Served) -> None:
    names = [f"Paged {n:02}" for n in range(5)]
    for name in names:
        add(server, name)
    seen: list[str] = []
    path = f"{POLICIES}?limit=2"
    while True:
        page = server.ask("GET", path).json
        assert len(page["items"]) <= 2
        seen += [item["name"] for item in page["items"]]
        if page["next"] is None:
            break
        path = f"{POLICIES}?limit=2&cursor={page['next']}"
    assert len(seen) == len(set(seen))
    assert [name for name in seen if name.startswith("Paged")] == names
    assert server.ask("GET", f"{POLICIES}?cursor=*").kind == "bad-query"


def test_what_has_not_changed_is_not_sent_again(server: Served) -> None:
    path = f"{POLICIES}/Fernhill"
    tag = server.ask("GET", path).headers["etag"]
    for given in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        unchanged = server.ask("GET", path, If_None_Match=given)
        assert (unchanged.status, unchanged.body, unchanged.headers["etag"]) == (304, b"", tag)
    assert server.ask("GET", path, If_None_Match='"other"').status == 200


def test_stages_are_told(server: Served) -> None:
    told = events(add(server, "Told", Accept="text/event-stream"))
    assert [data["stage"] for event, data in told if event == "stage"] == ["reading", "storing", "annotating"]
    assert told[-1][0] == "done"
    assert told[-1][1]["name"] == "Told"


def test_a_failure_is_told_as_an_event(server: Served) -> None:
    source = {"source": {"text": "A recipe for a cake: take flour, butter and eggs, and bake it for an hour."}}
    told = events(server.ask("POST", POLICIES, source, Accept="text/event-stream"))
    assert [event for event, _ in told] == ["stage", "problem"]
    assert told[-1][1]["type"] == "urn:smallprint:problem:not-a-policy"


def test_one_bad_address_does_not_stop_the_others(server: Served) -> None:
    sources = {"sources": [{"url": "http://127.0.0.1/"}, {"url": "http://[::1]:1/x"}]}
    told = events(server.ask("POST", "/api/v1/ingests", sources))
    assert [event for event, _ in told] == ["reading", "problem", "reading", "problem", "done"]
    assert told[1][1]["problem"]["type"] == "urn:smallprint:problem:forbidden-address"
    assert told[-1][1] == {"stored": 0, "unchanged": 0, "failed": 2}


def test_a_file_is_given_in_base64(server: Served) -> None:
    data = base64.b64encode(TEXT.encode()).decode()
    body = {"source": {"data": data}, "name": "Encoded", "force": True}
    assert server.ask("POST", POLICIES, body).status == 201
    body["source"] = {"data": data + "!"}
    assert server.ask("POST", POLICIES, body).kind == "unsupported-format"


@pytest.mark.parametrize("place", ["/", "/../", "/..%2f", "/%2e%2e/", "/./"])
def test_no_path_leads_out_of_the_library(server: Served, place: str) -> None:
    reply = server.ask("GET", f"{POLICIES}{place}etc/passwd")
    assert reply.kind in ("unknown-policy", "not-found")


def test_files_of_this_machine_are_not_read(server: Served, library: Settings, tmp_path: Path) -> None:
    file = tmp_path / "policy.txt"
    file.write_text(TEXT)
    for given in (str(file), f"file://{file}", "~/policy.txt", "/etc/passwd", "-", str(library.database)):
        assert server.ask("POST", POLICIES, {"source": {"url": given}}).kind == "invalid-request"
        assert server.ask("POST", "/api/v1/sessions", {"source": {"policy": given}}).kind == "unknown-policy"
        asked = {"source": {"policy": given}, "question": "What do you collect?"}
        assert server.ask("POST", "/api/v1/questions", asked).kind == "unknown-policy"
    assert server.ask("POST", POLICIES, {"source": {"url": f"http://x/{file}"}}).status in (403, 409)


def test_what_was_added_from_a_file_is_not_read_again_and_its_folder_not_told(server: Served) -> None:
    refused = server.ask("POST", f"{POLICIES}/Fernhill/refresh")
    assert refused.kind == "no-document"
    assert b"Fernhill" in refused.body
    assert b"fernhill.html" not in refused.body
    for path in ("", "/Fernhill", "/Fernhill/versions"):
        body = server.ask("GET", POLICIES + path).body
        assert b"fernhill.html" in body
        assert b"/fernhill.html" not in body


def test_an_address_in_a_private_network_is_refused(server: Served) -> None:
    for url in ("http://127.0.0.1:1/", "http://192.168.0.1/", "http://169.254.169.254/latest", "http://[::1]/"):
        assert server.ask("POST", POLICIES, {"source": {"url": url}}).kind == "forbidden-address"
        assert server.ask("POST", "/api/v1/sessions", {"source": {"url": url}}).kind == "forbidden-address"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"source": {}},
        {"source": {"url": "https://x.example", "text": "both"}},
        {"source": {"policy": "Fernhill"}},
        {"source": {"text": "x"}, "colour": "red"},
        {"source": {"text": "x"}, "force": "maybe"},
        {"source": {"url": "ftp://x.example"}},
        [],
    ],
)
def test_a_request_that_breaks_its_schema_is_told_where(server: Served, body: Any) -> None:
    reply = server.ask("POST", POLICIES, body)
    assert (reply.status, reply.kind) == (422, "invalid-request")
    assert reply.json["faults"]


def test_a_name_cannot_end_a_header(server: Served) -> None:
    reply = add(server, "Split\r\nSet-Cookie: a=b")
    assert reply.status in (200, 201)
    assert "set-cookie" not in reply.headers
