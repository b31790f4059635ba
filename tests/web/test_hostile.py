"""A policy that attacks its reader stays text."""

from __future__ import annotations

from playwright.sync_api import Page, expect

ATTACK = """<html><head><title>Evil &lt;script&gt;alert(1)&lt;/script&gt; privacy policy</title></head><body>
<h1>Privacy <img src=x onerror="window.hacked=1"> policy</h1>
<script>window.hacked = 1</script>
<p onclick="window.hacked=1" onmouseover="window.hacked=1">We collect your personal information, your email address
and your location, and we share personal data with third parties. &lt;script&gt;window.hacked=1&lt;/script&gt;
&lt;img src=x onerror=window.hacked=1&gt;</p>
<p><a href="javascript:window.hacked=1">Opt out</a> of the sale of your personal data: we do not sell it
\u202eatad ruoy lles ew\u202c \u2067now\u2069. {{ 7 * 7 }} {% raw %} &quot;&gt;&lt;svg onload=window.hacked=1&gt;</p>
<p>We keep your data for 90 days. <iframe srcdoc="<script>parent.hacked=1</script>"></iframe></p>
FILLER
</body></html>"""
FILLER = "<p>We may share your personal information with partners as described in this privacy policy, part %d.</p>"


def test_two_megabytes_of_attack_render_inert(page: Page) -> None:
    body = ATTACK.replace("FILLER", "\n".join(FILLER % number for number in range(20_000)))
    assert len(body) > 2_000_000
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto("/")
    page.set_input_files("[type=file]", {"name": "evil.html", "mimeType": "text/html", "buffer": body.encode()})
    expect(page.locator("#question")).to_be_visible(timeout=600_000)  # a thousand parts are read
    expect(page.locator("#policy")).to_contain_text("<script>window.hacked=1</script>")
    assert page.evaluate("window.hacked") is None
    policy = page.locator("#policy")
    assert policy.locator("script, img, iframe, a, [onclick], [onmouseover], [onerror], [onload]").count() == 0
    text = policy.inner_text()
    assert "{{ 7 * 7 }}" in text
    assert not any(mark in text for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
    base = page.url.split("/policy/")[0]
    assert [url for url in requests if not url.startswith(base)] == []


def test_a_hostile_question_is_shown_as_it_was_typed(page: Page) -> None:
    page.goto("/library/Plazaly")
    page.fill("#question", "<img src=x onerror=window.hacked=1> do you sell my data?")
    page.press("#question", "Enter")
    expect(page.locator(".turn h3").first).to_contain_text("<img src=x")
    assert page.evaluate("window.hacked") is None


def test_a_hostile_link_runs_nothing(page: Page) -> None:
    page.goto("/?url=javascript:window.hacked=1")
    expect(page.locator("#source")).to_have_value("")
    page.goto(
        "/?url=https://example.com/%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E#ask=%3Cimg src=x onerror=hacked=1%3E"
    )
    expect(page.locator("#brought")).to_contain_text("<img")
    assert page.evaluate("window.hacked") is None
