"""The API keeps what its description promises; a tool that knows neither looks for where it does not."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fernhill import POLICY

from served import Served, serving
from smallprint.assistant import Assistant
from smallprint.errors import HostNotFound
from smallprint.server import create_app
from smallprint.settings import Settings

OPENAPI = "/api/v1/openapi.json"
TOKEN = "a-token-that-is-long-enough"
FEWEST = 1_000  # cases; fewer would mean that it could not read the description


@pytest.fixture
def offline(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that finds no other site, and counts no requests."""

    def nowhere(url: str, *_: Any, **__: Any) -> None:
        raise HostNotFound("There is no network here.", url=url, retryable=True)

    monkeypatch.setattr("smallprint.ingest.fetch.fetch", nowhere)
    Assistant(settings).add("-", name="Plazaly", force=True, stdin=BytesIO(POLICY.encode()))  # of the examples
    with serving(create_app(replace(settings, requests_per_minute=10**9))) as one:
        yield one


def test_nothing_is_found_that_breaks_the_description(offline: Served, tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{offline.port}{OPENAPI}"),
        *("--max-examples", "3", "--generation-deterministic", "--no-color"),
        *("--request-timeout", "120", "--suppress-health-check", "all"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    made = re.search(r"(\d+) generated", done.stdout)
    assert made, done.stdout[-2_000:]
    assert int(made[1]) > FEWEST


def test_it_says_what_version_it_is_and_shows_examples(server: Served) -> None:
    described = server.ask("GET", OPENAPI).json
    assert described["openapi"].startswith("3.1")
    for path, operations in described["paths"].items():
        for operation in operations.values():
            assert {"4XX", "5XX"} <= set(operation["responses"]), path
            body = operation.get("requestBody")
            assert body is None or body["content"]["application/json"]["examples"], path


def test_examples_fit_their_schemas(server: Served) -> None:
    described = server.ask("GET", OPENAPI).json
    checked = 0
    for operations in described["paths"].values():
        for operation in operations.values():
            contents = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (media for one in contents for media in one.get("content", {}).values()):
                schema = {**content["schema"], "components": described["components"]}
                examples = [one["value"] for one in content.get("examples", {}).values()]
                for example in examples + ([content["example"]] if "example" in content else []):
                    jsonschema_rs.validate(schema, example)
                    checked += 1
    assert checked > 10


def test_the_token_is_described_where_one_is_wanted(settings: Settings) -> None:
    with serving(create_app(replace(settings, token=TOKEN))) as one:
        described = one.ask("GET", OPENAPI, Authorization=f"Bearer {TOKEN}").json
    assert described["security"] == [{"token": []}]
    assert described["paths"]["/api/v1/health"]["get"]["security"] == []
