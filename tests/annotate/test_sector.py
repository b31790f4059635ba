from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from smallprint.annotate import sector
from smallprint.annotate.directory import Directory
from smallprint.annotate.sector import NAMES, UNKNOWN, cue_counts, idf_of, name_counts, shipped, text_counts


def test_the_ten_sectors_are_told_apart() -> None:
    assert set(shipped().labels) == set(NAMES) - {UNKNOWN}
    chances = shipped().chances("Acme", "acme.com", "We collect data.")
    assert math.isclose(sum(chances.values()), 1, rel_tol=1e-5)


@pytest.mark.parametrize(
    ("name", "domain", "text", "wanted"),
    [
        ("Ardmore University", "ardmore.edu", "Our students, faculty and alumni use the campus network.", "education"),
        ("Northgate Hospital", "northgatehospital.com", "Patients receive treatment from our physicians.", "medical"),
        ("Hope Relief Foundation", "hoperelief.org", "Donors and volunteers support our charity.", "nonprofit"),
        ("Gadget Shop", "gadgetshop.com", "When you order products in our store we ship them to you.", "consumer"),
    ],
)
def test_plain_cases(name: str, domain: str, text: str, wanted: str) -> None:
    assert shipped().sector(name, domain, text * 5) == wanted


def test_a_text_that_says_nothing_is_unknown_or_unsure() -> None:
    chances = shipped().chances("", "", "")
    assert max(chances.values()) < 0.6


def test_letters_count_wherever_they_are_from() -> None:
    assert name_counts("acme.com", "www.acme.com") == name_counts("acme", "acme.com")
    assert set(name_counts("", "acme.ac.uk")) > set(name_counts("", "acme"))
    assert name_counts("", "") is not None


def test_only_the_opening_is_read() -> None:
    assert text_counts("word " * 10_000) == text_counts(("word " * 10_000)[: sector.OPENING])


def test_cues_are_looked_for_in_text_and_name() -> None:
    used = dict(zip([*NAMES][:10], cue_counts("", "", "Our patients see a physician."), strict=False))
    assert max(used, key=lambda s: used[s]) == "medical"
    assert sum(cue_counts("City Hospital", "", "")[10:]) >= 1


def test_words_of_all_or_of_hardly_any_documents_weigh_nothing() -> None:
    assert idf_of(100, np.array([1, 10, 90])).tolist() == [0, pytest.approx(math.log(101 / 11)), 0]


def test_the_card_says_how_well_organisations_are_told_whose_label_was_not_seen() -> None:
    measured = sector._card()["cross_validated"]
    assert measured["as_they_are"]["accuracy"] >= 0.65
    assert measured["as_they_are"]["macro_f1"] >= 0.55
    assert measured["as_if_unlisted"]["macro_f1"] >= 0.55
    assert measured["as_they_are"]["unknown"] > 0


def test_where_a_directory_lists_a_domain_counts() -> None:
    told = shipped()
    other = replace(told, directory=Directory.of(["lantern.example", "x.example"], [{"a"}, {"b"}]))
    weights = np.zeros((2, len(told.labels)), np.float32)
    weights[0, told.labels.index("medical")] = 9
    other = replace(other, shelves=weights)
    asked = ("Lantern", "lantern.example", "x")
    assert other.chances(*asked)["medical"] > told.chances(*asked)["medical"]
    assert other.chances("Lantern", "y.example", "x") == told.chances("Lantern", "y.example", "x")
