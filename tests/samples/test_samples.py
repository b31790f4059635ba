"""The sample policies and their questions are what visitors see first and what other tests stand on."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from smallprint.answer.opposition import contradiction
from smallprint.answer.relation import shipped
from smallprint.asking import OpenPolicy
from smallprint.bench.samples import sample_readings
from smallprint.records import BlockKind, Reading, Stance, Verdict

SAMPLES = Path(__file__).resolve().parents[2] / "src" / "smallprint" / "samples"

# Where the policy itself stands in each page; everything else is furniture.
MAIN = {
    "stillwren": "//main",
    "pipwick": "//section[@id='policy']",
    "northwind-bank": "//div[@class='notice-body']",
    "plazaly": "//div[contains(@class, 'pl-legal__txt')]",
    "larkhaven": "//td[@class='main']",
    "owlglass": "//div[@id='content']",
    "ardmore-university": "//main//div[@class='text']",
    "quietlane": "//div[@class='doc']",
}
KINDS = {
    "answerable": 72,
    "silent": 18,
    "not_in_policies": 8,
    "out_of_scope": 8,
    "unclear": 7,
    "incomprehensible": 7,
}
STANCES = {"yes", "no", "choice", "mixed", "na"}
SECTORS = {
    "finance",
    "it",
    "consumer",
    "engineering",
    "medical",
    "media",
    "education",
    "government",
    "travel",
    "nonprofit",
}
CONTRADICTIONS = {
    "plazaly": ("We never sell your personal information to anyone.", "We may sell profile information"),
    "larkhaven": ("does not store your credit card number", "we keep your credit card number"),
    "quietlane": ("We do not record the IP address", "our login system stores the IP address"),
}
INLINE = {"a", "b", "br", "em", "i", "span", "strong"}
SENTENCE_BREAK = re.compile(r"[.!?][”’\")]*\s+(?=[A-Z“‘(])")


def fold(text: str) -> str:
    return " ".join(text.split())


@cache
def page(sample: str) -> Any:
    parser = html.HTMLParser(encoding="utf-8")
    return html.document_fromstring((SAMPLES / f"{sample}.html").read_bytes(), parser=parser)


@cache
def policy(sample: str) -> Any:
    found = page(sample).xpath(MAIN[sample])
    assert len(found) == 1, f"{sample}: {len(found)} main parts"
    return found[0]


def own_text(element: Any) -> str:
    """The text of a block without that of the blocks inside it."""
    parts = [element.text or ""]
    for child in element:
        parts.append(own_text(child) if child.tag in INLINE else " ")
        parts.append(child.tail or "")
    return "".join(parts)


@cache
def blocks(sample: str) -> list[str]:
    elements = [e for e in policy(sample).iter() if isinstance(e.tag, str) and e.tag not in INLINE | {"td", "th"}]
    return [text for text in (fold(own_text(e)) for e in elements) if text]


@cache
def rows(sample: str) -> set[str]:
    return {" | ".join(fold(cell.text_content()) for cell in row) for row in policy(sample).iter("tr")}


def stands_alone(quote: str, block: str) -> bool:
    """Whether the quote is one whole sentence of the block, or all of it."""
    if quote == block:
        return True
    start = block.find(quote)
    if start < 0:
        return False
    before, after = block[:start].rstrip(), block[start + len(quote) :]
    return (not before or before[-1] in ".!?:”’)") and (not after or quote[-1] in ".!?:”’)")


@cache
def questions() -> list[dict[str, Any]]:
    with (SAMPLES / "questions.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@cache
def index() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((SAMPLES / "index.json").read_text(encoding="utf-8"))
    return listed


def answerable() -> list[dict[str, Any]]:
    return [q for q in questions() if q["kind"] == "answerable"]


def test_index_lists_every_page_once() -> None:
    assert sorted(row["sample"] for row in index()) == sorted(MAIN)
    assert {row["file"] for row in index()} == {path.name for path in SAMPLES.glob("*.html")}


def test_index_rows_are_complete() -> None:
    for row in index():
        assert set(row) == {"sample", "file", "service", "domain", "sector", "words", "about", "plain"}
        assert row["sector"] in SECTORS
        assert row["domain"].endswith(".example")
        assert row["about"]
        assert "\n" not in row["about"]


@pytest.mark.parametrize("sample", MAIN)
def test_page_is_a_whole_web_page(sample: str) -> None:
    root = page(sample)
    assert root.tag == "html"
    assert root.findtext(".//title").strip()
    assert root.xpath("//meta")
    whole, main = fold(root.find("body").text_content()), fold(policy(sample).text_content())
    assert len(whole) > len(main) + 200, "no furniture around the policy"


@pytest.mark.parametrize("sample", MAIN)
def test_words_are_in_range_and_as_listed(sample: str) -> None:
    words = len(policy(sample).text_content().split())
    assert 1500 <= words <= 3000
    assert [row["words"] for row in index() if row["sample"] == sample] == [words]


@pytest.mark.parametrize("sample", MAIN)
def test_policy_holds_no_furniture(sample: str) -> None:
    assert not policy(sample).xpath(".//nav | .//script | .//style | .//form | .//button | .//aside")


@pytest.mark.parametrize("sample", MAIN)
def test_no_host_outside_example(sample: str) -> None:
    source = (SAMPLES / f"{sample}.html").read_text(encoding="utf-8")
    hosts = re.findall(r"(?:https?:)?//([\w.-]+\.\w+)", source)
    hosts += re.findall(r"[\w.+-]+@([\w.-]+\.\w+)", source)
    hosts += re.findall(r"\b(?:[\w-]+\.)+(?:com|org|net|io|app|co|eu|uk|de|edu|gov)\b", source)
    assert hosts
    outside = {host for host in hosts if not host.endswith(".example")}
    assert not outside


def test_lists_tables_and_other_markup_vary() -> None:
    def having(path: str) -> set[str]:
        return {sample for sample in MAIN if policy(sample).xpath(path)}

    assert len(having(".//table")) >= 3
    assert having(".//dl") == {"owlglass"}
    assert having(".//details") == {"pipwick"}
    assert "northwind-bank" in having(".//ol//ol")
    assert "northwind-bank" in having(".//h3[starts-with(., '4.2 ')]")
    assert "larkhaven" in having(".//p/b")
    assert len(having(".//li")) == len(MAIN)


def test_ids_are_unique_and_numbered_by_sample() -> None:
    expected = [f"{sample}-{number:02d}" for sample in MAIN for number in range(1, 16)]
    assert sorted(q["id"] for q in questions()) == sorted(expected)
    assert all(q["id"].rpartition("-")[0] == q["sample"] for q in questions())


def test_questions_differ() -> None:
    assert len({q["question"].casefold() for q in questions()}) == 120


def test_counts_by_kind() -> None:
    assert Counter(q["kind"] for q in questions()) == KINDS


def test_every_stance_is_known_and_used() -> None:
    assert {q["stance"] for q in answerable()} == STANCES


@pytest.mark.parametrize("question", questions(), ids=lambda q: str(q["id"]))
def test_fields_fit_the_kind(question: dict[str, Any]) -> None:
    fields = {"id", "sample", "question", "kind", "quotes", "span", "stance", "reason", "conflict"}
    assert set(question) == fields
    if question["kind"] == "answerable":
        assert any(grade == 2 for _, grade in question["quotes"])
        assert question["span"]
        assert question["reason"] == ""
    else:
        assert question["quotes"] == []
        assert question["span"] == ""
        assert question["stance"] == "na"
        assert question["reason"]
        assert question["conflict"] is False


@pytest.mark.parametrize("question", answerable(), ids=lambda q: str(q["id"]))
def test_quotes_stand_in_the_page(question: dict[str, Any]) -> None:
    sample = question["sample"]
    text = fold(policy(sample).text_content())
    for quote, grade in question["quotes"]:
        assert grade in (1, 2)
        if quote in rows(sample):
            continue
        assert quote in text
        assert any(stands_alone(quote, block) for block in blocks(sample)), quote
        assert not SENTENCE_BREAK.search(quote), f"more than one sentence: {quote}"


@pytest.mark.parametrize("question", answerable(), ids=lambda q: str(q["id"]))
def test_no_quote_twice(question: dict[str, Any]) -> None:
    quotes = [quote for quote, _ in question["quotes"]]
    assert len(quotes) == len(set(quotes))


@pytest.mark.parametrize("question", answerable(), ids=lambda q: str(q["id"]))
def test_span_lies_in_the_first_best_quote(question: dict[str, Any]) -> None:
    best = next(quote for quote, grade in question["quotes"] if grade == 2)
    assert question["span"] in best


def test_conflicts_are_the_planted_ones() -> None:
    assert {q["sample"] for q in questions() if q["conflict"]} == set(CONTRADICTIONS)


@pytest.mark.parametrize("sample", CONTRADICTIONS)
def test_planted_contradiction_is_there_and_quoted(sample: str) -> None:
    text = fold(policy(sample).text_content())
    asked = [q for q in questions() if q["sample"] == sample and q["conflict"]]
    assert len(asked) == 1
    assert asked[0]["stance"] == "mixed"
    best = [quote for quote, grade in asked[0]["quotes"] if grade == 2]
    for side in CONTRADICTIONS[sample]:
        assert side in text
        assert sum(side in quote for quote in best) == 1


@cache
def readings() -> dict[str, Reading]:
    return sample_readings()


@pytest.mark.parametrize("sample", MAIN)
def test_of_all_pairs_of_sentences_only_the_meant_ones_contradict(sample: str) -> None:
    texts = [s.text for s in readings()[sample].sentences if s.kind is not BlockKind.HEADING]
    most = shipped().most_limits
    found = [pair for pair in permutations(texts, 2) if contradiction(*pair, most)]
    assert len(found) == (1 if sample in CONTRADICTIONS else 0)
    for meant, said in zip(CONTRADICTIONS.get(sample, ()), *found, strict=True) if found else ():
        assert meant in said


@pytest.mark.parametrize("sample", CONTRADICTIONS)
def test_a_question_on_a_contradiction_is_answered_with_both_sides(sample: str) -> None:
    asked = next(q for q in questions() if q["sample"] == sample and q["conflict"])
    answer = OpenPolicy(readings()[sample]).ask(asked["question"])
    assert (answer.verdict, answer.stance) == (Verdict.CONFLICTING, Stance.MIXED)
    (conflict,) = answer.conflicts
    for meant, evidence in zip(CONTRADICTIONS[sample], (conflict.first, conflict.second), strict=True):
        assert meant in evidence.sentence.text
        assert evidence in answer.evidence
