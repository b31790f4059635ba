"""What people do, in a real browser."""

from __future__ import annotations

import csv
import io
import re
import time
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

SAMPLES = files("smallprint.samples")
POLICY = """# Fernway Trails: privacy policy

## What we collect
When you record a trail we collect your precise location, your name and your email address. We use cookies to
remember who you are.

## Whom we share it with
We do not sell your personal information. We share your approximate location with advertising partners so that the
offers you see are nearby. You can opt out of this sharing in the settings of your account at any time.

## How long we keep it
If you delete your account, we erase your trails within 90 days, except where the law requires otherwise.
"""


def ask(page: Page, question: str) -> None:
    before = page.locator(".turn").count()
    page.fill("#question", question)
    page.press("#question", "Enter")
    expect(page.locator(".turn")).to_have_count(before + 1)


def in_view(page: Page, selector: str) -> bool:
    return bool(
        page.locator(selector).first.evaluate(
            "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.height > 0 }"
        )
    )


def held_back(route: Route) -> None:
    time.sleep(1)
    route.continue_()


def test_paste_read_ask_and_see_the_sentence(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 600})
    page.goto("/")
    page.fill("#source", POLICY)
    page.click("text=Read it")
    expect(page.locator("h1")).to_have_text("Fernway Trails: privacy policy")
    assert page.locator("text=Not stored").is_visible()
    ask(page, "how long do you keep my trails?")
    turn = page.locator("#turn-1")
    expect(turn.locator(".quote").first).to_contain_text("90 days")
    marked = turn.locator(".quote mark").first.inner_text()
    turn.locator("text=Show in policy").first.click()
    expect(page.locator(".policy mark")).to_have_text(marked)
    page.wait_for_function("document.activeElement.classList.contains('shown')")
    assert in_view(page, ".policy mark")
    page.go_back()
    assert page.locator(".policy mark").count() == 0
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)  # a reload keeps the policy and the conversation


def test_a_page_that_takes_long_shows_that_it_is_on_its_way(page: Page) -> None:
    page.goto("/")
    page.fill("#source", POLICY)
    page.click("text=Read it")
    expect(page.locator("h1")).to_have_text("Fernway Trails: privacy policy")
    page.evaluate(
        "new MutationObserver(() => { sessionStorage.seen += document.documentElement.className + say.textContent })"
        ".observe(document, { attributes: true, childList: true, subtree: true })"
    )
    page.route("**/kind?*", held_back)
    page.click("text=What is unusual here")
    expect(page.locator("h1")).to_have_text("Among its kind")
    seen = page.evaluate("sessionStorage.seen")
    assert "leaving" in seen
    assert "Working on it." in seen
    page.go_back()
    expect(page.locator("html")).not_to_have_class(re.compile("leaving"))


def test_upload_a_file(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "owlglass.html"
    path.write_bytes(SAMPLES.joinpath("owlglass.html").read_bytes())
    page.goto("/")
    page.set_input_files("[type=file]", path)
    expect(page.locator("h1")).to_contain_text("Owlglass")
    assert page.locator(".policy .s").count() > 50


def test_unclear_questions_come_with_choices(page: Page) -> None:
    page.goto("/library/Stillwren")
    ask(page, "what about my data?")
    turn = page.locator("#turn-1")
    choices = turn.locator("form button")
    expect(choices.first).to_be_visible()
    choices.first.click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator("#turn-2 .pill")).to_be_visible()


def test_more_and_why(page: Page) -> None:
    page.goto("/library/Plazaly")
    ask(page, "do you sell my data?")
    turn = page.locator("#turn-1")
    shown = turn.locator(".quote:visible").count()
    turn.locator(".more summary").click()
    assert turn.locator(".quote:visible").count() > shown
    turn.locator(".why summary").click()
    expect(turn.locator(".trace")).to_contain_text("retrieve")
    ask(page, "more")
    expect(page.locator("#turn-2 .quote").first).to_be_visible()


