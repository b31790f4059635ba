"""WCAG 2.2 AA as far as axe can tell, on every page: light on a desktop, dark on a phone."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{v['id']}: {n['html'][:200]} {n['failureSummary'][:200]}" for v in found for n in v["nodes"]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_every_page(browser: Browser, base: str, scheme: Literal["light", "dark"], width: int) -> None:
    context = browser.new_context(
        base_url=base, bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    context.set_default_timeout(120_000)
    page = context.new_page()
    pages = (
        "/",
        "/?url=https://example.com/privacy",
        "/search?q=information&tracking=cookies&grade_to=12",
        "/search?q=zebra+information",
        "/search?q=%22open",
        "/library",
        "/library/nobody",
        "/policy/none",
        "/about",
        "/find",
        "/find?need=doesn't+sell+my+data",
        "/find?need=%3F",
        "/compare",
        "/compare?with=Plazaly&with=Quietlane+VPN&ask=Do+you+sell+my+data%3F",
        "/kind?policy=Plazaly",
        "/check?policy=Plazaly&against=coppa",
    )
    for path in pages:
        page.goto(path)
        assert violations(page) == [], path
    page.goto("/library/Plazaly")
    page.fill("#question", "do you sell my data?")
    page.press("#question", "Enter")
    turn = page.locator("#turn-1")
    expect(turn).to_be_visible()
    for summary in turn.locator("summary").all():
        summary.click()
    turn.locator("text=Show in policy").first.click()
    expect(page.locator(".policy mark").first).to_be_visible()
    assert violations(page) == []
    context.close()
