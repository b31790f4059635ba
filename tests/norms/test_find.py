"""Needs against a real index and the shipped models."""

from __future__ import annotations

from pathlib import Path

import pytest
from made import reading

from smallprint.index.document import IndexDocument, sentences_of
from smallprint.index.embedded import EmbeddedIndex
from smallprint.index.stance import SentenceStance
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.norms.find import Finding, find
from smallprint.records import Policy

TEXTS = {
    "Clear": ("We never share your location with advertisers.", "We collect your name."),
    "Opposite": ("We share your precise location with advertisers and advertising networks.",),
    "Asking": ("Do we share your location with advertisers?", "How we share your location with advertisers"),
    "Choosing": ("We do not share your location with advertisers unless you give us your consent.",),
    "Torn": (
        "We do not share your location data with advertisers.",
        "We share your location data with anyone who pays.",
    ),
    "Elsewhere": ("We do not share your email address with our payment provider.", "We collect your location."),
    "Silent": ("We keep your photos for two years.",),
}


@pytest.fixture(scope="module")
def policies() -> dict[str, Policy]:
    return {name: reading(*paragraphs).policy for name, paragraphs in TEXTS.items()}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, policies: dict[str, Policy]) -> EmbeddedIndex:
    index = EmbeddedIndex(tmp_path_factory.mktemp("index"))
    index.rebuild(
        IndexDocument(id=name, text=policies[name].text, service=name, sentences=sentences_of(reading(*paragraphs)))
        for name, paragraphs in TEXTS.items()
    )
    return index


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.load()


@pytest.fixture(scope="module")
def marker() -> Marker:
    return Marker.load()


@pytest.fixture(scope="module")
def refused(index: EmbeddedIndex, judge: Judge, marker: Marker, policies: dict[str, Policy]) -> Finding:
    return find("doesn't share my location with advertisers", index, judge, marker, policies.get)


def test_only_a_sentence_that_says_so_lists_a_policy(refused: Finding) -> None:
    assert [match.service for match in refused.matches] == ["Clear"]
    match = refused.matches[0]
    assert match.sentence == TEXTS["Clear"][0]
    assert (match.number, match.stance, match.limited) == (0, SentenceStance.DOES_NOT, False)
    assert refused.searched == len(TEXTS)


def test_silence_is_in_no_list(refused: Finding) -> None:
    listed = {match.service for match in (*refused.matches, *refused.both, *refused.against)}
    assert not listed & {"Silent", "Elsewhere", "Asking"}


def test_a_policy_that_says_both_is_set_apart_with_both_sentences(refused: Finding) -> None:
    (torn,) = refused.both
    assert (torn.service, torn.sentence, torn.but) == ("Torn", *TEXTS["Torn"])


def test_the_contrary_is_listed_as_such(refused: Finding) -> None:
    assert "Opposite" in {match.service for match in refused.against}
    assert all(match.stance is not SentenceStance.DOES_NOT for match in refused.against)


def test_the_need_turned_round_turns_the_lists_round(
    index: EmbeddedIndex, judge: Judge, marker: Marker, policies: dict[str, Policy]
) -> None:
    made = find("shares my location with advertisers", index, judge, marker, policies.get)
    assert made.wants is SentenceStance.DOES
    assert "Opposite" in {match.service for match in made.matches}
    assert "Clear" in {match.service for match in made.against}
    assert "Clear" not in {match.service for match in made.matches}


def test_an_empty_collection_has_nothing(tmp_path: Path, judge: Judge, marker: Marker) -> None:
    index = EmbeddedIndex(tmp_path)
    index.rebuild([])
    made = find("doesn't sell my data", index, judge, marker, lambda _: None)
    assert (made.matches, made.both, made.against, made.searched) == ((), (), (), 0)
