"""A server of its own: names that are awkward in an address, and what is left after forgetting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from test_pages import Visitor

from served import Served, serving
from smallprint.assistant import Assistant
from smallprint.server import create_app
from smallprint.settings import Settings

TEXT = "Privacy policy. We collect your zebras and share your personal data with third parties. " * 8
PATH = "/library/AC%2FDC"


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    with serving(create_app(settings)) as one:
        yield one


@pytest.fixture
def visitor(served: Served) -> Visitor:
    return Visitor(served)


@pytest.fixture
def pasted(visitor: Visitor) -> str:
    """Where the text is open that is stored as AC/DC."""
    path = visitor.post("/read", source=TEXT).headers["location"]
    assert visitor.opened(path).status == 200
    assert visitor.post(f"{path}/keep", name="AC/DC").headers["location"] == PATH
    return path


@pytest.mark.usefixtures("pasted")
def test_a_name_with_a_slash_can_be_opened_and_asked(visitor: Visitor) -> None:
    page = visitor.opened(PATH)
    assert page.status == 200
    assert b"<title>AC/DC" in page.body
    for where in ("/library", "/search?q=zebras"):
        assert f'href="{PATH}'.encode() in visitor.get(where).body
    typed = visitor.post("/read", source="ac/dc").headers["location"]
    assert typed.startswith(PATH)
    asked = visitor.post(typed, said="do you share my data?")
    assert (asked.status, asked.headers["location"]) == (303, f"{typed}#turn-1")
    assert b"do you share my data?" in visitor.opened(typed).body


def by_the_page(visitor: Visitor, served: Served, settings: Settings) -> None:  # noqa: ARG001
    assert visitor.post("/library", do="forget", name="AC/DC").status == 303


def by_the_api(visitor: Visitor, served: Served, settings: Settings) -> None:  # noqa: ARG001
    assert served.ask("DELETE", "/api/v1/policies/AC%2FDC?forever=true").status == 204


def by_another_program(visitor: Visitor, served: Served, settings: Settings) -> None:  # noqa: ARG001
    Assistant(settings).forget("AC/DC")


@pytest.mark.parametrize("forget", [by_the_page, by_the_api, by_another_program])
def test_what_is_forgotten_is_shown_no_more(
    visitor: Visitor,
    served: Served,
    settings: Settings,
    pasted: str,
    forget: Callable[[Visitor, Served, Settings], None],
) -> None:
    visitor.post(pasted, said="who gets my zebras?")
    assert b"who gets my zebras?" in visitor.opened(pasted).body
    forget(visitor, served, settings)
    for path in (pasted, PATH, f"/kind?handle={pasted.rpartition('/')[2]}"):
        page = visitor.opened(path)
        assert page.status == 404
        assert b"zebras" not in page.body
    again = visitor.opened(visitor.post("/read", source=TEXT).headers["location"])
    assert again.status == 200
    assert b"who gets my zebras?" not in again.body


@pytest.mark.usefixtures("pasted")
@pytest.mark.parametrize("path", [PATH, "/kind?policy=AC%2FDC"])
def test_a_stored_policy_that_failed_is_read_again(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("never foreseen")

    with monkeypatch.context() as broken:
        broken.setattr(Assistant, "stored", fail)
        assert visitor.opened(path).status == 500
    assert visitor.opened(path).status == 200


@pytest.mark.usefixtures("pasted")
def test_a_question_to_one_that_failed_is_answered_the_next_time(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("never foreseen")

    with monkeypatch.context() as broken:
        broken.setattr(Assistant, "stored", fail)
        assert visitor.post(PATH, said="who gets my zebras?").status == 500
    assert visitor.post(PATH, said="who gets my zebras?").status == 303