def test_copy_link_and_reopen(page: Page, base: str) -> None:
    page.goto("/library/Plazaly")
    ask(page, "do you sell my data?")
    page.click("#turn-1 >> text=Copy with source")
    expect(page.locator("#turn-1")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("do you sell my data?\n")
    assert "Source: Plazaly" in copied
    page.click("#turn-1 >> text=Copy link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(base) + r"/library/Plazaly\?version=\d+#ask=do%20you%20sell%20my%20data%3F", link)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/about")
    page.goto(link)
    expect(page.locator(".turn h3").last).to_have_text("do you sell my data?")
    expect(page.locator(".turn")).to_have_count(2)
    assert not [url for url in asked if "sell" in url]  # the question is in no address that is sent


def test_search_with_two_facets_back_and_export(page: Page) -> None:
    page.goto("/search")
    page.fill("#q", "information")
    page.press("#q", "Enter")
    expect(page.locator("#count")).to_contain_text("policies of 8")
    first = page.locator("#count").inner_text()
    page.check("[name=tracking][value=cookies]")
    page.wait_for_url("**tracking=cookies**")
    expect(page.locator("#count")).not_to_have_text(first)
    second = page.locator("#count").inner_text()
    page.check("[name=sector][value=media]")
    page.wait_for_url("**sector=media**")
    expect(page.locator(".chip.on")).to_have_count(2)
    assert page.locator("[name=sector][value=media]").evaluate("e => e === document.activeElement")
    found = int(page.locator("#count strong").inner_text())
    with page.expect_download() as download:
        page.click("text=CSV")
    lines = download.value.path().read_text("utf-8").splitlines()
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines[1:]))))) == found
    page.go_back()
    expect(page.locator("#count")).to_have_text(second)
    assert page.locator("[name=sector][value=media]").is_checked() is False
    page.go_back()
    expect(page.locator("#count")).to_have_text(first)


def test_nothing_found_names_the_reason_and_widens(page: Page) -> None:
    page.goto("/search?q=information&sector=finance&sector=education&grade_from=19")
    expect(page.locator(".nothing h2")).to_have_text("Nothing matches")
    page.click("text=Without the filter School grade")
    expect(page.locator(".hit").first).to_be_visible()
    assert "grade" not in page.url


def test_without_scripts(browser: Browser, base: str) -> None:
    context = browser.new_context(base_url=base, java_script_enabled=False)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("/")
    page.fill("#source", POLICY.replace("Fernway", "Ferncliff"))
    page.click("text=Read it")
    expect(page.locator("#policy")).to_contain_text("90 days")  # the page of stages reloads itself
    page.fill("#question", "how long do you keep my trails?")
    page.click(".ask button")
    expect(page.locator("#turn-1 .quote").first).to_contain_text("90 days")
    assert page.url.endswith("#turn-1")
    page.click("#turn-1 >> text=Show in policy")
    assert page.locator(".s:target").count() == 1
    page.goto("/search?q=information")
    page.check("[name=sector][value=media]")
    page.click("noscript button")
    expect(page.locator(".chip.on")).to_have_text(re.compile("media"))
    context.close()


def test_store_and_remove_and_undo(page: Page) -> None:
    page.goto("/")
    page.fill("#source", POLICY.replace("Fernway", "Thornway"))
    page.click("text=Read it")
    page.fill("#keep-as", "Thornway")
    page.click("text=Store in library")
    expect(page.locator(".keep")).to_contain_text("In your library")
    page.goto("/library")
    row = page.locator("tr", has_text="Thornway")
    row.locator("text=Remove").click()
    expect(page.locator(".note")).to_contain_text("Removed Thornway")
    page.click("text=Undo")
    expect(page.locator("tr", has_text="Thornway")).to_have_count(1)
    row.locator("summary", has_text="Forget").click()
    row.locator("button[value=forget]").click()
    expect(page.locator("tr", has_text="Thornway")).to_have_count(0)


def test_keyboard_alone(page: Page) -> None:
    page.goto("/library/Plazaly")
    expect(page.locator("#question")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#question")
    page.keyboard.type("do you share my contacts?")
    page.keyboard.press("Enter")
    expect(page.locator("#turn-1")).to_be_visible()
    expect(page.locator("#say")).not_to_be_empty()  # what a screen reader is told
    assert page.evaluate("document.activeElement.id") == "question"


def test_a_phone_has_no_sideways_scroll(browser: Browser, base: str) -> None:
    context = browser.new_context(base_url=base, viewport={"width": 320, "height": 640})
    page = context.new_page()
    for path in ("/", "/library/Stillwren", "/search?q=data", "/library", "/about"):
        page.goto(path)
        if path.startswith("/library/"):
            page.wait_for_selector("#question", timeout=120_000)
            bar = page.locator(".ask").bounding_box()
            assert bar is not None
            assert bar["y"] + bar["height"] == 640  # the question field stays in reach of the thumb
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    context.close()
