"""One server with the sample policies and one browser for all tests of the pages."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from chromium import NoBrowser, find
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from served import Served, serving
from smallprint.assistant import Assistant
from smallprint.server import create_app
from smallprint.settings import Settings

# A busy machine may take long for a question; waiting is no failure.
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    assistant = Assistant(Settings(home=tmp_path_factory.mktemp("web")))
    assistant.add_samples()
    return assistant


@pytest.fixture(scope="session")
def served(assistant: Assistant) -> Iterator[Served]:
    with serving(create_app(assistant.settings)) as one:
        yield one


@pytest.fixture(scope="session")
def base(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        try:
            path = find(playwright)
        except NoBrowser as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(error))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, base: str) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=base, viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Fails the test when the page's own scripts fail, or when something breaks the content policy."""
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield page
    assert not wrong
