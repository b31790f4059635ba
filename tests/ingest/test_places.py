"""What a source names, told by its look."""

from __future__ import annotations

import pytest

from smallprint.ingest.places import web_address


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("https://acme.com/p", "https://acme.com/p"),
        ("HTTP://acme.com", "HTTP://acme.com"),
        (" acme.com/p?to=https://b.com ", "https://acme.com/p?to=https://b.com"),
        ("https://acme.com/\x1b[31mp\n", "https://acme.com/[31mp"),
        ("/etc/hosts", None),
        ("./acme.com", None),
        ("~/acme.com", None),
        ("policy.html", None),
        ("file:///etc/hosts", None),
        ("FILE://acme.com/p", None),
        ("javascript://acme.com/%0aalert(1)", None),
        ("https:///etc/hosts", None),
        ("http://[", None),
        ("-", None),
        ("", None),
    ],
)
def test_only_an_address_of_the_web_is_taken_for_one(told: str, address: str | None) -> None:
    assert web_address(told) == address
