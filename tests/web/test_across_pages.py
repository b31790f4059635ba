"""The pages beyond one policy, without a browser."""

from __future__ import annotations

import csv
from urllib.parse import quote

import pytest
from test_pages import Visitor

from served import Served


@pytest.fixture
def visitor(served: Served) -> Visitor:
    return Visitor(served)


def test_the_label_has_the_yardstick_of_its_kind(visitor: Visitor) -> None:
    page = visitor.opened("/library/Plazaly").body.decode()
    assert page.count("policies are below") == 2
    assert 'href="/kind?policy=Plazaly&amp;version=' in page


def test_a_policy_among_its_kind(visitor: Visitor) -> None:
    page = visitor.get("/kind?policy=Plazaly").body.decode()
    assert "It says it sells or rents your data" in page
    assert "policies say this" in page
    assert "half of its kind are below" in page
    assert "<mark>may</mark>" in page
    everyone = visitor.get("/kind?policy=Plazaly&sector=all").body.decode()
    assert '<option value="all" selected>' in everyone


def test_pages_of_a_policy_that_is_not_there(visitor: Visitor) -> None:
    assert visitor.get("/kind?policy=Nobody").status == 404
    assert visitor.get("/kind?handle=none").status == 404
    assert visitor.get("/kind").status == 404
    assert visitor.get("/kind?policy=Plazaly&version=999999").status == 404
    assert visitor.get("/check?policy=Plazaly&against=hipaa").status == 409


def test_a_checklist_comes_with_the_warning(visitor: Visitor) -> None:
    page = visitor.get("/check?policy=Plazaly&against=gdpr").body.decode()
    assert "This is no legal advice" in page
    assert "Art. 13(2)(a)" in page


def test_policies_side_by_side_and_as_a_table(visitor: Visitor) -> None:
    assert "choose one" in visitor.get("/compare").body.decode()
    query = "with=Plazaly&with=Quietlane+VPN&on=location&ask=Do+you+sell+my+data%3F"
    page = visitor.get(f"/compare?{query}").body.decode()
    assert 'scope="row">where you are' in page
    assert "says nothing" in page
    table = list(csv.reader(visitor.get(f"/compare.csv?{query}").body.decode().splitlines()))
    assert table[0] == ["question or practice", "Plazaly", "Quietlane VPN"]
    assert table[2][0] == "Do you sell my data?"
    assert visitor.get("/compare.csv?with=Plazaly").status == 409
    assert visitor.get("/compare?with=Plazaly&with=Nobody").status == 404


def test_a_need_is_met_by_those_that_say_so(visitor: Visitor) -> None:
    assert 'href="/find"' in visitor.get("/search").body.decode()
    page = visitor.get("/find?need=doesn%27t+sell+my+data").body.decode()
    listed, both, _ = page.partition("says both")
    assert "Northwind Bank" in listed
    assert "We may sell profile information" not in listed
    assert both
    assert "that is no promise" in page
    assert visitor.get("/find?need=%3F").status == 400


def test_what_is_typed_is_escaped(visitor: Visitor) -> None:
    hostile = quote("<script>alert(1)</script> sells my data")
    for path in (
        f"/find?need={hostile}",
        f"/compare?on={hostile}&ask={hostile}",
        f"/kind?policy=Plazaly&sector={hostile}",
    ):
        assert b"<script>alert" not in visitor.get(path).body
