"""The protocol as its own SDK's client speaks it: a real process over standard streams, a real server over HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, TextContent, TextResourceContents

from served import serving
from smallprint.asking import OpenPolicy
from smallprint.assistant import Assistant
from smallprint.http.desk import Desk
from smallprint.mcp import http_app
from smallprint.mcp.serving import PolicyServer
from smallprint.records import Verdict
from smallprint.server import create_app
from smallprint.settings import Settings

SAMPLES = Path(__file__).parents[2] / "src/smallprint/samples"
SELL = "do you sell my profile information?"
Connect = Callable[[], AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    assistant = Assistant(settings)
    assistant.add(str(SAMPLES / "plazaly.html"), name="Plazaly")
    assistant.add(str(SAMPLES / "owlglass.html"), name="Owl/Glass & Co")
    return settings


@pytest.fixture(scope="module")
def address(library: Settings) -> Iterator[str]:
    with serving(create_app(library)) as served:
        yield f"http://127.0.0.1:{served.port}/mcp"


@pytest.fixture(params=["stdio", "http"])
def connect(request: pytest.FixtureRequest, library: Settings) -> Connect:
    if request.param == "http":
        url = request.getfixturevalue("address")
        return lambda: Client(url)
    return lambda: Client(process(library))


def process(library: Settings) -> StdioServerParameters:
    python_path = os.pathsep.join(sys.path)
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "smallprint.cli", "mcp"],
        env={"SMALLPRINT_HOME": str(library.home), "PYTHONPATH": python_path},
    )


def talk(connect: Connect, conversation: Callable[[Client], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        async with connect() as client:
            await conversation(client)

    asyncio.run(whole())


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def data(result: CallToolResult) -> Any:
    assert not result.is_error, text(result)
    assert json.loads(text(result)) == result.structured_content
    return result.structured_content


def test_a_policy_is_listed_read_asked_and_searched(connect: Connect) -> None:
    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "read_policy",
            "ask_policy",
            "search_policies",
            "compare_policies",
            "surprises_in_policy",
            "find_policies",
            "check_policy",
            "policy_changes",
        }
        for tool in tools.values():
            assert tool.annotations
            assert tool.annotations.read_only_hint is True
            assert tool.output_schema
            assert tool.description
        assert tools["ask_policy"].input_schema["required"] == ["source", "question"]

        asked = data(await client.call_tool("ask_policy", {"source": "Plazaly", "question": SELL}))
        assert Verdict(asked["answer"]["verdict"]).is_answer
        shown = {one["sentence"]["text"]: one["sentence"] for one in asked["answer"]["evidence"]}
        assert any("We never sell" in text for text in shown), "it contradicts itself, and both sides are shown"
        sentence = next(one for text, one in shown.items() if "We may sell profile information" in text)

        about = {"source": "plazaly", "first": sentence["id"], "count": 2}
        read = data(await client.call_tool("read_policy", about))
        assert read["digest"] == asked["digest"]
        assert read["sentences"][0] == sentence
        assert len(read["sentences"]) == 2
        assert read["overview"]["words"] > 500
        assert str(SAMPLES) not in json.dumps(read)
        known = range(read["overview"]["sentences"])
        assert read["label"]["collected"]
        assert all(one in known for entry in read["label"]["collected"] for one in entry["sentences"])

        found = data(await client.call_tool("search_policies", {"query": "sell", "unit": "sentence", "limit": 1}))
        assert found["total"] >= 1
        assert found["hits"][0]["number"] is not None
        assert "sell" in found["hits"][0]["sentence"]["text"].lower()

    talk(connect, conversation)


def test_policies_are_compared_weighed_found_and_checked(connect: Connect) -> None:
    async def conversation(client: Client) -> None:
        wanted = {"sources": ["Plazaly", "Owl/Glass & Co"], "on": "location", "questions": [SELL]}
        made = data(await client.call_tool("compare_policies", wanted))
        assert len(made["names"]) == len(made["digests"]) == 2
        assert [len(row["cells"]) for row in made["rows"]] == [2] * len(made["rows"])
        assert made["asked"][1]["question"] == SELL

        weighed = data(await client.call_tool("surprises_in_policy", {"source": "Plazaly"}))
        assert "sells/data" in [one["trait"] for one in weighed["surprises"]]

        found = data(await client.call_tool("find_policies", {"need": "doesn't sell my data"}))["finding"]
        assert "Plazaly" not in [match["service"] for match in found["matches"]]

        checked = data(await client.call_tool("check_policy", {"source": "Plazaly", "against": "coppa"}))
        assert "no legal advice" in checked["check"]["warning"]

    talk(connect, conversation)


def test_a_stored_policy_tells_what_changed(address: str) -> None:
    async def conversation(client: Client) -> None:
        found = data(await client.call_tool("policy_changes", {"name": "Plazaly", "since": "2024"}))
        assert found["service"] == "Plazaly"
        assert len(found["versions"]) == 1
        assert found["revisions"] == []

    talk(lambda: Client(address), conversation)


def test_stored_policies_are_resources(connect: Connect) -> None:
    async def conversation(client: Client) -> None:
        listed = {one.name: one for one in (await client.list_resources()).resources}
        assert set(listed) == {"Plazaly", "Owl/Glass & Co"}
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "policy://{name}"
        for one in listed.values():
            (contents,) = (await client.read_resource(one.uri)).contents
            assert isinstance(contents, TextResourceContents)
            assert len(contents.text) > 1_000
        with pytest.raises(MCPError, match="Nobody"):
            await client.read_resource("policy://Nobody")

    talk(connect, conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("ask_policy", {"source": "Nobody", "question": SELL}, "Nobody"),
        ("ask_policy", {"source": "http://127.0.0.1:9/", "question": SELL}, "127.0.0.1"),
        ("search_policies", {"query": '"sell'}, ""),
        ("search_policies", {"query": "sell", "cursor": "x"}, "cursor"),
        ("search_policies", {"query": "sell", "limit": 1_000_000}, "limit"),
        ("ask_policy", {"source": "Plazaly", "question": ""}, "question"),
        ("read_policy", {"source": "-"}, ""),
        ("policy_changes", {"name": "Nobody"}, "Nobody"),
        ("policy_changes", {"name": "Plazaly", "since": "May"}, "since"),
        ("read_policy", {"source": "a\x00b"}, ""),
    ],
)
def test_what_cannot_be_done_is_an_error_result(address: str, tool: str, arguments: dict[str, Any], says: str) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert says in text(result)
        assert "Traceback" not in text(result)

    talk(lambda: Client(address), conversation)


def test_what_breaks_tells_nobodys_words(
    library: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Assistant, source: str) -> OpenPolicy:
        raise RuntimeError(f"could not digest {source}")

    monkeypatch.setattr(Assistant, "read", broken)

    async def conversation(client: Client) -> None:
        result = await client.call_tool("ask_policy", {"source": "Zebrafish", "question": "zebra?"})
        assert result.is_error
        assert "itself broke" in text(result)

    caplog.set_level(logging.DEBUG)
    talk(lambda: Client(PolicyServer(Desk(Assistant(library)))), conversation)
    assert "RuntimeError" in caplog.text
    assert "digest Zebra" not in caplog.text


def test_files_are_for_the_own_process_only(library: Settings, address: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text((SAMPLES / "stillwren.html").read_text())

    async def own(client: Client) -> None:
        assert data(await client.call_tool("read_policy", {"source": str(page)}))["overview"]["words"]

    async def remote(client: Client) -> None:
        there = await client.call_tool("read_policy", {"source": str(page)})
        nowhere = await client.call_tool("read_policy", {"source": str(page) + "x"})
        by_scheme = await client.call_tool("read_policy", {"source": f"file://{page}"})
        assert there.is_error
        assert by_scheme.is_error
        # Not even whether it exists.
        assert text(there).replace(str(page), "") == text(nowhere).replace(str(page) + "x", "")

    talk(lambda: Client(process(library)), own)
    talk(lambda: Client(address), remote)


def alone(library: Settings) -> FastAPI:
    """The door without the server around it."""
    inner = http_app(Desk(Assistant(library)), ["localhost", "127.0.0.1"])

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with inner.router.lifespan_context(inner):
            yield

    app = FastAPI(lifespan=lifespan)
    app.router.routes.extend(inner.routes)
    return app


@pytest.mark.parametrize("guarded", [True, False], ids=["behind the server's guards", "by itself"])
def test_pages_of_others_are_turned_away(library: Settings, guarded: bool) -> None:
    app = create_app(library) if guarded else alone(library)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = "application/json, text/event-stream"
    with serving(app) as served:
        assert served.ask("POST", "/mcp", body, Accept=accept).status == 200
        assert served.ask("POST", "/mcp", body, Accept=accept, Host="evil.example").status == 421
        assert served.ask("POST", "/mcp", body, Accept=accept, Origin="https://evil.example").status == 403


def test_beyond_this_machine_a_token_is_wanted(library: Settings) -> None:
    token = "a-token-that-is-long-enough"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = "application/json, text/event-stream"
    with serving(create_app(replace(library, token=token))) as served:
        assert served.ask("POST", "/mcp", body, Accept=accept).status == 401
        assert served.ask("POST", "/mcp", body, Accept=accept, Authorization=f"Bearer {token}").status == 200


def test_standard_output_carries_the_protocol_alone_and_no_question_is_logged(library: Settings) -> None:
    started = process(library)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = {"name": "ask_policy", "arguments": {"source": "Zebrafish", "question": "zebra?"}}
    lines: list[dict[str, Any]] = [
        {"method": "initialize", "id": 1, "params": hello},
        {"method": "notifications/initialized"},
        {"method": "tools/call", "id": 2, "params": asked},
        {"method": "resources/read", "id": 3, "params": {"uri": "policy://Zebrafish"}},
    ]
    with subprocess.Popen(
        [started.command, *started.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(started.env or {})},
    ) as running:
        assert running.stdin
        assert running.stdout
        assert running.stderr
        running.stdin.write("".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines))
        running.stdin.flush()
        replies = [json.loads(running.stdout.readline()) for _ in range(3)]
        running.stdin.close()
        assert running.stdout.read() == ""
        assert "ebra" not in running.stderr.read()
    assert {reply["id"] for reply in replies} == {1, 2, 3}
    assert running.returncode == 0
