"""Beyond one policy, over HTTP."""

from __future__ import annotations

from served import Served

API = "/api/v1"
FERNHILL = {"source": {"policy": "Fernhill"}}


def test_norms_are_shown_by_sector(server: Served) -> None:
    everyone = server.ask("GET", f"{API}/norms").json
    assert everyone["sector"] == "all"
    assert everyone["policies"] == everyone["sectors"]["all"] > 1_000
    contact = next(line for line in everyone["traits"] if line["trait"] == "collects/contact")
    assert contact["said"]["low"] < contact["said"]["share"] < contact["said"]["high"]
    assert server.ask("GET", f"{API}/norms?sector=it").json["sector"] == "it"
    assert server.ask("GET", f"{API}/norms?sector=plumbing").kind == "invalid-request"


def test_what_surprises_comes_with_its_yardstick(server: Served) -> None:
    made = server.ask("POST", f"{API}/surprises", FERNHILL | {"sector": "all"}).json
    assert made["measured_against"]["sector"] == "all"
    assert made["policy"]["title"] == "Privacy Policy | Fernhill"
    assert all(one["yardstick"].endswith("policies say this") for one in made["surprises"])


def test_vague_practices(server: Served) -> None:
    made = server.ask("POST", f"{API}/ambiguities", FERNHILL).json
    assert 0 <= made["share"] <= 1
    assert {"category", "vague", "sentences", "usual", "worst"} <= set(made["practices"][0])


def test_two_policies_side_by_side(server: Served) -> None:
    other = {"text": "We never sell your personal information. We collect your name."}
    body = {"sources": [FERNHILL["source"], other], "questions": ["Do you sell my data?"], "force": True}
    made = server.ask("POST", f"{API}/comparisons", body).json
    assert len(made["names"]) == len(made["policies"]) == 2
    sold = next(row for row in made["rows"] if row["trait"] == "sells/data")
    assert [cell["stance"] for cell in sold["cells"]] == ["no", "no"]
    assert sold["differs"] is False
    assert len(made["asked"][0]["answers"]) == 2
    assert made["asked"][0]["answers"][0]["trace"] == []
    assert server.ask("POST", f"{API}/comparisons", {"sources": [other]}).kind == "invalid-request"


def test_a_need_finds_the_policy_that_says_so(server: Served) -> None:
    made = server.ask("GET", f"{API}/find?need=doesn%27t+sell+my+personal+information").json
    assert made["wants"] == "does-not"
    assert [match["service"] for match in made["matches"]] == ["Fernhill"]
    assert made["matches"][0]["sentence"] == "We do not sell your personal information."
    assert server.ask("GET", f"{API}/find?need=%3F").kind == "bad-query"


def test_a_checklist_warns_that_it_is_no_advice(server: Served) -> None:
    made = server.ask("POST", f"{API}/checks", FERNHILL | {"against": "gdpr"}).json
    assert "no legal advice" in made["warning"]
    assert {item["state"] for item in made["items"]} <= {"found", "partly", "not found"}
    assert server.ask("POST", f"{API}/checks", FERNHILL | {"against": "hipaa"}).kind == "invalid-request"
