from __future__ import annotations

import time

import pytest

from smallprint.annotate.mentions import FACETS, Rule, mentions, rules

KEYS = {(rule.facet, rule.key) for rule in rules()}
EXAMPLES = [(rule, text) for rule in rules() for text in (*rule.yes, *rule.no)]


@pytest.mark.parametrize(("rule", "text"), EXAMPLES, ids=[f"{r.key}: {text}" for r, text in EXAMPLES])
def test_examples(rule: Rule, text: str) -> None:
    assert bool(rule.find(text)) is (text in rule.yes)
    assert (rule.key in mentions(text)[rule.facet]) is (text in rule.yes)


def test_every_rule_has_examples_of_both_kinds() -> None:
    assert all(rule.yes and rule.no for rule in rules())


def test_the_facets_of_privaseer_and_more_are_there() -> None:
    assert {k for f, k in KEYS if f == "tracking"} == {
        "cookies", "logs", "web_beacon", "fingerprinting", "flash_cookies", "advertising_id",
    }  # fmt: skip
    assert {k for f, k in KEYS if f == "bodies"} == {
        "nai", "daa", "edaa", "bbbonline", "trustarc", "cnil", "eprivacy", "verasafe", "evidon",
    }  # fmt: skip
    assert {k for f, k in KEYS if f == "regulations"} == {
        "gdpr", "coppa", "privacy_shield", "caloppa", "ccpa", "scc", "hipaa", "bcr",
        "uk_gdpr", "lgpd", "pipeda", "cpra", "dpdp", "pipl", "glba", "ferpa",
    }  # fmt: skip


def test_mentions_are_grouped_by_facet() -> None:
    text = "We use cookies and web beacons. See aboutads.info. The GDPR and the UK GDPR apply."
    assert mentions(text) == {
        "tracking": ("cookies", "web_beacon"),
        "bodies": ("daa",),
        "regulations": ("gdpr", "uk_gdpr"),
    }
    assert mentions("") == dict.fromkeys(FACETS, ())


@pytest.mark.parametrize("text", ["stored in the " * 20_000, "cookies " * 20_000, "a" * 200_000, "log " * 50_000])
def test_no_text_takes_long(text: str) -> None:
    start = time.perf_counter()
    mentions(text)
    assert time.perf_counter() - start < 5
