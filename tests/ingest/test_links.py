from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from smallprint.ingest.links import PolicyLink, find_policy_link

HOME = "https://www.example.com/"


def found(markup: str, url: str = HOME) -> str | None:
    link = find_policy_link(markup, url)
    return link.url if link else None


@pytest.mark.parametrize(
    "link",
    [
        "<a href='/p'>Privacy Policy</a>",
        "<a href='/p'>Privacy</a>",
        "<a href='/p'>Our <b>privacy</b>\n notice</a>",
        "<a href='/p'>PRIVACY &amp; COOKIES</a>",
        "<a href='/p'>Privacy and Cookie Policy</a>",
        "<a href='/p'>Acme Group Privacy Statement</a>",
        "<a href='/p'>Data protection</a>",
        "<a href='/p'><img alt='Privacy policy' src=x></a>",
        "<a href='/p' aria-label='Privacy policy'><svg></svg></a>",
        "<a rel='nofollow privacy-policy' href='/p'>Legal stuff</a>",
        "<link rel='privacy-policy' href='/p'>",
        "<base href='https://www.example.com/'><a href='p'>Privacy</a>",
    ],
)
def test_the_policy_is_found_by_many_names(link: str) -> None:
    assert found(f"<body>{link}<a href='/terms'>Terms</a></body>") == "https://www.example.com/p"


@pytest.mark.parametrize(
    "href", ["/privacy", "/legal/privacy-policy", "/privacy.html", "/privacypolicy/", "/Privacy_Policy"]
)
def test_a_telling_path_is_enough(href: str) -> None:
    assert found(f"<a href='{href}'>Legal</a>") == f"https://www.example.com{href}"


@pytest.mark.parametrize(
    "rival",
    [
        "<a href='/cookies'>Cookie Policy</a>",
        "<a href='/choices'>Your privacy choices</a>",
        "<a href='/privacy-settings'>Privacy settings</a>",
        "<a href='/jobs/privacy-policy'>Candidate privacy policy</a>",
        "<a href='/kids'>Children's Privacy Policy</a>",
        "<a href='/ca'>California Privacy Notice</a>",
        "<a href='https://policies.captcha.example/privacy'>Privacy</a>",
        "<a href='/de/p' hreflang='de'>Privacy Policy</a>",
        "<a href='/fr/privacy-policy'>Privacy Policy</a>",
        "<a href='/blog/privacy'>Why privacy matters to small bakeries, to those who work there and to all who eat</a>",
    ],
)
@pytest.mark.parametrize("order", [0, 1])
def test_the_general_policy_wins(rival: str, order: int) -> None:
    links = ["<a href='/p'>Privacy Policy</a>", rival]
    if order:
        links.reverse()
    assert found("".join(links)) == "https://www.example.com/p"


def test_the_footer_wins_over_the_text() -> None:
    markup = "<footer><a href='/a'>Privacy</a></footer><p><a href='/b'>Privacy</a></p>"
    assert found(markup) == "https://www.example.com/a"


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "   ",
        "no markup at all",
        "<a href='/terms'>Terms</a><a href='/cookies'>Cookie policy</a>",
        "<a href='mailto:privacy@example.com'>Privacy</a>",
        "<a href='javascript:open()'>Privacy Policy</a>",
        "<a href='#privacy'>Privacy</a>",
        "<a href='/'>Privacy</a>",
        "<a href='https://www.example.com#x'>Privacy Policy</a>",
        "<a href='http://[bad'>Privacy Policy</a>",
        "<a href='http://user:pw@example.com/'>Privacy Policy</a>",
        "<a>Privacy Policy</a>",
        "<a href='/x'></a>",
    ],
)
def test_nothing_to_follow(markup: str) -> None:
    assert find_policy_link(markup, HOME) is None


def test_the_link_keeps_its_words() -> None:
    assert find_policy_link("<a href='p'>  Privacy\n<i>Policy</i> </a>", "http://example.com/about/us") == PolicyLink(
        "http://example.com/about/p", "Privacy Policy"
    )


def test_a_sister_domain_is_followed_where_there_is_no_other() -> None:
    assert found("<a href='https://legal.acme.example/privacy'>Privacy Policy</a>") is not None


@pytest.mark.parametrize("inside", ["<b>x</b>", "<img>", "<i></i>"])
def test_however_links_nest_each_node_is_looked_at_once(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    def counted(*arguments: Any, **options: Any) -> Iterator[Any]:
        nonlocal seen
        for step in iterwalk(*arguments, **options):
            seen += 1
            yield step

    iterwalk = etree.iterwalk
    monkeypatch.setattr(etree, "iterwalk", counted)
    links, nodes = 300, 1_000
    markup = "<a href='/x'><div>" * links + inside * nodes + "</div></a>" * links + "<a href='/p'>Privacy</a>"
    assert found(markup) == "https://www.example.com/p"
    assert nodes < seen < 2 * (3 * links + nodes) + 10  # a start and an end of each, and the next link's start


def test_a_link_ends_where_the_next_begins() -> None:
    markup = "<a href='p'>Privacy <b>Policy</b><div><a href='t'>Terms</a> and more</div></a>"
    assert find_policy_link(markup, HOME) == PolicyLink("https://www.example.com/p", "Privacy Policy")


@pytest.mark.parametrize(("depth", "place"), [(50, "a"), (500, "b")])
def test_a_footer_is_looked_for_so_far_up_only(depth: int, place: str) -> None:
    inner = "<div>" * depth + "<a href='/a'>Privacy</a>" + "</div>" * depth
    assert found(f"<footer>{inner}</footer><a href='/b'>Privacy</a>") == f"https://www.example.com/{place}"


@given(st.text(alphabet="<>a/ href='\"=privacy policy&#0;\0\ud800", max_size=200))
@settings(deadline=None)
def test_any_markup_gives_a_link_or_none(markup: str) -> None:
    link = find_policy_link(markup, HOME)
    assert link is None or link.url.startswith(("http://", "https://"))
