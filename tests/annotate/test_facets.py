from __future__ import annotations

from smallprint.annotate.facets import facets_of, fingerprint
from smallprint.ingest.assemble import assemble
from smallprint.records import BlockKind, Piece, Policy, Practice
from smallprint.segment import segment

TEXT = (
    "Our students may share data with certain partners. We use cookies. We comply with FERPA and the GDPR. "
    "See aboutads.info for choices."
)


def test_all_facets_of_a_policy() -> None:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, TEXT)])
    policy = Policy("-", "Ardmore University", text, blocks, "text/plain")
    facets = facets_of(segment(policy), name="Ardmore University", domain="ardmore.edu")
    assert facets.sector == "education"
    assert (facets.tracking, facets.bodies, facets.regulations) == (("cookies",), ("daa",), ("gdpr", "ferpa"))
    assert facets.vagueness == 0.25
    assert 1 < facets.grade < 15


def test_practices_become_facets_without_what_is_denied() -> None:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, TEXT)])
    kind, who = "Personal Information Type", "Third Party Entity"
    practices = [
        Practice(0, "third", 0.9, ((kind, "Health"), (who, "Public")), ("does_not",), (0, 0)),
        Practice(1, "third", 0.9, ((kind, "Contact"), (who, "Unnamed third party")), ("does",), (1, 1)),
        Practice(2, "first", 0.9, ((kind, "Location"), (kind, "Unspecified")), (), (2, 2)),
        Practice(3, "other", 0.9),
    ]
    facets = facets_of(segment(Policy("-", "", text, blocks, "text/plain")), practices)
    assert facets.practices == ("first", "third")
    assert facets.data_types == ("contact", "location")
    assert facets.third_parties == ("unnamed",)


def test_the_fingerprint_is_short_and_stable() -> None:
    assert len(fingerprint()) == 16
    assert fingerprint() == fingerprint()
    assert fingerprint("one reader") != fingerprint("another") != fingerprint()
